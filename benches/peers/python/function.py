"""The service's requests in short but fair Python; the comment in ../node/index.mjs says what they leave out."""

import base64, email, email.policy, hashlib, hmac, html, http.client, itertools, json, os, re, struct, sys, time, unicodedata, uuid, zlib
from datetime import datetime, timezone

import argon2, boto3
from boto3.dynamodb.types import Binary, TypeDeserializer, TypeSerializer

FUNCTION, TABLE = os.environ["AWS_LAMBDA_FUNCTION_NAME"], os.environ["TABLE_NAME"]
CHUNK = 390_000
FIRST_SEAT, FIRST_SHOW = 2**30, 2**31
DETAILS = ("title", "description", "place", "artist", "genre", "ageRating", "runningMinutes", "address")
NEW = {"ConditionExpression": "attribute_not_exists(pk)"}

memory, rounds, lanes = map(int, re.findall(r"=(\d+)", os.environ["ARGON2_PARAMS"]))
hasher = argon2.PasswordHasher(time_cost=rounds, memory_cost=memory, parallelism=lanes)
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


# DynamoDB


def marshal(attributes):
    return {name: serialize(value) for name, value in attributes.items()}


def plain(found):
    return {name: deserialize(value) for name, value in found.items()}


def item(pk, sk, **attributes):
    return marshal({"pk": pk, "sk": sk, **attributes})


def put(pk, sk, **attributes):
    return {"Put": {"TableName": TABLE, "Item": item(pk, sk, **attributes), **NEW}}


def update(key, expression, condition=None, values=None, names=None):
    optional = {
        "ConditionExpression": condition, "ExpressionAttributeNames": names,
        "ExpressionAttributeValues": values and marshal(values),
    }
    return {"TableName": TABLE, "Key": key, "UpdateExpression": expression,
            **{name: value for name, value in optional.items() if value}}


def remove(key, condition={}):
    return {"Delete": {"TableName": TABLE, "Key": key, **condition}}


def transact(*writes):
    dynamodb.transact_write_items(TransactItems=writes)


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


def locks(event, is_locked):
    """Locks the shows of an event, or unlocks them, in an item of its title and place for each month."""
    words = (" ".join(fold(event[name]).split()) for name in ("title", "place"))
    digest = base64.urlsafe_b64encode(hashlib.sha256("\n".join(words).encode()).digest()).decode().rstrip("=")
    shows = [read_time(show) for show in event["showTimes"]]
    for sk in sorted({lock_item(show) for show in shows}):
        names = {f"#{index}": show for index, show in enumerate(shows) if lock_item(show) == sk}
        key = item(f"SHOW#{digest}", sk)
        if is_locked:
            expression = "SET " + ", ".join(f"{name} = :event" for name in names)
            condition = " AND ".join(f"attribute_not_exists({name})" for name in names)
            yield {"Update": update(key, expression, condition, {":event": event["id"]}, names)}
        else:
            yield {"Update": update(key, "REMOVE " + ", ".join(names), names=names)}


def change(found, removed=None, **changes):
    """Replaces attributes of an event, if nothing else has changed it since it was read."""
    values = {**{f":{name}": value for name, value in changes.items()}, ":read": found["version"]}
    expression = "SET " + ", ".join(f"#{name} = :{name}" for name in changes)
    condition = "version = :read AND attribute_exists(listing)"
    if "listing" not in found:
        condition = "version = :read AND attribute_not_exists(listing) AND expiresAt > :now"
        values[":now"] = int(time.time())
    names = {f"#{name}": name for name in changes}
    expression += f" REMOVE {removed}" if removed else ""
    return {"Update": update(item(f"EVENT#{found['id']}", "EVENT"), expression, condition, values, names)}


def chunk_keys(found):
    return [item(f"EVENT#{found['id']}", f"MAP#{index:03}") for index in range(int(found["chunks"]))]


def expiry(thumbnail, seconds):
    return item(f"POSTER#{thumbnail}", "POSTER", expiresAt=int(time.time()) + seconds)


def expire(thumbnail, seconds):
    return {"Put": {"TableName": TABLE, "Item": expiry(thumbnail, seconds)}}


def store_poster(thumbnail, content):
    dynamodb.put_item(TableName=TABLE, Item=expiry(thumbnail, 3_600), **NEW)
    s3.put_object(Bucket=os.environ["BUCKET_NAME"], Key=f"upload/{thumbnail}", Body=content, ContentType="image/png",
                  CacheControl="public, max-age=31536000, immutable")


