"""The service's requests in short but fair Python: boto3, argon2-cffi and the standard library."""

import base64, email, email.policy, hashlib, html, http.client, itertools, json, os, re, time, unicodedata, uuid, zlib
from datetime import datetime, timezone

import argon2
import boto3
import botocore.exceptions
from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer

FUNCTION = os.environ["AWS_LAMBDA_FUNCTION_NAME"]
TABLE = os.environ["TABLE_NAME"]
BUCKET = os.environ["BUCKET_NAME"]
CHUNK = 390_000
FIRST_SEAT, FIRST_SHOW = 2**30, 2**31
DETAILS = ("title", "description", "place", "artist", "genre", "ageRating", "runningMinutes", "address")

memory, rounds, lanes = map(int, re.findall(r"=(\d+)", os.environ["ARGON2_PARAMS"]))
hasher = argon2.PasswordHasher(time_cost=rounds, memory_cost=memory, parallelism=lanes)
UNKNOWN = f"$argon2id$v=19$m={memory},t={rounds},p={lanes}${'A' * 22}${'A' * 43}"
dynamodb = boto3.client("dynamodb")
s3 = boto3.client("s3") if FUNCTION in ("events-create", "events-thumbnail") else None
serialize, deserialize = TypeSerializer().serialize, TypeDeserializer().deserialize


def respond(status, data=None, **headers):
    body = {"message": "요청이 처리되었습니다.", "code": "0", "data": data}
    headers = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*", **headers}
    return {"statusCode": status, "headers": headers, "body": json.dumps(body, ensure_ascii=False, default=int)}


def body(event):
    return base64.b64decode(event["body"]) if event["isBase64Encoded"] else event["body"].encode()


def fold(text):
    return unicodedata.normalize("NFKC", text).casefold()


def item(pk, sk, **attributes):
    return {name: serialize(value) for name, value in {"pk": pk, "sk": sk, **attributes}.items()}


def put(pk, sk, **attributes):
    return {"Put": {
        "TableName": TABLE,
        "Item": item(pk, sk, **attributes),
        "ConditionExpression": "attribute_not_exists(#pk)",
        "ExpressionAttributeNames": {"#pk": "pk"},
    }}


def plain(found):
    return {name: deserialize(value) for name, value in found.items()}


def read(pk, sk):
    found = dynamodb.get_item(TableName=TABLE, Key=item(pk, sk), ConsistentRead=True).get("Item")
    return plain(found) if found else None


def stored_time(value):
    """Returns a time as it is stored: in epoch seconds, or as text if it has a fraction of a second."""
    when = datetime.fromisoformat(value) if isinstance(value, str) else datetime.fromtimestamp(value, timezone.utc)
    return time_text(when) if when.microsecond else int(when.timestamp())


def read_time(stored):
    return stored if isinstance(stored, str) else time_text(datetime.fromtimestamp(int(stored), timezone.utc))


def time_text(when):
    timespec = "milliseconds" if when.microsecond else "seconds"
    return when.astimezone(timezone.utc).isoformat(timespec=timespec).replace("+00:00", "Z")


def part_id(event, number):
    """Returns the id of a show, an area or a seat: the event's id with a number as its last 32 bits."""
    return f"{event[:14]}8{event[15:28]}{int(number):08x}"


def summary(found):
    shows = zip(found["showNumbers"], found["showTimes"])
    return {
        "id": found["id"], "thumbnail": found["thumbnail"], **{name: found[name] for name in DETAILS if name in found},
        "eventDatetimes": [{"id": part_id(found["id"], number), "datetime": read_time(show)} for number, show in shows],
        "eventOpenTime": read_time(found["eventOpenTime"]), "ticketingOpenTime": read_time(found["ticketingOpenTime"]),
    }


def lock_item(show):
    return f"SHOW#{((int(show[:4]) - 1970) * 12 + int(show[5:7]) - 1) % 24:02}"


def locks(event, is_locked):
    """Locks the shows of an event, or unlocks them."""
    words = (" ".join(fold(event[name]).split()) for name in ("title", "place"))
    digest = base64.urlsafe_b64encode(hashlib.sha256("\n".join(words).encode()).digest()).decode().rstrip("=")
    shows = [read_time(show) for show in event["showTimes"]]
    updates = []
    for sk in sorted({lock_item(show) for show in shows}):
        names = {f"#{index}": show for index, show in enumerate(shows) if lock_item(show) == sk}
        update = {"TableName": TABLE, "Key": item(f"SHOW#{digest}", sk), "ExpressionAttributeNames": names}
        if is_locked:
            update["UpdateExpression"] = "SET " + ", ".join(f"{name} = :event" for name in names)
            update["ConditionExpression"] = " AND ".join(f"attribute_not_exists({name})" for name in names)
            update["ExpressionAttributeValues"] = {":event": {"S": event["id"]}}
        else:
            update["UpdateExpression"] = "REMOVE " + ", ".join(names)
        updates.append({"Update": update})
    return updates


