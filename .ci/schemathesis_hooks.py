"""Hooks of Schemathesis for values that JSON Schema cannot describe."""

import datetime
import gzip
import json
import os
import pathlib
import re
import zlib

import schemathesis
from hypothesis import strategies as st

CORPUS = pathlib.Path(__file__).resolve().parent.parent / "tests/corpus"


def contents(folder, suffix):
    files = sorted((CORPUS / folder).glob(f"*{suffix}"))
    assert files, f"no *{suffix} in {folder}"
    return [file.read_bytes() for file in files]


# No pattern describes drawings, posters and cursors, so these are real ones.
drawings = [drawing.decode() for drawing in contents("svg/inert", ".svg")]
schemathesis.openapi.format("drawing", st.sampled_from(drawings))
schemathesis.openapi.format("cursor", st.just(os.environ["CURSOR"]))
for media_type, suffix in {"jpeg": "jpg", "png": "png", "gif": "gif", "webp": "webp"}.items():
    schemathesis.openapi.media_type(f"image/{media_type}", st.sampled_from(contents("images/accepted", f".{suffix}")))


@schemathesis.serializer("application/gzip")
def compress(context, value):
    """Encodes a part as compressed JSON."""
    return gzip.compress(json.dumps(value).encode(), mtime=0)


def distinct(items, key):
    return list({key(item): item for item in items}.values())


def round_time(time):
    """Rounds a time to nine decimals. `multipleOf` does not work for floating-point numbers."""
    return round(time, 9) if isinstance(time, float) else time


def instant(time):
    """Returns the epoch seconds of a time in either notation."""
    return datetime.datetime.fromisoformat(time).timestamp() if isinstance(time, str) else time


# Only characters up to U+FFFF can be excluded by a portable pattern.
INVISIBLE = re.compile("[\U0001BCA0-\U0001BCA3\U0001D173-\U0001D17A\U000E0000-\U000E0FFF]")


def make_visible(body):
    """Replaces the other invisible characters, since a text must not consist of them."""
    for key, value in list(body.items() if isinstance(body, dict) else enumerate(body)):
        if isinstance(value, str):
            body[key] = INVISIBLE.sub("a", value)
        elif isinstance(value, dict | list):
            make_visible(value)


@schemathesis.hook
def filter_case(context, case):
    """Skips a form that counts as valid although its part `request` is empty."""
    is_valid_form = case.meta.generation.mode.is_positive and isinstance(case.body, dict) and "request" in case.body
    return not is_valid_form or isinstance(case.body["request"], dict)


def is_for_members(operation):
    """Returns whether an operation needs the access token of a member."""
    return any("member" in scheme for scheme in operation.definition.raw.get("security", []))


@schemathesis.auth().apply_to(lambda context: is_for_members(context.operation))
class MemberAuth:
    """Authorizes requests of members, except those that check if a token is needed."""

    def get(self, case, context):
        return os.environ["ACCESS_TOKEN"]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


def is_for_gates(operation):
    """Returns whether an operation needs the token of a gate."""
    return any("gate" in scheme for scheme in operation.definition.raw.get("security", []))


@schemathesis.auth().apply_to(lambda context: is_for_gates(context.operation))
class GateAuth:
    """Authorizes requests of gates, except those that check if a token is needed."""

    def get(self, case, context):
        return os.environ["GATE_TOKEN"]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"


@schemathesis.check
def documented_code(context, response, case):
    """Checks that the operation has a failure with this code; a response is named by its codes."""
    if case.method.upper() != case.operation.method.upper():
        return  # An unknown method is an unknown route, C_008.
    reference = case.operation.definition.raw["responses"].get(str(response.status_code), {}).get("$ref", "")
    if response.status_code >= 400 and reference:
        code = response.json()["code"]
        assert code in reference.rsplit("/", 1)[-1].split("."), f"undocumented {code}"


@schemathesis.hook
def map_case(context, case):
    """Applies rules that JSON Schema cannot describe: members, events and the parts of an event are distinct, and a
    cursor belongs to a list."""
    slug = case.operation.definition.raw["operationId"]
    if case.meta.generation.mode.is_positive and is_for_members(case.operation) and "memberId" in case.path_parameters:
        case.path_parameters["memberId"] = os.environ["MEMBER"]
    if case.meta.generation.mode.is_positive and "showId" in (case.path_parameters or {}):
        use_show(case)
    if case.meta.generation.mode.is_positive and slug == "managers-events" and "cursor" in (case.query or {}):
        # A cursor belongs to a manager and a status.
        case.query.update(cursor=os.environ["OWN_CURSOR"], status="live")
        case.headers["x-api-managerId"] = os.environ["MANAGER"]
    elif case.meta.generation.mode.is_positive and slug == "managers-event":
        case.headers["x-api-managerId"] = os.environ["MANAGER"]
    elif case.meta.generation.mode.is_positive and slug == "events-list":
        make_valid_search(case.query or {})
    elif case.meta.generation.mode.is_positive and slug == "sales-list":
        # A cursor belongs to a show.
        (case.query or {}).pop("cursor", None)
    elif case.meta.generation.mode.is_positive and isinstance(case.body, dict):
        # In place, because Schemathesis validates a new body again.
        make_visible(case.body)
        if slug in ["members-join", "auth-join", "members-nickname"]:
            make_unique(case.body)
        elif slug == "events-create":
            make_valid(case.body["request"])
            remove_unprintable_names(case.body)
            if "Idempotency-Key" in (case.headers or {}):
                case.headers["Idempotency-Key"] = checksum(repr([case.body, case.multipart_content_types]))
        elif slug == "events-thumbnail":
            remove_unprintable_names(case.body)
        elif slug == "events-edit":
            make_valid_edit(case.body)
        elif slug == "events-copy":
            make_valid_edit(case.body)
            # Labels belong to the original.
            case.body.pop("prices", None)
            if "Idempotency-Key" in (case.headers or {}):
                case.headers["Idempotency-Key"] = checksum(case.body)
    return case