def keep_poster(thumbnail):
    return remove(item(f"POSTER#{thumbnail}", "POSTER"), {"ConditionExpression": "attribute_exists(pk)"})


def live(event):
    found = read(f"EVENT#{event['pathParameters']['eventId']}", "EVENT")
    if "listing" not in found:
        raise LookupError("no such event")
    return found


def page(event, path, index, values, **options):
    """Reads a page of an index, newest first."""
    limit = int((event["queryStringParameters"] or {}).get("limit", 100))
    found = query(f"{index} = :value", values, IndexName=index, Limit=limit + 1, ScanIndexForward=False, **options)
    events = found[:limit]
    more = {"Link": f"<{path}?limit={limit}&cursor={events[-1]['id']}>; rel=\"next\""} if len(found) > limit else {}
    return events, more


def hall(event):
    """Reads a hall with one query: the event, then its chunks. Only here, halls of peers have a prefix of their own."""
    found, *chunks = query("pk = :pk", {":pk": f"PEER#{event['pathParameters']['eventId']}"}, ConsistentRead=True)
    return found, json.loads(zlib.decompress(b"".join(chunk["data"].value for chunk in chunks)))


def with_ids(event, areas):
    numbers = itertools.count(FIRST_SEAT)
    for index, area in enumerate(areas):
        id = part_id(event, index)
        seats = [{"id": part_id(event, next(numbers)), "areaId": id, **fields} for fields in area["seats"]]
        yield {"id": id, "eventId": event, **area, "seats": seats}


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


def form(event):
    head = b"Content-Type: " + event["headers"]["Content-Type"].encode() + b"\r\n\r\n"
    message = email.message_from_bytes(head + body(event), policy=email.policy.HTTP)
    return {part.get_param("name", header="content-disposition"): part.get_payload(decode=True)
            for part in message.iter_parts()}


# Members


def verify(event, email, password):
    """Counts the attempt as a failure, reads the login item, and takes the failure back if the password is correct."""
    pk, client, now = f"EMAIL#{fold(email)}", event["requestContext"]["identity"]["sourceIp"], int(time.time())
    failures, values = item(pk, "FAILURES"), {":now": now, ":one": 1}
    dynamodb.update_item(**update(
        failures, "SET expiresAt = :end, failures = :one, clients = :clients",
        "attribute_not_exists(clients) OR expiresAt <= :now", {**values, ":end": now + 900, ":clients": {client: 1}},
    ))
    found = read(pk, "EMAIL")
    try:
        hasher.verify(found["password"], password)
    except argon2.exceptions.VerificationError:
        return None
    expression = "SET failures = failures - :one REMOVE clients.#client"
    dynamodb.update_item(**update(failures, expression, "expiresAt > :now", values, {"#client": client}))
    return found


def verify_member(event, password):
    return verify(event, read(f"MEMBER#{event['pathParameters']['memberId']}", "MEMBER")["email"], password)


def member(found):
    return {name: found[name] for name in ("id", "email", "name", "nickname")}


def unchanged(found):
    """Optimistic locking: the login item is as it was read."""
    names = ("id", "name", "nickname", "password")
    return {
        "ConditionExpression": "id = :id AND #name = :name AND nickname = :nickname AND #password = :password",
        "ExpressionAttributeNames": {"#name": "name", "#password": "password"},
        "ExpressionAttributeValues": {f":{name}": serialize(found[name]) for name in names},
    }


# Sessions

SECRET, AUDIENCE = os.environ["SESSION_SECRET"].encode(), os.environ["MEMBER_AUDIENCE"]
LIFETIME = int(os.environ["ACCESS_TOKEN_SECONDS"])
TWO_WEEKS = 14 * 86_400
public_keys = {}
# Other functions start faster without these.
VERIFIERS = ("members-get", "members-nickname", "holds-create", "holds-get", "holds-release")
if FUNCTION.startswith("auth-") or FUNCTION in VERIFIERS:
    import jwt
if FUNCTION.startswith("auth-"):
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.asymmetric import ec
    from cryptography.hazmat.primitives.kdf.hkdf import HKDF

    refresh_key = HKDF(hashes.SHA256(), 64, None, b"refresh tokens").derive(SECRET)
    signing_key = ec.generate_private_key(ec.SECP256R1())


