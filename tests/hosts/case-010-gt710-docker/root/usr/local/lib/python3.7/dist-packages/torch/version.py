__version__ = '1.7.1+cu101'
debug = False
cuda = '10.1'
git_version = '0000000000000000000000000000000000000000'
hip = None
