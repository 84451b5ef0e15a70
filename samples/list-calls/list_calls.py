"""The longest answered calls of an extension: python3 list_calls.py 1000"""
import os
import sys

from ramal import Ramal

ramal = Ramal(os.environ["RAMAL_URL"], os.environ["RAMAL_TOKEN"])
where = {"from": sys.argv[1], "status": "completed", "duration": {"gt": 0}}
for call in ramal.calls.list({"where": where, "order": "duration DESC"}):
    print(call["id"], call["to"], call["duration"], sep=",")