def expiry(thumbnail, seconds):
    return item(f"POSTER#{thumbnail}", "POSTER", expiresAt=int(time.time()) + seconds)


def store_poster(thumbnail, content):
    dynamodb.put_item(
        TableName=TABLE, Item=expiry(thumbnail, 3_600),
        ConditionExpression="attribute_not_exists(#pk)", ExpressionAttributeNames={"#pk": "pk"},
    )
    s3.put_object(Bucket=BUCKET, Key=f"upload/{thumbnail}", Body=content, ContentType="image/png",
                  CacheControl="public, max-age=31536000, immutable")


def keep_poster(thumbnail):
    return {"Delete": {
        "TableName": TABLE, "Key": item(f"POSTER#{thumbnail}", "POSTER"),
        "ConditionExpression": "attribute_exists(#pk)", "ExpressionAttributeNames": {"#pk": "pk"},
    }}


def edit(found, **changes):
    """Edits an event, if nothing else has edited or deleted it since it was read."""
    changes = {**changes, "version": found["version"] + 1}
    return {"Update": {
        "TableName": TABLE, "Key": item(f"EVENT#{found['id']}", "EVENT"),
        "UpdateExpression": "SET " + ", ".join(f"#{name} = :{name}" for name in changes),
        "ConditionExpression": "#version = :read AND attribute_exists(#listing)",
        "ExpressionAttributeNames": {**{f"#{name}": name for name in changes}, "#listing": "listing"},
        "ExpressionAttributeValues": {
            **{f":{name}": serialize(value) for name, value in changes.items()}, ":read": serialize(found["version"]),
        },
    }}


def live(event):
    found = read(f"EVENT#{event['pathParameters']['eventId']}", "EVENT")
    if not found or "listing" not in found:
        raise LookupError("no such event")
    return found


def hall(event):
    """Reads a hall with one query: the event, then its chunks. Only here, halls of peers have a prefix of their own."""
    id = event["pathParameters"]["eventId"]
    found = dynamodb.query(
        TableName=TABLE, ConsistentRead=True, KeyConditionExpression="#pk = :pk",
        ExpressionAttributeNames={"#pk": "pk"}, ExpressionAttributeValues={":pk": {"S": f"PEER#{id}"}},
    )["Items"]
    stored, *chunks = map(plain, found)
    compressed = b"".join(chunk["data"].value for chunk in chunks)
    return stored, json.loads(zlib.decompress(compressed))


def with_ids(event, areas):
    """Adds ids that are derived like those of the function."""
    result, numbers = [], itertools.count(FIRST_SEAT)
    for index, area in enumerate(areas):
        id = part_id(event, index)
        seats = [{"id": part_id(event, next(numbers)), "areaId": id, **fields} for fields in area["seats"]]
        result.append({"id": id, "eventId": event, **area, "seats": seats})
    return result


def draw(total_map, areas):
    prices = sorted({area["price"] for area in areas}, reverse=True)
    colours = {price: f"hsl({round(240 * rank / len(prices))},70%,45%)" for rank, price in enumerate(prices)}
    parts = [total_map.rstrip().removesuffix("</svg>")]
    for area in areas:
        label, price = html.escape(area["label"]), f"{area['price']:,}원"
        parts.append(f"{area['areaMap']}<g fill='{colours[area['price']]}'><title>{label} {price}</title>")
        parts += (f"<circle cx='{seat['cx']}' cy='{seat['cy']}' r='4'>"
                  f"<title>{label} {seat['row']}열 {seat['number']}번 {price}</title></circle>" for seat in area["seats"])
        parts.append("</g>")
    parts += (f"<text y='{20 * line}' fill='{colours[price]}'>{price:,}원</text>" for line, price in enumerate(prices))
    return "".join([*parts, "</svg>"])


FAILURE_NAMES = {"#expires": "expiresAt", "#failures": "failures", "#clients": "clients"}


