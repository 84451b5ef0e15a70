"""Calls one number after the other from an extension, and waits for the end of each: python3 power_dialer.py 1000 NUMBER..."""
import os
import sys

from ramal import ApiError, NetworkError, Ramal

extension, *numbers = sys.argv[1:]
ramal = Ramal(os.environ["RAMAL_URL"], os.environ["RAMAL_TOKEN"])

for called in numbers:
    try:
        placed = ramal.calls.place(extension=extension, called=called)
        call = ramal.calls.wait_for_end(placed["id"])
        print(called, call["hangup_cause"], call["duration"], "s, R$", call["call_price"])
    except ApiError as error:
        print(called, "not called:", error.error_code)
    except NetworkError as error:
        # The call may have been placed all the same.
        print(called, "unknown:", error)
