"""Client of the Ramal API, on the standard library alone."""
from . import types, webhooks
from .client import Ramal
from .errors import *  # noqa: F403
from .errors import __all__ as _errors

__version__ = "1.0.0"
__all__ = ["Ramal", "types", "webhooks", *_errors]