def count_attempt(failures, client):
    """Counts an attempt to log in as a failure; returns a response if there were too many."""
    now = int(time.time())
    values = {":now": now, ":one": 1}
    try:
        first = {**values, ":end": now + 900, ":clients": {client: 1}}
        dynamodb.update_item(
            TableName=TABLE, Key=failures,
            UpdateExpression="SET #expires = :end, #failures = :one, #clients = :clients",
            ConditionExpression="attribute_not_exists(#clients) OR #expires <= :now",
            ExpressionAttributeNames=FAILURE_NAMES,
            ExpressionAttributeValues={name: serialize(value) for name, value in first.items()},
        )
        return None
    except dynamodb.exceptions.ConditionalCheckFailedException:
        pass  # The window has begun earlier.
    try:
        later = {**values, ":zero": 0, ":all": 100, ":each": 10}
        dynamodb.update_item(
            TableName=TABLE, Key=failures,
            UpdateExpression="SET #failures = #failures + :one, "
                             "#clients.#client = if_not_exists(#clients.#client, :zero) + :one",
            ConditionExpression="#expires > :now AND #failures < :all AND "
                                "(attribute_not_exists(#clients.#client) OR #clients.#client < :each)",
            ExpressionAttributeNames={**FAILURE_NAMES, "#client": client},
            ExpressionAttributeValues={name: serialize(value) for name, value in later.items()},
            ReturnValuesOnConditionCheckFailure="ALL_OLD",
        )
        return None
    except dynamodb.exceptions.ConditionalCheckFailedException as error:
        expires = plain(error.response.get("Item", {})).get("expiresAt", now)
        return respond(429, **{"Retry-After": str(max(int(expires) - now, 1))})


def take_back(failures, client):
    """Takes back an attempt whose password was correct, and forgets the client's earlier failures."""
    dynamodb.update_item(
        TableName=TABLE, Key=failures,
        UpdateExpression="SET #failures = #failures - :one REMOVE #clients.#client",
        ConditionExpression="#expires > :now",
        ExpressionAttributeNames={**FAILURE_NAMES, "#client": client},
        ExpressionAttributeValues={":now": serialize(int(time.time())), ":one": serialize(1)},
    )


def verify(event, email, password):
    """Checks a password with login throttling, and returns the login item or a response."""
    pk = f"EMAIL#{fold(email)}"
    client = event["requestContext"]["identity"]["sourceIp"]
    failures = item(pk, "FAILURES")
    if failure := count_attempt(failures, client):
        return None, failure
    found = read(pk, "EMAIL")
    if not is_correct(found, password):
        return None, respond(401)
    try:
        take_back(failures, client)
    except botocore.exceptions.ClientError as error:
        print(error)
    return found, None


def is_correct(found, password):
    """Checks a password; an unknown account takes the same work."""
    try:
        return hasher.verify(found["password"] if found else UNKNOWN, password)
    except argon2.exceptions.VerificationError:
        return False


def verify_member(event, password):
    """Checks the password of the member in the path."""
    if found := read(f"MEMBER#{event['pathParameters']['memberId']}", "MEMBER"):
        return verify(event, found["email"], password)
    is_correct(None, password)
    return None, respond(401)


def member(found):
    return {name: found[name] for name in ("id", "email", "name", "nickname")}


def unchanged(found):
    """Optimistic locking: the login item is as it was read."""
    names = ("id", "name", "nickname", "password")
    return {
        "ConditionExpression": " AND ".join(f"#{name} = :{name}" for name in names),
        "ExpressionAttributeNames": {f"#{name}": name for name in names},
        "ExpressionAttributeValues": {f":{name}": serialize(found[name]) for name in names},
    }


def form(event):
    head = b"Content-Type: " + event["headers"]["Content-Type"].encode() + b"\r\n\r\n"
    message = email.message_from_bytes(head + body(event), policy=email.policy.HTTP)
    return {part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
            for part in message.iter_parts()}


def join(event):
    sent = json.loads(body(event))
    hashed = hasher.hash(sent["password"])
    member = {"id": str(uuid.uuid4()), **{name: sent[name] for name in ("email", "name", "nickname")}}
    dynamodb.transact_write_items(TransactItems=[
        put(f"EMAIL#{fold(sent['email'])}", "EMAIL", password=hashed, **member),
        put(f"NICKNAME#{fold(sent['nickname'])}", "NICKNAME", member=member["id"]),
        put(f"MEMBER#{member['id']}", "MEMBER", email=sent["email"]),
    ])
    return respond(201, member, Location=f"/api/v1/members/{member['id']}")


def login(event):
    sent = json.loads(body(event))
    found, failure = verify(event, sent["email"], sent["password"])
    return failure or respond(200, member(found))