def refresh_token(session, generation):
    message = session.bytes + generation.to_bytes(4, "big")
    tag = hmac.digest(refresh_key, message, "sha256")
    return base64.urlsafe_b64encode(message + tag).decode().rstrip("=")


def read_refresh_token(event):
    content = base64.urlsafe_b64decode(json.loads(body(event))["refreshToken"] + "==")
    if not hmac.compare_digest(content[20:], hmac.digest(refresh_key, content[:20], "sha256")):
        raise LookupError("invalid token")
    return uuid.UUID(bytes=content[:16]), int.from_bytes(content[16:20], "big")


def tokens(event, member, session, generation):
    now = int(time.time())
    claims = {"iss": event["stageVariables"]["baseUrl"], "aud": AUDIENCE, "sub": member, "client_id": "members",
              "iat": now, "exp": now + LIFETIME, "jti": str(uuid.uuid4())}
    access = jwt.encode(claims, signing_key, "ES256", {"typ": "at+jwt", "kid": "key"})
    return respond(200, {"accessToken": access, "tokenType": "Bearer", "expiresIn": LIFETIME,
                         "refreshToken": refresh_token(session, generation)})


def token_member(event):
    """Returns the id of the member whose access token it is."""
    token = event["headers"]["Authorization"].removeprefix("Bearer ")
    header = jwt.get_unverified_header(token)
    if header["kid"] not in public_keys:
        found = read("SIGNING_KEY#1", "SIGNING_KEY")
        public_keys[header["kid"]] = jwt.PyJWK({"kty": "EC", "crv": "P-256", "x": found["x"], "y": found["y"]}, "ES256")
    claims = jwt.decode(token, public_keys[header["kid"]], ["ES256"], audience=AUDIENCE,
                        issuer=event["stageVariables"]["baseUrl"])
    if header["typ"] != "at+jwt":
        raise LookupError("another token")
    return claims["sub"]


def authenticated(event):
    """Returns the login item of the member whose access token it is."""
    id = token_member(event)
    if id != event["pathParameters"]["memberId"]:
        raise LookupError("another member")
    found = read(f"MEMBER#{id}", "MEMBER")
    return read(f"EMAIL#{fold(found['email'])}", "EMAIL")


# Seats of a show

FREE = "(attribute_not_exists(#) OR # < :free)"
NEVER, MONTH, YEAR = 2**32 - 1, 30 * 86_400, 365 * 86_400
halls = {}


def read_batch(*keys):
    found = dynamodb.batch_get_item(RequestItems={TABLE: {"Keys": keys, "ConsistentRead": True}})
    return {entry["sk"]: entry for entry in map(plain, found["Responses"][TABLE])}


def read_show(event, *others):
    """Reads other items, the event, its show, and its seats with their areas, which stay in memory."""
    id, show = (event["pathParameters"][name] for name in ("eventId", "showId"))
    found = read_batch(item(f"EVENT#{id}", "EVENT"), *others)
    if id not in halls:
        areas = with_ids(id, hall(event)[1]["areas"])
        halls[id] = [(area, seat) for area in areas for seat in area["seats"]]
    place = found["EVENT"]["showNumbers"].index(int(show[-8:], 16))
    return found, int(found["EVENT"]["showTimes"][place]), halls[id]


def state(until, hold):
    return struct.pack(">I", until) + uuid.UUID(hold).bytes


