"""The service's requests in short but fair Python: boto3, argon2-cffi and the standard library."""

import base64, email, email.policy, hashlib, html, http.client, json, os, re, time, unicodedata, uuid, zlib
from datetime import datetime, timezone
from decimal import Decimal

import argon2
import boto3
from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer

FUNCTION = os.environ["AWS_LAMBDA_FUNCTION_NAME"]
TABLE = os.environ["TABLE_NAME"]
BUCKET = os.environ["BUCKET_NAME"]
CHUNK = 390_000

memory, rounds, lanes = map(int, re.findall(r"=(\d+)", os.environ["ARGON2_PARAMS"]))
hasher = argon2.PasswordHasher(time_cost=rounds, memory_cost=memory, parallelism=lanes)
UNKNOWN = f"$argon2id$v=19$m={memory},t={rounds},p={lanes}${'A' * 22}${'A' * 43}"
dynamodb = boto3.client("dynamodb")
s3 = boto3.client("s3") if FUNCTION in ("events-create", "events-thumbnail") else None
serialize, deserialize = TypeSerializer().serialize, TypeDeserializer().deserialize


def respond(status, data=None, **headers):
    body = {"message": "요청이 처리되었습니다.", "code": "0", "data": data}
    headers = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*", **headers}
    return {"statusCode": status, "headers": headers, "body": json.dumps(body, ensure_ascii=False, default=float)}


def respond_with_json(text, **headers):
    """Sends stored JSON unchanged, as the function does."""
    headers = {"Content-Type": "application/json", "Access-Control-Allow-Origin": "*", **headers}
    return {"statusCode": 200, "headers": headers,
            "body": f'{{"message":"요청이 처리되었습니다.","code":"0","data":{text}}}'}


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


def lock_partition(title, place):
    digest = hashlib.sha256("\n".join([fold(title), fold(place)]).encode()).digest()
    return "SHOW#" + base64.urlsafe_b64encode(digest).decode().rstrip("=")


def lock_item(show):
    return f"SHOW#{((int(show[:4]) - 1970) * 12 + int(show[5:7]) - 1) % 24:02}"


def locks(partition, shows, id=None):
    updates = []
    for sk in sorted({lock_item(show) for show in shows}):
        names = {f"#{index}": show for index, show in enumerate(shows) if lock_item(show) == sk}
        update = {"TableName": TABLE, "Key": item(partition, sk), "ExpressionAttributeNames": names}
        if id is None:
            update["UpdateExpression"] = "REMOVE " + ", ".join(names)
        else:
            update["UpdateExpression"] = "SET " + ", ".join(f"{name} = :event" for name in names)
            update["ConditionExpression"] = " AND ".join(f"attribute_not_exists({name})" for name in names)
            update["ExpressionAttributeValues"] = {":event": {"S": id}}
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


def replace_summary(found, summary):
    values = {
        ":summary": json.dumps(summary, ensure_ascii=False), ":version": found["version"], ":new": found["version"] + 1,
    }
    return {"Update": {
        "TableName": TABLE, "Key": item(f"EVENT#{found['id']}", "EVENT"),
        "UpdateExpression": "SET #summary = :summary, #version = :new",
        "ConditionExpression": "attribute_exists(#listing) AND #version = :version",
        "ExpressionAttributeNames": {"#summary": "summary", "#version": "version", "#listing": "listing"},
        "ExpressionAttributeValues": {name: serialize(value) for name, value in values.items()},
    }}


def instant(value):
    when = datetime.fromisoformat(value) if isinstance(value, str) else datetime.fromtimestamp(value, timezone.utc)
    return when.astimezone(timezone.utc).isoformat()


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
    return id, stored["summary"], json.loads(zlib.decompress(compressed))


def with_ids(event, areas):
    """Adds ids that are derived like those of the function."""
    result = []
    for index, area in enumerate(areas):
        id = uuid.uuid5(uuid.UUID(event), f"area/{index}")
        seats = [{"id": str(uuid.uuid5(id, f"seat/{seat}")), "areaId": str(id), **fields}
                 for seat, fields in enumerate(area["seats"])]
        result.append({"id": str(id), "eventId": event, **area, "seats": seats})
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


def count_failure(pk, sk):
    """Counts a failed login in a window of 15 minutes."""
    now = int(time.time())
    update = {
        "TableName": TABLE, "Key": item(pk, sk),
        "ExpressionAttributeNames": {"#expires": "expiresAt", "#failures": "failures"},
        "ExpressionAttributeValues": {":now": serialize(now), ":end": serialize(now + 900), ":one": serialize(1)},
    }
    try:
        dynamodb.update_item(
            **update, UpdateExpression="SET #expires = if_not_exists(#expires, :end) ADD #failures :one",
            ConditionExpression="attribute_not_exists(#expires) OR #expires > :now",
        )
    except dynamodb.exceptions.ConditionalCheckFailedException:
        dynamodb.update_item(
            **update, UpdateExpression="SET #expires = :end, #failures = :one",
            ConditionExpression="#expires <= :now",
        )