def edit_member(event):
    sent = json.loads(body(event))
    found, failure = verify_member(event, sent["password"])
    if failure:
        return failure
    edited = {**found, "name": sent["name"]}
    dynamodb.transact_write_items(TransactItems=[
        {"Put": {"TableName": TABLE, "Item": item(**edited), **unchanged(found)}},
    ])
    return respond(200, member(edited))


def withdraw(event):
    found, failure = verify_member(event, json.loads(body(event))["password"])
    if failure:
        return failure
    dynamodb.transact_write_items(TransactItems=[
        {"Delete": {"TableName": TABLE, "Key": item(found["pk"], "EMAIL"), **unchanged(found)}},
        {"Delete": {"TableName": TABLE, "Key": item(f"NICKNAME#{fold(found['nickname'])}", "NICKNAME")}},
        {"Delete": {"TableName": TABLE, "Key": item(f"MEMBER#{found['id']}", "MEMBER")}},
    ])
    return respond(204)


def create(event):
    parts = form(event)
    sent = json.loads(parts["request"])
    id = str(uuid.uuid4())
    thumbnail = f"{id}.png"
    areas = with_ids(id, sent["areas"])
    compressed = zlib.compress(json.dumps({"totalMap": sent["totalMap"], "areas": sent["areas"]}).encode())
    chunks = [compressed[at:at + CHUNK] for at in range(0, len(compressed), CHUNK)]
    stored = {
        "id": id, "manager": event["headers"]["x-api-managerId"], "version": 0, "thumbnail": thumbnail,
        **{name: sent[name] for name in DETAILS if name in sent},
        "eventOpenTime": stored_time(sent["eventOpenTime"]),
        "ticketingOpenTime": stored_time(sent["ticketingOpenTime"]),
        "showTimes": [stored_time(show) for show in sent["eventDatetimes"]],
        "showNumbers": [FIRST_SHOW + index for index in range(len(sent["eventDatetimes"]))],
        "chunks": len(chunks), "listing": "LIVE",
    }
    store_poster(thumbnail, parts["thumbnail"])
    dynamodb.transact_write_items(TransactItems=[
        put(f"EVENT#{id}", "EVENT", **stored),
        *(put(f"EVENT#{id}", f"MAP#{index:03}", data=Binary(chunk)) for index, chunk in enumerate(chunks)),
        *locks(stored, True),
        keep_poster(thumbnail),
    ])
    data = {**summary(stored), "totalMap": sent["totalMap"], "areas": areas}
    return respond(201, data, Location=f"/api/v1/events/{id}")


def listing(event):
    limit = int((event["queryStringParameters"] or {}).get("limit", 100))
    found = dynamodb.query(
        TableName=TABLE, IndexName="listing", Limit=limit + 1, ScanIndexForward=False,
        KeyConditionExpression="#listing = :live",
        ExpressionAttributeNames={"#listing": "listing"}, ExpressionAttributeValues={":live": {"S": "LIVE"}},
    )["Items"]
    events = [plain(entry) for entry in found[:limit]]
    more = {"Link": f"</api/v1/events?limit={limit}&cursor={events[-1]['id']}>; rel=\"next\""}
    return respond(200, [summary(entry) for entry in events], **(more if len(found) > limit else {}))


def own_events(event):
    limit = int((event["queryStringParameters"] or {}).get("limit", 100))
    found = dynamodb.query(
        TableName=TABLE, IndexName="manager", ScanIndexForward=False,
        KeyConditionExpression="#manager = :manager", FilterExpression="attribute_not_exists(#expires)",
        ExpressionAttributeNames={"#manager": "manager", "#expires": "expiresAt"},
        ExpressionAttributeValues={":manager": {"S": event["headers"]["x-api-managerId"]}},
    )["Items"]
    elements = []
    for entry in map(plain, found[:limit]):
        seconds = int(entry["id"].replace("-", "")[:12], 16) / 1000
        registered = time_text(datetime.fromtimestamp(seconds, timezone.utc))
        elements.append({**summary(entry), "status": "LIVE", "registeredAt": registered})
    last = plain(found[limit - 1])["id"] if len(found) > limit else None
    more = {"Link": f"</api/v1/managers/me/events?limit={limit}&cursor={last}>; rel=\"next\""} if last else {}
    return respond(200, elements, **more)


def get(event):
    return respond(200, summary(live(event)))


def detail(event):
    found, seats = hall(event)
    return respond(200, {**summary(found), **seats, "areas": with_ids(found["id"], seats["areas"])})


