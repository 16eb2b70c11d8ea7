"""Five of the service's requests in short but fair Python. See the comment in ../node/index.mjs."""

import base64, email, email.policy, hashlib, http.client, itertools, json, os, time, unicodedata, uuid, zlib
from datetime import datetime, timezone

import argon2, boto3
from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer

FUNCTION, TABLE = os.environ["AWS_LAMBDA_FUNCTION_NAME"], os.environ["TABLE_NAME"]
CHUNK = 390_000
FIRST_SEAT, FIRST_SHOW = 2**30, 2**31
DETAILS = ("title", "description", "place", "artist", "genre", "ageRating", "runningMinutes", "address",
           "ticketingCloseMinutes", "maxSeats")
NEW = {"ConditionExpression": "attribute_not_exists(pk)"}

hasher = argon2.PasswordHasher()
dynamodb = boto3.client("dynamodb")
s3 = boto3.client("s3") if FUNCTION == "events-create" else None
serialize, deserialize = TypeSerializer().serialize, TypeDeserializer().deserialize


def respond(status, data=None, **headers):
    body = {"message": "요청이 처리되었습니다.", "code": "0", "data": data}
    headers = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*", **headers}
    return {"statusCode": status, "headers": headers, "body": json.dumps(body, ensure_ascii=False, default=int)}


def body(event):
    return base64.b64decode(event["body"]) if event["isBase64Encoded"] else event["body"].encode()


def header(event, name):
    return event["multiValueHeaders"][name][0]


def fold(text):
    return unicodedata.normalize("NFKC", text).casefold()


# DynamoDB


def marshal(attributes):
    return {name: serialize(value) for name, value in attributes.items()}


def plain(found):
    return {name: deserialize(value) for name, value in found.items()}


def item(pk, sk, **attributes):
    return marshal({"pk": pk, "sk": sk, **attributes})


def put(pk, sk, **attributes):
    return {"Put": {"TableName": TABLE, "Item": item(pk, sk, **attributes), **NEW}}


def update(key, expression, condition, values, names=None):
    names = {"ExpressionAttributeNames": names} if names else {}
    return {"TableName": TABLE, "Key": key, "UpdateExpression": expression, "ConditionExpression": condition,
            "ExpressionAttributeValues": marshal(values), **names}


def read(pk, sk):
    return plain(dynamodb.get_item(TableName=TABLE, Key=item(pk, sk), ConsistentRead=True)["Item"])


def query(condition, values, **options):
    found = dynamodb.query(TableName=TABLE, KeyConditionExpression=condition,
                           ExpressionAttributeValues=marshal(values), **options)
    return [plain(entry) for entry in found["Items"]]


# Events


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


def locks(event):
    """Locks the shows of an event in an item of its title and place for each month."""
    words = (" ".join(fold(event[name]).split()) for name in ("title", "place"))
    digest = base64.urlsafe_b64encode(hashlib.sha256("\n".join(words).encode()).digest()).decode().rstrip("=")
    shows = [read_time(show) for show in event["showTimes"]]
    for sk in sorted({lock_item(show) for show in shows}):
        names = {f"#{index}": show for index, show in enumerate(shows) if lock_item(show) == sk}
        expression = "SET " + ", ".join(f"{name} = :event" for name in names)
        condition = " AND ".join(f"attribute_not_exists({name})" for name in names)
        yield {"Update": update(item(f"SHOW#{digest}", sk), expression, condition, {":event": event["id"]}, names)}


def store_poster(thumbnail, content):
    expiry = item(f"POSTER#{thumbnail}", "POSTER", expiresAt=int(time.time()) + 3_600)
    dynamodb.put_item(TableName=TABLE, Item=expiry, **NEW)
    s3.put_object(Bucket=os.environ["BUCKET_NAME"], Key=f"upload/{thumbnail}", Body=content, ContentType="image/png",
                  CacheControl="public, max-age=31536000, immutable")


def keep_poster(thumbnail):
    key = item(f"POSTER#{thumbnail}", "POSTER")
    return {"Delete": {"TableName": TABLE, "Key": key, "ConditionExpression": "attribute_exists(pk)"}}


def with_ids(event, areas):
    numbers = itertools.count(FIRST_SEAT)
    for index, area in enumerate(areas):
        id = part_id(event, index)
        seats = [{"id": part_id(event, next(numbers)), "areaId": id, **fields} for fields in area["seats"]]
        yield {"id": id, "eventId": event, **area, "seats": seats}


