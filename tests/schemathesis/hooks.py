"""What schemathesis cannot know of this API."""

import itertools
import os
import re

import requests
import schemathesis
from schemathesis.core.failures import AcceptedNegativeData, ServerError
from schemathesis.openapi.checks import RejectedPositiveData

URL, PASSWORD, CREDENTIAL, COLLEAGUE = (
    os.environ[f"PLANROOM_{name}"] for name in ("URL", "PASSWORD", "CREDENTIAL", "COLLEAGUE")
)

# Who asks, and what they ask with. It may be looked at, but not ended: nothing could be asked any more.
OWN = {name: os.environ[f"PLANROOM_OWN_{name.upper()}"] for name in ("userId", "tokenId", "sessionId")}

# Those who end sessions, even the one that they ask with, ask with one of somebody else's.
ENDING = {"logOut", "endSession", "endOtherSessions"}

# The map that most requests are aimed at is not emptied: others are.
EMPTIED = {"deleteWorkspace": "gone", "replaceModel": "scratch"}

# Rules that no schema can state, by what their refusals say. What breaks one may fit its schema.
RULES = re.compile(
    "|".join(
        [
            # What is sent back must be equal to what is there, and what is referred to must be there.
            "cannot change; it is",
            "there is no (component|person|team|role) `",
            "the diagram has no participant of this alias",
            "is not a member of this organization",
            "must be the entity tag of a bundle",
            "the workspace does not exist yet",
            "must not be the label that is undone",
            # A cursor or an event id is one that the server gave before.
            "must be the `nextCursor` of the previous page|must be the id of an event of this stream",
            # Nothing twice, and containment is a forest.
            "is named twice|the id `.*` is repeated|is a member already",
            "already part of|would be part of itself",
            # One field because of another.
            "give both x and y|is required with `cursor`",
            "is required, or `batchId` instead|must be left out where `changeSetId` is given",
            "`componentId`|is not possible for the kind|no earlier operation creates|is used by an earlier operation",
            "is required, or `teamId` instead|must be left out where `personId` is given|give either personId or teamId",
            "is required, unless you are signed in already",
            "is required in a file|or give an `id` to import under",
            # Texts that are more than texts: passwords, addresses, diagrams.
            "would be guessed at once",
            "is no address|must not contain a user name or password|no identifier found in the URL",
            "must be 32 hexadecimal digits|of this very list; begin without one",
            "a sequence diagram begins with",
            # 1.0 is an integer to JSON Schema, and a mistake to us.
            "invalid type: floating point|must be a whole number from",
        ]
    ),
    re.DOTALL,
)

REQUESTS = itertools.count()


@schemathesis.hook
def before_load_schema(context, raw_schema):
    """Leaves some fields of bodies to other tests."""
    for schema in raw_schema["components"]["schemas"].values():
        fields = schema.get("properties", {})
        for name, field in list(fields.items()):
            # Read-only ones are passed over, whatever they hold: they would be expected to be refused.
            field.pop("readOnly", None)
            # What identifies the resource is taken when it is equal to what is there: it hardly ever would be.
            if field.get("description", "").startswith("Cannot change"):
                del fields[name]


@schemathesis.hook
def before_call(context, case, kwargs):
    """Changes requests that would keep those behind them from saying anything."""
    number = next(REQUESTS)
    # Every request comes from an address of its own, or all that is throttled would be answered 429 and no more.
    address = {"X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
    case.headers.update(address)
    if CREDENTIAL == "none":
        case.headers.pop("Authorization", None)
    # A key is for one request, and there are few that schemathesis likes. Now and then it is used again.
    key = case.headers.get("Idempotency-Key")
    if number % 10 and re.fullmatch("[ -~]{1,200}", str(key)):
        case.headers["Idempotency-Key"] = f"{number} {key}"
    if case.method.upper() == "GET":
        return
    for name, own in OWN.items():
        if str(case.path_parameters.get(name)) == own:
            case.path_parameters[name] = 2
    operation = case.operation.definition.raw.get("operationId")
    if case.path_parameters.get("id") == "shop" and (operation in EMPTIED or case.method.upper() == "DELETE"):
        case.path_parameters["id"] = EMPTIED.get(operation, "spare")
    if operation in ENDING and case.headers.get("Authorization") == f"Bearer {CREDENTIAL}":
        who = {"login": COLLEAGUE, "password": PASSWORD}
        answer = requests.post(f"{URL}/api/auth/login", json=who, headers=address, timeout=10)
        case.headers["Authorization"] = f"Bearer {answer.json().get('token')}"


@schemathesis.hook
def filter_failure(context, failure, case, response):
    """Drops what is no failure: a refusal by one of the rules, and a text that is short enough once it is trimmed."""
    if isinstance(failure, AcceptedNegativeData):
        texts = case.body.values() if isinstance(case.body, dict) else []
        trimmed = any(isinstance(text, str) and text != text.strip() for text in texts)
        return not (trimmed and "`maxLength`" in failure.message)
    # No wiki is connected here, which the specification wants to be told so. With one, the Rust tests ask.
    if response.status_code == 503 and response.json().get("code") == "wiki_misconfigured":
        return not isinstance(failure, (RejectedPositiveData, ServerError))
    if isinstance(failure, RejectedPositiveData) and response.status_code == 400:
        return not RULES.search(response.json()["error"])
    return True