def verify(event, pk, password):
    """Checks a password with login throttling, and returns the login item or a response."""
    client = f"FAILURES#{event['requestContext']['identity']['sourceIp']}"
    keys = [item(pk, sk) for sk in ("EMAIL", client, "FAILURES")]
    stored = dynamodb.batch_get_item(RequestItems={TABLE: {"Keys": keys, "ConsistentRead": True}})["Responses"][TABLE]
    items = {entry["sk"]: entry for entry in map(plain, stored)}
    now = time.time()
    for sk, limit in ((client, 10), ("FAILURES", 100)):
        counter = items.get(sk)
        if counter and counter["expiresAt"] > now and counter["failures"] >= limit:
            return None, respond(429, **{"Retry-After": str(int(counter["expiresAt"]) - int(now))})
    # An unknown account takes the same work.
    found = items.get("EMAIL", {"password": UNKNOWN})
    try:
        hasher.verify(found["password"], password)
    except argon2.exceptions.VerificationError:
        count_failure(pk, client)
        count_failure(pk, "FAILURES")
        return None, respond(401)
    return found, None


def verify_member(event, password):
    """Checks the password of the member in the path."""
    pk = f"MEMBER#{event['pathParameters']['memberId']}"
    found = read(pk, "MEMBER")
    return verify(event, f"EMAIL#{fold(found['email'])}" if found else pk, password)


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
        put(f"MEMBER#{member['id']}", "MEMBER", **member),
    ])
    return respond(201, member, Location=f"/api/v1/members/{member['id']}")


def login(event):
    sent = json.loads(body(event))
    found, failure = verify(event, f"EMAIL#{fold(sent['email'])}", sent["password"])
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
    shows = [instant(value) for value in sent["eventDatetimes"]]
    areas = with_ids(id, sent["areas"])
    compressed = zlib.compress(json.dumps({"totalMap": sent["totalMap"], "areas": sent["areas"]}).encode())
    chunks = [compressed[at:at + CHUNK] for at in range(0, len(compressed), CHUNK)]
    summary = {
        "id": id, **{name: sent[name] for name in ("title", "description", "place", "artist")}, "thumbnail": thumbnail,
        "eventDatetimes": [{"id": str(uuid.uuid4()), "datetime": show} for show in shows],
        "eventOpenTime": instant(sent["eventOpenTime"]), "ticketingOpenTime": instant(sent["ticketingOpenTime"]),
    }
    partition = lock_partition(sent["title"], sent["place"])
    stored = {
        "id": id, "summary": json.dumps(summary, ensure_ascii=False), "manager": event["headers"]["x-api-managerId"],
        "chunks": Decimal(len(chunks)), "locks": partition, "version": Decimal(0), "listing": "LIVE",
    }
    store_poster(thumbnail, parts["thumbnail"])
    dynamodb.transact_write_items(TransactItems=[
        put(f"EVENT#{id}", "EVENT", **stored),
        *(put(f"EVENT#{id}", f"MAP#{index:03}", data=Binary(chunk)) for index, chunk in enumerate(chunks)),
        *locks(partition, shows, id),
        keep_poster(thumbnail),
    ])
    data = {**summary, "totalMap": sent["totalMap"], "areas": areas}
    return respond(201, data, Location=f"/api/v1/events/{id}")


def listing(event):
    limit = int((event["queryStringParameters"] or {}).get("limit", 100))
    found = dynamodb.query(
        TableName=TABLE, IndexName="listing", Limit=limit + 1, ScanIndexForward=False,
        KeyConditionExpression="#listing = :live", ProjectionExpression="#id, #summary",
        ExpressionAttributeNames={"#listing": "listing", "#id": "id", "#summary": "summary"},
        ExpressionAttributeValues={":live": {"S": "LIVE"}},
    )["Items"]
    events = [plain(entry) for entry in found[:limit]]
    more = {"Link": f"</api/v1/events?limit={limit}&cursor={events[-1]['id']}>; rel=\"next\""}
    summaries = ",".join(event["summary"] for event in events)
    return respond_with_json(f"[{summaries}]", **(more if len(found) > limit else {}))


def own_events(event):
    limit = int((event["queryStringParameters"] or {}).get("limit", 100))
    found = dynamodb.query(
        TableName=TABLE, IndexName="manager", ScanIndexForward=False,
        KeyConditionExpression="#manager = :manager", FilterExpression="attribute_not_exists(#expires)",
        ProjectionExpression="#id, #summary",
        ExpressionAttributeNames={"#manager": "manager", "#expires": "expiresAt", "#id": "id", "#summary": "summary"},
        ExpressionAttributeValues={":manager": {"S": event["headers"]["x-api-managerId"]}},
    )["Items"]
    elements = []
    for entry in map(plain, found[:limit]):
        seconds = int(entry["id"].replace("-", "")[:12], 16) / 1000
        registered = datetime.fromtimestamp(seconds, timezone.utc).isoformat(timespec="milliseconds")[:23] + "Z"
        elements.append(f'{entry["summary"][:-1]},"status":"LIVE","registeredAt":"{registered}"}}')
    last = plain(found[limit - 1])["id"] if len(found) > limit else None
    more = {"Link": f"</api/v1/managers/me/events?limit={limit}&cursor={last}>; rel=\"next\""} if last else {}
    return respond_with_json(f"[{','.join(elements)}]", **more)


