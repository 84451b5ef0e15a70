"""A power dialer's round with the Python client, against the running service; prints what it saw as JSON."""
import json
import os
import shutil

from ramal import ApiError, ExtensionNotRegisteredError, Ramal

ramal = Ramal(os.environ["RAMAL_URL"])
ramal.login(os.environ["EMAIL"], os.environ["PASSWORD"], code=lambda: os.environ["RECOVERY_CODE"])

integration = ramal.integrations.save(
    gateway="dialer",
    webhook=True,
    webhookConstraint={"campaign": "spring"},
    metadata={"webhookUrl": os.environ["HOOK"], "webhookTypes": ["channel-hangup", "recording-ready"]},
)
call = ramal.calls.place(
    extension="1000", called="+55 48 99999-0102", metadata={"lead": 8, "campaign": "spring"}
)
seen = []
cursor = None
for event in ramal.events.follow(poll_interval=0.2, idle_timeout=60):
    cursor = event["cursor"]
    if event["id"] == call["id"]:
        seen.append(event["eventType"])
        if event["eventType"] == "recording-ready":
            break
later = list(ramal.events.list(after=cursor))

calls = list(ramal.calls.list({"where": {"metadata.lead": 8}}))
none = list(ramal.calls.list({"where": {"metadata.lead": 9}}))

with ramal.calls.recording(call["id"]) as sound, open("call.wav", "wb") as file:
    shutil.copyfileobj(sound, file)
with ramal.calls.recording(call["id"], channels=1) as sound:
    mono = sound.read()
with ramal.calls.recording(call["id"], format="ogg") as sound:
    ogg = sound.read()

other = ramal.extensions.create_next(
    senha="a secret of hers", first_name="Bia", last_name="Lima", email_address=os.environ["EMAIL"]
)
try:
    ramal.calls.place(extension=other["ramal"], called="190")
    refused = False
except ExtensionNotRegisteredError as error:
    refused = isinstance(error.request_id, str)
ramal.logout()
try:
    ramal.users.me()
    is_logged_out = None
except ApiError as error:
    is_logged_out = error.error_code

print(
    json.dumps(
        {
            "id": call["id"],
            "secret": integration["secret"],
            "seen": seen,
            "later": later,
            "calls": [[one["id"], one["status"], one["metadata"]] for one in calls],
            "none": none,
            "monoBytes": len(mono),
            "ogg": ogg[:4].decode("latin1"),
            "refused": refused,
            "isLoggedOut": is_logged_out,
        }
    )
)