def seat_map(event):
    _, seats = hall(event)
    headers = {
        "Content-Type": "image/svg+xml", "Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }
    return {"statusCode": 200, "headers": headers, "body": draw(seats["totalMap"], seats["areas"])}


def edit_event(event):
    """Edits an event; the benchmark changes no times, and neither title nor place, so the locks stay."""
    found = live(event)
    changes = json.loads(body(event))
    dynamodb.transact_write_items(TransactItems=[edit(found, **changes)])
    return respond(200, summary({**found, **changes}))


def replace_thumbnail(event):
    content = form(event)["thumbnail"]
    thumbnail = f"{live(event)['id']}-{uuid.uuid4()}.png"
    store_poster(thumbnail, content)
    found = live(event)
    expired = {"Put": {"TableName": TABLE, "Item": expiry(found["thumbnail"], 86_400)}}
    dynamodb.transact_write_items(TransactItems=[edit(found, thumbnail=thumbnail), keep_poster(thumbnail), expired])
    return respond(200, summary({**found, "thumbnail": thumbnail}))


def delete(event):
    found = live(event)
    at = {":at": serialize(int(time.time()) + 30 * 86_400)}
    pk = f"EVENT#{found['id']}"
    unlist = {"Update": {
        "TableName": TABLE, "Key": item(pk, "EVENT"),
        "UpdateExpression": "SET #expires = :at REMOVE #listing",
        "ConditionExpression": "#version = :version AND attribute_exists(#listing)",
        "ExpressionAttributeNames": {"#expires": "expiresAt", "#listing": "listing", "#version": "version"},
        "ExpressionAttributeValues": {**at, ":version": serialize(found["version"])},
    }}
    expire = [{"Update": {
        "TableName": TABLE, "Key": item(pk, f"MAP#{index:03}"),
        "UpdateExpression": "SET #expires = :at",
        "ExpressionAttributeNames": {"#expires": "expiresAt"},
        "ExpressionAttributeValues": at,
    }} for index in range(int(found["chunks"]))]
    expired = {"Put": {"TableName": TABLE, "Item": expiry(found["thumbnail"], 30 * 86_400)}}
    dynamodb.transact_write_items(TransactItems=[unlist, *expire, *locks(found, False), expired])
    return respond(204)


def restore(event):
    id = event["pathParameters"]["eventId"]
    pk = f"EVENT#{id}"
    found = read(pk, "EVENT")
    existing = {"TableName": TABLE, "ConditionExpression": "attribute_exists(#pk)"}
    relist = {"Update": {
        "TableName": TABLE, "Key": item(pk, "EVENT"),
        "UpdateExpression": "SET #listing = :live REMOVE #expires",
        "ConditionExpression": "#version = :version AND attribute_not_exists(#listing) AND #expires > :now",
        "ExpressionAttributeNames": {"#expires": "expiresAt", "#listing": "listing", "#version": "version"},
        "ExpressionAttributeValues": {
            ":live": serialize("LIVE"), ":version": serialize(found["version"]), ":now": serialize(int(time.time())),
        },
    }}
    keep = [{"Update": {
        **existing, "Key": item(pk, f"MAP#{index:03}"),
        "UpdateExpression": "REMOVE #expires",
        "ExpressionAttributeNames": {"#pk": "pk", "#expires": "expiresAt"},
    }} for index in range(int(found["chunks"]))]
    kept = keep_poster(found["thumbnail"])
    dynamodb.transact_write_items(TransactItems=[relist, *keep, kept, *locks(found, True)])
    return respond(200, summary(found))


handle = {
    "members-join": join, "members-login": login, "members-edit": edit_member, "members-withdraw": withdraw,
    "events-create": create, "events-list": listing, "events-get": get, "events-detail": detail,
    "events-seat-map": seat_map, "events-edit": edit_event, "events-thumbnail": replace_thumbnail,
    "events-delete": delete, "events-restore": restore,
    "managers-events": own_events,
}[FUNCTION]

# The Runtime API

connection = http.client.HTTPConnection(os.environ["AWS_LAMBDA_RUNTIME_API"])


def call(method, path, content=None):
    connection.request(method, f"/2018-06-01/runtime/{path}", content)
    response = connection.getresponse()
    return response.headers, response.read()


while True:
    headers, content = call("GET", "invocation/next")
    request = "invocation/" + headers["Lambda-Runtime-Aws-Request-Id"]
    try:
        response = json.dumps(handle(json.loads(content)))
        call("POST", f"{request}/response", response.encode())
    except Exception as error:
        failure = {"errorMessage": repr(error), "errorType": type(error).__name__}
        call("POST", f"{request}/error", json.dumps(failure).encode())