def form(event):
    head = b"Content-Type: " + header(event, "Content-Type").encode() + b"\r\n\r\n"
    message = email.message_from_bytes(head + body(event), policy=email.policy.HTTP)
    return {part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
            for part in message.iter_parts()}


# Requests


def login(event):
    """Counts the attempt as a failure, reads the login item, and takes the failure back if the password is correct."""
    sent, client, now = json.loads(body(event)), event["requestContext"]["identity"]["sourceIp"], int(time.time())
    pk = f"EMAIL#{fold(sent['email'])}"
    failures, values = item(pk, "FAILURES"), {":now": now, ":one": 1}
    dynamodb.update_item(**update(
        failures, "SET expiresAt = :end, failures = :one, clients = :clients",
        "attribute_not_exists(clients) OR expiresAt <= :now", {**values, ":end": now + 900, ":clients": {client: 1}},
    ))
    found = read(pk, "EMAIL")
    try:
        hasher.verify(found["password"], sent["password"])
    except argon2.exceptions.VerificationError:
        return respond(401)
    expression = "SET failures = failures - :one REMOVE clients.#client"
    dynamodb.update_item(**update(failures, expression, "expiresAt > :now", values, {"#client": client}))
    return respond(200, {name: found[name] for name in ("id", "email", "name", "nickname")})


def create(event):
    parts = form(event)
    sent = json.loads(parts["request"])
    id = str(uuid.uuid4())
    hall = {"totalMap": sent["totalMap"], "areas": sent["areas"]}
    compressed = zlib.compress(json.dumps(hall).encode())
    chunks = [compressed[at:at + CHUNK] for at in range(0, len(compressed), CHUNK)]
    created = {
        "id": id, "manager": header(event, "x-api-managerId"), "version": 0, "thumbnail": f"{id}.png",
        **{name: sent[name] for name in DETAILS if name in sent},
        **{name: stored_time(sent[name]) for name in ("eventOpenTime", "ticketingOpenTime")},
        "showTimes": [stored_time(show) for show in sent["eventDatetimes"]],
        "showNumbers": [FIRST_SHOW + index for index in range(len(sent["eventDatetimes"]))],
        "chunks": len(chunks), "listing": "LIVE",
    }
    store_poster(created["thumbnail"], parts["thumbnail"])
    dynamodb.transact_write_items(TransactItems=[
        put(f"EVENT#{id}", "EVENT", **created),
        *(put(f"EVENT#{id}", f"MAP#{index:03}", data=Binary(chunk)) for index, chunk in enumerate(chunks)),
        *locks(created),
        keep_poster(created["thumbnail"]),
    ])
    data = {**summary(created), **hall, "areas": list(with_ids(id, sent["areas"]))}
    return respond(201, data, Location=f"/api/v1/events/{id}")


def listing(event):
    """Reads a page of the list, newest first."""
    limit = int((event.get("multiValueQueryStringParameters") or {}).get("limit", [100])[0])
    found = query("listing = :value", {":value": "LIVE"}, IndexName="listing", Limit=limit + 1, ScanIndexForward=False)
    events = found[:limit]
    link = f"</api/v1/events?limit={limit}&cursor={events[-1]['id']}>; rel=\"next\""
    return respond(200, [summary(entry) for entry in events], **({"Link": link} if len(found) > limit else {}))


def get(event):
    found = read(f"EVENT#{event['pathParameters']['eventId']}", "EVENT")
    if "listing" not in found:
        raise LookupError("no such event")
    return respond(200, summary(found))


def detail(event):
    """Reads the event, then its chunks. Only here, halls of peers have a prefix of their own."""
    found, *chunks = query("pk = :pk", {":pk": f"PEER#{event['pathParameters']['eventId']}"}, ConsistentRead=True)
    seats = json.loads(zlib.decompress(b"".join(chunk["data"].value for chunk in chunks)))
    return respond(200, {**summary(found), **seats, "areas": list(with_ids(found["id"], seats["areas"]))})


handle = {
    "members-login": login, "events-create": create, "events-list": listing, "events-get": get,
    "events-detail": detail,
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
        call("POST", f"{request}/response", json.dumps(handle(json.loads(content))).encode())
    except Exception as error:
        failure = {"errorMessage": repr(error), "errorType": type(error).__name__}
        call("POST", f"{request}/error", json.dumps(failure).encode())