def get(event):
    return respond_with_json(live(event)["summary"])


def detail(event):
    id, summary, stored = hall(event)
    rest = {"totalMap": stored["totalMap"], "areas": with_ids(id, stored["areas"])}
    return respond_with_json(f"{summary[:-1]},{json.dumps(rest, ensure_ascii=False)[1:]}")


def seat_map(event):
    _, _, stored = hall(event)
    headers = {
        "Content-Type": "image/svg+xml", "Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff",
        "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    }
    return {"statusCode": 200, "headers": headers, "body": draw(stored["totalMap"], stored["areas"])}


def edit(event):
    """Edits an event; the benchmark moves no shows."""
    found = live(event)
    edited = {**json.loads(found["summary"]), **json.loads(body(event))}
    dynamodb.transact_write_items(TransactItems=[replace_summary(found, edited)])
    return respond(200, edited)


def replace_thumbnail(event):
    content = form(event)["thumbnail"]
    thumbnail = f"{live(event)['id']}-{uuid.uuid4()}.png"
    store_poster(thumbnail, content)
    found = live(event)
    summary = json.loads(found["summary"])
    edited = {**summary, "thumbnail": thumbnail}
    expired = {"Put": {"TableName": TABLE, "Item": expiry(summary["thumbnail"], 86_400)}}
    dynamodb.transact_write_items(TransactItems=[replace_summary(found, edited), keep_poster(thumbnail), expired])
    return respond(200, edited)


def delete(event):
    found = live(event)
    at = {":at": {"N": str(int(time.time()) + 30 * 86_400)}}
    pk = f"EVENT#{found['id']}"
    unlist = {"Update": {
        "TableName": TABLE, "Key": item(pk, "EVENT"),
        "UpdateExpression": "SET #expires = :at REMOVE #listing",
        "ConditionExpression": "attribute_exists(#listing)",
        "ExpressionAttributeNames": {"#expires": "expiresAt", "#listing": "listing"},
        "ExpressionAttributeValues": at,
    }}
    expire = [{"Update": {
        "TableName": TABLE, "Key": item(pk, f"MAP#{index:03}"),
        "UpdateExpression": "SET #expires = :at",
        "ExpressionAttributeNames": {"#expires": "expiresAt"},
        "ExpressionAttributeValues": at,
    }} for index in range(int(found["chunks"]))]
    summary = json.loads(found["summary"])
    free = locks(found["locks"], [show["datetime"] for show in summary["eventDatetimes"]])
    expired = {"Put": {"TableName": TABLE, "Item": expiry(summary["thumbnail"], 30 * 86_400)}}
    dynamodb.transact_write_items(TransactItems=[unlist, *expire, *free, expired])
    return respond(204)


def restore(event):
    id = event["pathParameters"]["eventId"]
    pk = f"EVENT#{id}"
    found = read(pk, "EVENT")
    existing = {"TableName": TABLE, "ConditionExpression": "attribute_exists(#pk)"}
    relist = {"Update": {
        "TableName": TABLE, "Key": item(pk, "EVENT"),
        "UpdateExpression": "SET #listing = :live REMOVE #expires",
        "ConditionExpression": "attribute_not_exists(#listing) AND #expires > :now",
        "ExpressionAttributeNames": {"#expires": "expiresAt", "#listing": "listing"},
        "ExpressionAttributeValues": {":live": {"S": "LIVE"}, ":now": {"N": str(int(time.time()))}},
    }}
    keep = [{"Update": {
        **existing, "Key": item(pk, f"MAP#{index:03}"),
        "UpdateExpression": "REMOVE #expires",
        "ExpressionAttributeNames": {"#pk": "pk", "#expires": "expiresAt"},
    }} for index in range(int(found["chunks"]))]
    summary = json.loads(found["summary"])
    kept = keep_poster(summary["thumbnail"])
    lock = locks(found["locks"], [show["datetime"] for show in summary["eventDatetimes"]], id)
    dynamodb.transact_write_items(TransactItems=[relist, *keep, kept, *lock])
    return respond_with_json(found["summary"])


handle = {
    "members-join": join, "members-login": login, "members-edit": edit_member, "members-withdraw": withdraw,
    "events-create": create, "events-list": listing, "events-get": get, "events-detail": detail,
    "events-seat-map": seat_map, "events-edit": edit, "events-thumbnail": replace_thumbnail,
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