# Holds by operation: one that is released, one that is confirmed, and one whose order is cancelled.
HOLDS = dict(pair.split("=") for pair in os.environ["HOLDS"].split())


def use_show(case):
    """Uses a show that is on sale, its seats, and a hold of the member."""
    slug = case.operation.definition.raw["operationId"]
    hold = HOLDS["tickets"] if slug.startswith("tickets-") else HOLDS.get(slug, HOLDS["holds-get"])
    gate = os.environ["OTHER_GATE" if slug == "gates-remove" else "GATE"]
    ids = {"eventId": os.environ["EVENT"], "showId": os.environ["SHOW"], "holdId": hold, "gateId": gate}
    case.path_parameters.update({name: id for name, id in ids.items() if name in case.path_parameters})
    if slug in ["holds-confirm", "holds-cancel"]:
        case.body.update({name: value for name, value in {"orderId": "order", "amount": 1}.items() if name in case.body})
    if slug == "shows-edit" and isinstance(case.body, dict):
        # The show stays on sale.
        case.body.update({name: "SCHEDULED" for name in ["status"] if name in case.body})
        case.body.pop("datetime", None)
    if slug == "admissions-remove" and isinstance(case.body, dict) and "seatId" in case.body:
        case.body["seatId"] = f"{ids['showId'][:28]}40000003"
    if isinstance(case.body, dict) and isinstance(case.body.get("areaIds"), list):
        case.body["areaIds"] = [f"{ids['showId'][:28]}00000000"]
    if isinstance(case.body, dict) and isinstance(case.body.get("seatIds"), list):
        # The id of a seat follows from that of a show, see shared/domain/src/id.rs.
        first = zlib.crc32(json.dumps(case.body).encode()) % 500
        case.body["seatIds"] = [
            f"{ids['showId'][:28]}{0x40000000 + first + seat:08x}" for seat in range(len(case.body["seatIds"]))
        ]
    if slug in ["holds-create", "notices-create", "sales-create"] and "Idempotency-Key" in (case.headers or {}):
        case.headers["Idempotency-Key"] = checksum(case.body)


def remove_unprintable_names(form):
    """The client would not escape control characters in a name, and a header must not contain them."""
    for name in [name for name in form if not name.isprintable()]:
        del form[name]


def make_valid_search(query):
    """Makes the query visible, and the period not empty. A cursor belongs to the list without criteria."""
    make_visible(query)
    if "from" in query and "to" in query and not is_before(query["from"], query["to"]):
        del query["to"]
    if any(name in query for name in ["q", "from", "to", "ticketing", "sort"]):
        query.pop("cursor", None)


def is_before(start, end):
    start, end = (instant(time) if "T" in time.upper() else float(time) for time in [start, end])
    return start < end


def make_valid_edit(event):
    for field in ["eventOpenTime", "ticketingOpenTime"]:
        if field in event:
            event[field] = round_time(event[field])
    if "eventDatetimes" in event:
        event["eventDatetimes"] = distinct(map(round_time, event["eventDatetimes"]), instant)
    # Schemathesis may add fields, and these cannot be changed.
    for field in ["id", "thumbnail", "totalMap", "areas"]:
        event.pop(field, None)


def make_unique(member):
    digest = checksum(member)
    member["nickname"] = member["nickname"][:12] + digest
    if "email" in member and len(member["email"]) + len(digest) <= 50:
        member["email"] = digest + member["email"]


def make_valid(event):
    for field in ["eventOpenTime", "ticketingOpenTime"]:
        event[field] = round_time(event[field])
    event["eventDatetimes"] = distinct(map(round_time, event["eventDatetimes"]), instant)
    event["areas"] = distinct(event["areas"], lambda area: area["label"])
    for area in event["areas"]:
        area["seats"] = distinct(area["seats"], lambda seat: (seat["row"], seat["number"]))
    event["title"] = f"{event['title'][:90]} {checksum(event)}"


def checksum(value):
    return f"{zlib.crc32(json.dumps(value).encode()):08x}"