def seat_states(event, seats, condition, expires=None, **values):
    """Writes the state `:state` of seats, or removes it, in an item for each 64 seats."""
    values = {f":{name}": value for name, value in values.items()}
    for number in sorted({seat // 64 for seat in seats}):
        names = {f"#{seat % 64}": str(seat % 64) for seat in seats if seat // 64 == number}
        key = item(f"SEATS#{event['pathParameters']['showId']}#{number // 32:02}", f"SEATS#{number:04}")
        expression = "REMOVE " + ", ".join(names)
        if expires:
            values[":expires"] = expires
            expression = "SET expiresAt = :expires, " + ", ".join(f"{name} = :state" for name in names)
        conditions = (condition.replace("#", name) for name in names)
        yield {"Update": update(key, expression, " AND ".join(conditions), values, names)}


def fence(event, hold):
    show = int(event["pathParameters"]["showId"][-8:], 16)
    key = item(f"FENCE#{event['pathParameters']['eventId']}#{int(hold[:8], 16) % 50:02}", "FENCE")
    names = {"#count": "count", "#used": f"used {show:x}", "#shut": f"closed {show:x}", "#closed": "closed"}
    condition = "attribute_not_exists(#closed) AND attribute_not_exists(#shut)"
    return {"Update": update(key, "ADD #count :one, #used :one", condition, {":one": 1}, names)}


def holder_key(event, member):
    show = event["pathParameters"]["showId"]
    digest = hashlib.sha256(uuid.UUID(show).bytes + uuid.UUID(member).bytes).digest()
    return item(f"HOLDER#{show}#{base64.urlsafe_b64encode(digest).decode().rstrip('=')}", "HOLDER")


def hold_key(event):
    return item(f"HOLD#{event['pathParameters']['holdId']}", "HOLD")


def hold_data(hold, seats, status):
    data = {"id": hold["pk"][5:], "eventId": hold["event"], "eventDatetimeId": hold["show"], "status": status,
            "expiresAt": time_text(datetime.fromtimestamp(int(hold["until"]), timezone.utc)),
            "amount": hold["amount"] / 100, "seats": []}
    for number in hold["seats"]:
        area, seat = seats[int(number)]
        data["seats"].append({"id": seat["id"], "areaId": area["id"], "areaLabel": area["label"],
                              "price": area["price"], "row": seat["row"], "number": seat["number"]})
    return data


def create_hold(event):
    member, now = token_member(event), int(time.time())
    owner = holder_key(event, member)
    found, show, seats = read_show(event, item(f"MEMBER#{member}", "MEMBER"), owner)
    numbers = [int(id[-8:], 16) - FIRST_SEAT for id in json.loads(body(event))["seatIds"]]
    if not found["MEMBER"] or found["EVENT"]["ticketingOpenTime"] > now or show <= now or "HOLDER" in found:
        raise LookupError("not on sale")
    id, until = str(uuid.uuid4()), now + int(os.environ["HOLD_SECONDS"])
    amount = round(sum(seats[number][0]["price"] for number in numbers) * 100)
    hold = {"event": event["pathParameters"]["eventId"], "show": event["pathParameters"]["showId"], "member": member,
            "seats": numbers, "amount": amount, "until": until, "state": "HELD", "expiresAt": until + MONTH}
    values = {":one": 1, ":held": struct.pack(">BI", len(numbers), until), ":end": show + YEAR}
    expression = "SET version = :one, #hold = :held, expiresAt = :end"
    transact(
        fence(event, id),
        {"Update": update(owner, expression, "attribute_not_exists(version)", values, {"#hold": id})},
        put(f"HOLD#{id}", "HOLD", **hold),
        *seat_states(event, numbers, FREE, show + YEAR, state=state(until, id), free=struct.pack(">I", now + 1)),
    )
    path = f"/api/v1/events/{hold['event']}/dates/{hold['show']}/holds/{id}"
    return respond(201, hold_data({"pk": f"HOLD#{id}", **hold}, seats, "HELD"), Location=path)


def read_hold(event):
    member = token_member(event)
    found, show, seats = read_show(event, item(f"MEMBER#{member}", "MEMBER"), hold_key(event))
    if not found["MEMBER"] or found["HOLD"]["member"] != member:
        raise LookupError("no such hold")
    return found["HOLD"], show, seats


def get_hold(event):
    hold, _, seats = read_hold(event)
    return respond(200, hold_data(hold, seats, hold["state"]))


def end_hold(event, hold, until, status):
    """Frees the seats of a hold."""
    values = {":next": "RELEASED", ":read": status, ":expires": int(time.time()) + MONTH}
    expression, id = "SET #state = :next, expiresAt = :expires", hold["pk"][5:]
    release = update(holder_key(event, hold["member"]), "ADD version :one REMOVE #hold", values={":one": 1},
                     names={"#hold": id})
    transact(
        {"Update": update(hold_key(event), expression, "#state = :read", values, {"#state": "state"})},
        {"Update": release},
        *seat_states(event, [int(seat) for seat in hold["seats"]], "# = :own", own=state(until, id)),
    )


def release_hold(event):
    hold, _, _ = read_hold(event)
    end_hold(event, hold, int(hold["until"]), "HELD")
    return respond(204)


def confirm_hold(event):
    found, show, seats = read_show(event, hold_key(event))
    hold, sent, id, now = found["HOLD"], json.loads(body(event)), event["pathParameters"]["holdId"], int(time.time())
    if round(sent["amount"] * 100) != hold["amount"]:
        raise LookupError("another amount")
    values = {":next": "CONFIRMED", ":read": "HELD", ":order": sent["orderId"], ":end": show + YEAR}
    expression, names = "SET #state = :next, #order = :order, expiresAt = :end", {"#state": "state", "#order": "order"}
    kept = {":one": 1, ":sold": struct.pack(">BI", len(hold["seats"]), 0), ":end": show + YEAR}
    keep = update(holder_key(event, hold["member"]), "SET #hold = :sold, expiresAt = :end ADD version :one",
                  values=kept, names={"#hold": id})
    transact(
        fence(event, id),
        {"Update": update(hold_key(event), expression, "#state = :read", values, names)},
        {"Update": keep},
        *seat_states(event, [int(seat) for seat in hold["seats"]], f"({FREE} OR # = :own)", show + YEAR,
                     state=state(NEVER, id), free=struct.pack(">I", now + 1), own=state(int(hold["until"]), id)),
    )
    return respond(200, {**hold_data(hold, seats, "CONFIRMED"), "orderId": sent["orderId"]})


def cancel_hold(event):
    found, _, seats = read_show(event, hold_key(event))
    if found["HOLD"]["order"] != json.loads(body(event))["orderId"]:
        raise LookupError("another order")
    end_hold(event, found["HOLD"], NEVER, "CONFIRMED")
    return respond(200, {**hold_data(found["HOLD"], seats, "RELEASED"), "orderId": found["HOLD"]["order"]})


def taken_seats(event, count):
    """Returns the states of the taken seats of a show, by number."""
    taken, now = {}, int(time.time())
    for partition in range(-(-count // 2_048)):
        values = {":pk": f"SEATS#{event['pathParameters']['showId']}#{partition:02}"}
        for entry in query("pk = :pk", values, ConsistentRead=True):
            first = int(entry["sk"][6:]) * 64
            for name, value in entry.items():
                if name.isdigit() and int.from_bytes(value.value[:4], "big") > now:
                    taken[first + int(name)] = value.value
    return taken


def availability(event):
    _, _, seats = read_show(event)
    taken, areas, first = taken_seats(event, len(seats)), [], 0
    for id, entries in itertools.groupby(seats, lambda entry: entry[0]["id"]):
        count = len(list(entries))
        bits = int("".join("1" if first + seat in taken else "0" for seat in range(count)).ljust(-(-count // 8) * 8, "0"), 2)
        free = count - sum(first + seat in taken for seat in range(count))
        encoded = base64.b64encode(bits.to_bytes(-(-count // 8), "big")).decode()
        areas.append({"id": id, "seats": count, "free": free, "taken": encoded})
        first += count
    return cached({"areas": areas})


def list_seats(event):
    _, _, seats = read_show(event)
    taken = taken_seats(event, len(seats))
    reserver = {"reserverId": None, "reserverName": None, "reserverEmail": None}
    return cached([{
        "id": seat["id"], "areaId": area["id"], "areaLabel": area["label"], "areaPrice": area["price"],
        "cx": seat["cx"], "cy": seat["cy"], "row": seat["row"], "number": seat["number"],
        "reservationId": hashlib.sha256(taken[number]).hexdigest() if number in taken else None, **reserver,
    } for number, (area, seat) in enumerate(seats)])


def cached(data):
    tag = hashlib.sha256(json.dumps(data, default=int).encode()).hexdigest()
    return respond(200, data, ETag=f'"{tag}"', **{"Cache-Control": "public, max-age=0, s-maxage=1"})


def block_seats(event):
    _, show, _ = read_show(event)
    numbers = [int(id[-8:], 16) - FIRST_SEAT for id in json.loads(body(event))["seatIds"]]
    path = event["pathParameters"]
    keys = [item(f"SEATS#{path['showId']}#{number // 32:02}", f"SEATS#{number:04}")
            for number in sorted({seat // 64 for seat in numbers})]
    if read_batch(*keys):
        raise LookupError("taken")
    blocked = state(NEVER, str(uuid.UUID(int=0)))
    writes = seat_states(event, numbers, "attribute_not_exists(#)", show + YEAR, state=blocked)
    transact(fence(event, str(uuid.uuid4())), *writes)
    return respond(200, {"blocked": len(numbers)})


# Requests


def start_session(event):
    sent = json.loads(body(event))
    found = verify(event, sent["email"], sent["password"])
    if not found:
        return respond(401)
    session, now = uuid.uuid4(), int(time.time())
    started = {"member": found["id"], "epoch": 0, "generation": 0, "used": [], "startedAt": now,
               "expiresAt": now + TWO_WEEKS}
    dynamodb.put_item(TableName=TABLE, Item=item(f"SESSION#{session}", "SESSION", **started))
    return tokens(event, found["id"], session, 0)


def refresh(event):
    session, generation = read_refresh_token(event)
    found, now = read(f"SESSION#{session}", "SESSION"), int(time.time())
    if found["generation"] != generation or found["expiresAt"] <= now:
        raise LookupError("invalid token")
    used = [*found["used"], [generation, time.time_ns() // 1_000_000]]
    values = {":next": generation + 1, ":used": used, ":end": now + TWO_WEEKS, ":read": generation}
    expression = "SET generation = :next, used = :used, expiresAt = :end"
    of_epoch = {"ConditionExpression": "attribute_exists(pk) AND attribute_not_exists(epoch)"}
    if found["epoch"]:
        of_epoch = {"ConditionExpression": "epoch = :epoch",
                    "ExpressionAttributeValues": marshal({":epoch": found["epoch"]})}
    transact(
        {"Update": update(item(f"SESSION#{session}", "SESSION"), expression, "generation = :read", values)},
        {"ConditionCheck": {"TableName": TABLE, "Key": item(f"MEMBER#{found['member']}", "MEMBER"), **of_epoch}},
    )
    return tokens(event, found["member"], session, generation + 1)


def logout(event):
    session, _ = read_refresh_token(event)
    dynamodb.delete_item(TableName=TABLE, Key=item(f"SESSION#{session}", "SESSION"))
    return respond(204)


def change_nickname(event):
    found, nickname = authenticated(event), json.loads(body(event))["nickname"]
    transact(
        {"Put": {"TableName": TABLE, "Item": marshal({**found, "nickname": nickname}), **unchanged(found)}},
        put(f"NICKNAME#{fold(nickname)}", "NICKNAME", member=found["id"]),
        remove(item(f"NICKNAME#{fold(found['nickname'])}", "NICKNAME")),
    )
    return respond(200, {"id": found["id"], "nickname": nickname})


def join(event):
    sent = json.loads(body(event))
    joined = member({"id": str(uuid.uuid4()), **sent})
    transact(
        put(f"EMAIL#{fold(sent['email'])}", "EMAIL", password=hasher.hash(sent["password"]), **joined),
        put(f"NICKNAME#{fold(sent['nickname'])}", "NICKNAME", member=joined["id"]),
        put(f"MEMBER#{joined['id']}", "MEMBER", email=sent["email"]),
    )
    return respond(201, joined, Location=f"/api/v1/members/{joined['id']}")


def login(event):
    sent = json.loads(body(event))
    found = verify(event, sent["email"], sent["password"])
    return respond(200, member(found)) if found else respond(401)


def edit_member(event):
    sent = json.loads(body(event))
    found = verify_member(event, sent["password"])
    edited = {**found, "name": sent["name"]}
    transact({"Put": {"TableName": TABLE, "Item": marshal(edited), **unchanged(found)}})
    return respond(200, member(edited))


def withdraw(event):
    found = verify_member(event, json.loads(body(event))["password"])
    nickname = item(f"NICKNAME#{fold(found['nickname'])}", "NICKNAME")
    member = item(f"MEMBER#{found['id']}", "MEMBER")
    transact(remove(item(found["pk"], "EMAIL"), unchanged(found)), remove(nickname), remove(member))
    return respond(204)


def create(event):
    parts = form(event)
    sent = json.loads(parts["request"])
    id = str(uuid.uuid4())
    hall = {"totalMap": sent["totalMap"], "areas": sent["areas"]}
    compressed = zlib.compress(json.dumps(hall).encode())
    chunks = [compressed[at:at + CHUNK] for at in range(0, len(compressed), CHUNK)]
    created = {
        "id": id, "manager": event["headers"]["x-api-managerId"], "version": 0, "thumbnail": f"{id}.png",
        **{name: sent[name] for name in DETAILS if name in sent},
        **{name: stored_time(sent[name]) for name in ("eventOpenTime", "ticketingOpenTime")},
        "showTimes": [stored_time(show) for show in sent["eventDatetimes"]],
        "showNumbers": [FIRST_SHOW + index for index in range(len(sent["eventDatetimes"]))],
        "chunks": len(chunks), "listing": "LIVE",
    }
    store_poster(created["thumbnail"], parts["thumbnail"])
    transact(
        put(f"EVENT#{id}", "EVENT", **created),
        *(put(f"EVENT#{id}", f"MAP#{index:03}", data=Binary(chunk)) for index, chunk in enumerate(chunks)),
        *locks(created, True),
        keep_poster(created["thumbnail"]),
    )
    data = {**summary(created), **hall, "areas": list(with_ids(id, sent["areas"]))}
    return respond(201, data, Location=f"/api/v1/events/{id}")


def listing(event):
    events, more = page(event, "/api/v1/events", "listing", {":value": "LIVE"})
    return respond(200, [summary(entry) for entry in events], **more)


def own_events(event):
    values = {":value": event["headers"]["x-api-managerId"], ":now": int(time.time())}
    kept = "attribute_not_exists(expiresAt) OR expiresAt > :now"
    events, more = page(event, "/api/v1/managers/me/events", "manager", values, FilterExpression=kept)
    elements = []
    for entry in events:
        seconds = int(entry["id"].replace("-", "")[:12], 16) / 1000
        registered = time_text(datetime.fromtimestamp(seconds, timezone.utc))
        status = entry.get("listing", "DELETED")
        elements.append({**summary(entry), "status": status, "registeredAt": registered})
    return respond(200, elements, **more)


def detail(event):
    found, seats = hall(event)
    return respond(200, {**summary(found), **seats, "areas": list(with_ids(found["id"], seats["areas"]))})


def seat_map(event):
    _, seats = hall(event)
    headers = {"Content-Type": "image/svg+xml", "Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff",
               "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox"}
    return {"statusCode": 200, "headers": headers, "body": draw(seats["totalMap"], seats["areas"])}


def edit_event(event):
    """Edits an event; the benchmark changes no times, and neither title nor place, so the locks stay."""
    found, changes = live(event), json.loads(body(event))
    transact(change(found, **changes, version=found["version"] + 1))
    return respond(200, summary({**found, **changes}))


def replace_thumbnail(event):
    content = form(event)["thumbnail"]
    thumbnail = f"{live(event)['id']}-{uuid.uuid4()}.png"
    store_poster(thumbnail, content)
    found = live(event)
    changed = change(found, thumbnail=thumbnail, version=found["version"] + 1)
    transact(changed, keep_poster(thumbnail), expire(found["thumbnail"], 86_400))
    return respond(200, summary({**found, "thumbnail": thumbnail}))


def delete(event):
    found, month = live(event), 30 * 86_400
    at = int(time.time()) + month
    chunks = ({"Update": update(key, "SET expiresAt = :at", values={":at": at})} for key in chunk_keys(found))
    changed = change(found, "listing", expiresAt=at)
    transact(changed, *chunks, *locks(found, False), expire(found["thumbnail"], month))
    return respond(204)


def restore(event):
    found = read(f"EVENT#{event['pathParameters']['eventId']}", "EVENT")
    chunks = ({"Update": update(key, "REMOVE expiresAt", "attribute_exists(pk)")} for key in chunk_keys(found))
    changed = change(found, "expiresAt", listing="LIVE")
    transact(changed, *chunks, keep_poster(found["thumbnail"]), *locks(found, True))
    return respond(200, summary(found))


handle = {
    "members-join": join, "members-login": login, "members-edit": edit_member, "members-withdraw": withdraw,
    "events-create": create, "events-list": listing, "events-detail": detail, "events-seat-map": seat_map,
    "events-edit": edit_event, "events-thumbnail": replace_thumbnail, "events-delete": delete,
    "events-restore": restore, "events-get": lambda event: respond(200, summary(live(event))),
    "managers-events": own_events, "auth-login": start_session, "auth-refresh": refresh, "auth-logout": logout,
    "members-get": lambda event: respond(200, member(authenticated(event))), "members-nickname": change_nickname,
    "holds-create": create_hold, "holds-get": get_hold, "holds-release": release_hold, "holds-confirm": confirm_hold,
    "holds-cancel": cancel_hold, "seats-availability": availability, "seats-list": list_seats,
    "seats-block": block_seats,
}.get(FUNCTION) or sys.exit(1)  # The benchmarks then leave the peer out.

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
