"""Rings an extension and dials a number: python3 click_to_call.py 1000 '+55 48 99999-0103'"""
import os
import sys

from ramal import ExtensionNotRegisteredError, Ramal

extension, called = sys.argv[1:]
ramal = Ramal(os.environ["RAMAL_URL"], os.environ["RAMAL_TOKEN"])
try:
    placed = ramal.calls.place(extension=extension, called=called, metadata={"source": "click"})
    print(placed["id"])
except ExtensionNotRegisteredError:
    sys.exit(f"No phone is registered to {extension}.")
