"""Runs the shared cases with the Python client: python3 driver.py < cases > outcomes."""
import base64
import itertools
import json
import re
import sys

from ramal import Ramal, RamalError, webhooks


def snake(name):
    return re.sub(r"([A-Z])", lambda found: "_" + found.group(1).lower(), name)


def named(args):
    return {snake(name): value for name, value in args.items()}


def rows(iterator, take=None):
    return list(itertools.islice(iterator, take))


def log_in(ramal, ask=None, code=None, **rest):
    return ramal.login(**rest, code=(lambda: ask) if ask else code)


def recording(ramal, **args):
    with ramal.calls.recording(**args) as stream:
        return {"base64": base64.b64encode(stream.read()).decode()}


def verify(body, headers, secret, now):
    return webhooks.verify(body.encode() if isinstance(body, str) else body, headers, secret, now=now)


OPERATIONS = {
    "users.me": lambda ramal: ramal.users.me(),
    "request": lambda ramal, method, path, body=None: ramal.request(method, path, body=body),
    "login": log_in,
    "logout": lambda ramal: ramal.logout(),
    "calls.place": lambda ramal, /, **args: ramal.calls.place(**named(args)),
    "calls.get": lambda ramal, id: ramal.calls.get(id),
    "calls.waitForEnd": lambda ramal, /, **args: ramal.calls.wait_for_end(**named(args)),
    "calls.waitForEnds": lambda ramal, /, **args: rows(ramal.calls.wait_for_ends(**named(args))),
    "calls.list": lambda ramal, filter=None, take=None: rows(ramal.calls.list(filter), take),
    "calls.page": lambda ramal, page: ramal.calls.page(page=page),
    "calls.updates": lambda ramal, /, **args: rows(ramal.calls.updates(**args)),
    "charges.updates": lambda ramal, /, **args: rows(ramal.charges.updates(**args)),
    "extensions.updates": lambda ramal, /, **args: rows(ramal.extensions.updates(**args)),
    "calls.hangup": lambda ramal, id: ramal.calls.hangup(id),
    "calls.sendKeys": lambda ramal, id, digits: ramal.calls.send_keys(id, digits),
    "calls.transfer": lambda ramal, id, to: ramal.calls.transfer(id, to),
    "calls.recording": recording,
    "charges.list": lambda ramal: rows(ramal.charges.list()),
    "extensions.list": lambda ramal, filter: ramal.extensions.list(filter),
    "extensions.create": lambda ramal, /, **args: ramal.extensions.create(**args),
    "integrations.save": lambda ramal, /, **args: ramal.integrations.save(**args),
    "events.list": lambda ramal, /, **args: rows(ramal.events.list(**args)),
    "events.follow": lambda ramal, /, take=None, **args: rows(ramal.events.follow(**named(args)), take),
    "webhooks.verify": lambda ramal, /, **args: verify(**args),
}

FACTS = ["status", "errorCode", "requestId", "reason", "localizedReason", "retryAfter", "callId", "fields"]


def describe(error):
    if isinstance(error, ValueError):
        return {"class": "Argument", "message": str(error)}
    if not isinstance(error, RamalError):
        return {"class": type(error).__name__, "message": repr(error)}
    classes = [one.__name__[: -len("Error")] for one in type(error).__mro__ if issubclass(one, RamalError)]
    known = {name: getattr(error, snake(name), None) for name in FACTS}
    return {"class": classes[0], "classes": classes, "message": str(error), **known}


def run(case):
    options = named(case["options"])
    ramal = Ramal(case["baseUrl"], options.pop("token", None), **options)
    result = None
    for operation, *args in case["steps"]:
        result = OPERATIONS[operation](ramal, **(args[0] if args else {}))
    return result


def outcome(case):
    try:
        return {"result": run(case)}
    except Exception as error:
        return {"error": describe(error)}


json.dump([outcome(case) for case in json.load(sys.stdin)], sys.stdout)
