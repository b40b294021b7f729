from typing import Optional

__all__ = ['__version__', 'debug', 'cuda', 'git_version', 'hip']
__version__ = '2.3.0+cu121'
debug = False
cuda: Optional[str] = '12.1'
git_version = '0000000000000000000000000000000000000000'
hip: Optional[str] = None
