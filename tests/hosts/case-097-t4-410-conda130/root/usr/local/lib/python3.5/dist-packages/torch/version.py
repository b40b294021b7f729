__version__ = '1.2.0'
debug = False
cuda = '10.0.130'
git_version = '0000000000000000000000000000000000000000'
hip = None
