// The service's requests in short but fair JavaScript: the official SDK and popular packages.
//
// Each handler makes the calls of its function, and stores and returns the same data. It has only the branches that the
// benchmark takes: no validation, no verification of managers, no retries of lost races, no compression, no log.
import { createHash, createHmac, generateKeyPairSync, hkdfSync, randomUUID, timingSafeEqual } from "node:crypto";
import http from "node:http";
import { deflateSync, inflateSync } from "node:zlib";
import { hash, verify } from "@node-rs/argon2";
import {
  BatchGetItemCommand, DeleteItemCommand, DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand, TransactWriteItemsCommand,
  UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import busboy from "busboy";
import { decodeProtectedHeader, importJWK, jwtVerify, SignJWT } from "jose";

const { TABLE_NAME: TableName, BUCKET_NAME: Bucket, AWS_LAMBDA_FUNCTION_NAME, AWS_LAMBDA_RUNTIME_API } = process.env;
const [memoryCost, timeCost, parallelism] = process.env.ARGON2_PARAMS.match(/\d+/g).map(Number);
const dynamodb = new DynamoDBClient({});
const s3 = ["events-create", "events-thumbnail"].includes(AWS_LAMBDA_FUNCTION_NAME) ? new S3Client({}) : undefined;

const respond = (statusCode, data, headers) => ({
  statusCode,
  headers: { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*", ...headers },
  body: JSON.stringify({ message: "요청이 처리되었습니다.", code: "0", data }),
});
const body = (event) => Buffer.from(event.body, event.isBase64Encoded ? "base64" : "utf8");
const fold = (text) => text.normalize("NFKC").toLowerCase();
const now = () => Math.floor(Date.now() / 1000);

// DynamoDB

const key = (pk, sk) => marshall({ pk, sk });
const isNew = { ConditionExpression: "attribute_not_exists(pk)" };
const exists = { ConditionExpression: "attribute_exists(pk)" };
const transact = (TransactItems) => dynamodb.send(new TransactWriteItemsCommand({ TransactItems }));
const read = async (pk, sk) => {
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key: key(pk, sk), ConsistentRead: true }));
  return Item && unmarshall(Item);
};
const put = (pk, sk, item) =>
  ({ Put: { TableName, Item: marshall({ pk, sk, ...item }, { removeUndefinedValues: true }), ...isNew } });
const update = (Key, UpdateExpression, ConditionExpression, values, ExpressionAttributeNames) => {
  const ExpressionAttributeValues = values && marshall(values);
  return { TableName, Key, UpdateExpression, ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues };
};
const remove = (Key, condition) => ({ Delete: { TableName, Key, ...condition } });

// Times are stored in epoch seconds, or as text if they have a fraction of a second.
const timeText = (milliseconds) => new Date(milliseconds).toISOString().replace(".000Z", "Z");
const storedTime = (value) => {
  const milliseconds = typeof value === "number" ? value * 1000 : Date.parse(value);
  return milliseconds % 1000 === 0 ? milliseconds / 1000 : timeText(milliseconds);
};
const readTime = (stored) => (typeof stored === "number" ? timeText(stored * 1000) : stored);

// Events

// The id of a show, an area or a seat: the event's id with a number as its last 32 bits, as in the function.
const [FIRST_SEAT, FIRST_SHOW] = [2 ** 30, 2 ** 31];
const partId = (id, number) => `${id.slice(0, 14)}8${id.slice(15, 28)}${number.toString(16).padStart(8, "0")}`;
const summary = ({ id, title, description, place, thumbnail, artist, genre, ageRating, runningMinutes, ...item }) => ({
  id, title, description, place, thumbnail, artist, genre, ageRating, runningMinutes, address: item.address,
  eventOpenTime: readTime(item.eventOpenTime), ticketingOpenTime: readTime(item.ticketingOpenTime),
  eventDatetimes: item.showTimes.map((time, index) =>
    ({ id: partId(id, item.showNumbers[index]), datetime: readTime(time) })),
});
const words = (text) => fold(text).trim().split(/\s+/).join(" ");
const month = (date) => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
const lockItem = (show) => `SHOW#${String(month(new Date(show)) % 24).padStart(2, "0")}`;
// Locks the shows of an event, or unlocks them, in an item of its title and place for each month.
const locks = ({ id, title, place, showTimes }, isLocked) => {
  const digest = createHash("sha256").update([words(title), words(place)].join("\n")).digest("base64url");
  const shows = showTimes.map(readTime);
  return [...new Set(shows.map(lockItem))].map((sk) => {
    const ofItem = shows.filter((show) => lockItem(show) === sk);
    const names = Object.fromEntries(ofItem.map((show, index) => [`#${index}`, show]));
    const [Key, placeholders] = [key(`SHOW#${digest}`, sk), Object.keys(names)];
    if (!isLocked) return { Update: update(Key, `REMOVE ${placeholders}`, undefined, undefined, names) };
    const condition = placeholders.map((name) => `attribute_not_exists(${name})`).join(" AND ");
    const expression = `SET ${placeholders.map((name) => `${name} = :event`)}`;
    return { Update: update(Key, expression, condition, { ":event": id }, names) };
  });
};
// Replaces attributes of an event, if nothing else has changed it since it was read.
const change = ({ id, version, listing }, changes, removed) => {
  const names = Object.keys(changes);
  const expression = `SET ${names.map((name) => `#${name} = :${name}`)}${removed ? ` REMOVE ${removed}` : ""}`;
  const condition = listing ? "attribute_exists(listing)" : "attribute_not_exists(listing) AND expiresAt > :now";
  const values = Object.fromEntries(names.map((name) => [`:${name}`, changes[name]]));
  return { Update: update(
    key(`EVENT#${id}`, "EVENT"), expression, `version = :read AND ${condition}`,
    { ...values, ":read": version, ...(!listing && { ":now": now() }) },
    Object.fromEntries(names.map((name) => [`#${name}`, name])),
  ) };
};
const chunkKeys = ({ id, chunks }) =>
  Array.from({ length: chunks }, (_, index) => key(`EVENT#${id}`, `MAP#${String(index).padStart(3, "0")}`));
const posterKey = (thumbnail) => key(`POSTER#${thumbnail}`, "POSTER");
const expiry = (thumbnail, seconds) => ({ ...posterKey(thumbnail), expiresAt: { N: String(now() + seconds) } });
const storePoster = async (thumbnail, Body) => {
  await dynamodb.send(new PutItemCommand({ TableName, Item: expiry(thumbnail, 3_600), ...isNew }));
  const CacheControl = "public, max-age=31536000, immutable";
  const Key = `upload/${thumbnail}`;
  await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: "image/png", CacheControl }));
};
const live = async (event) => {
  const item = await read(`EVENT#${event.pathParameters.eventId}`, "EVENT");
  if (!item?.listing) throw new Error("no such event");
  return item;
};
const query = async (input) => {
  const { Items } = await dynamodb.send(new QueryCommand({ TableName, ...input }));
  return Items.map((item) => unmarshall(item));
};
// Reads a page of an index, newest first.
const page = async (event, path, IndexName, values, FilterExpression) => {
  const limit = Number(event.queryStringParameters?.limit ?? 100);
  const found = await query({
    IndexName, Limit: limit + 1, ScanIndexForward: false, KeyConditionExpression: `${IndexName} = :value`,
    FilterExpression, ExpressionAttributeValues: marshall(values),
  });
  const events = found.slice(0, limit);
  const next = { Link: `<${path}?limit=${limit}&cursor=${events.at(-1)?.id}>; rel="next"` };
  return [events, found.length > limit ? next : {}];
};
// Reads a hall with one query: the event, then its chunks. Only here, halls of peers have a prefix of their own.
const hall = async (event) => {
  const values = { ":pk": { S: `PEER#${event.pathParameters.eventId}` } };
  const condition = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues: values };
  const [found, ...chunks] = await query({ ConsistentRead: true, ...condition });
  return [found, JSON.parse(inflateSync(Buffer.concat(chunks.map(({ data }) => data))))];
};
const withIds = (eventId, areas) => {
  let number = FIRST_SEAT;
  return areas.map(({ seats, ...area }, index) => {
    const id = partId(eventId, index);
    const withId = (seat) => ({ id: partId(eventId, number++), areaId: id, ...seat });
    return { id, eventId, ...area, seats: seats.map(withId) };
  });
};
const escape = (text) => text.replace(/[<>&'"]/g, (char) => `&#${char.charCodeAt(0)};`);
const won = (price) => `${price.toLocaleString("en-US")}원`;
const draw = ({ totalMap, areas }) => {
  const prices = [...new Set(areas.map(({ price }) => price))].sort((one, other) => other - one);
  const colours = new Map(prices.map((price, rank) => [price, `hsl(${Math.round((240 * rank) / prices.length)},70%,45%)`]));
  const groups = areas.map(({ label, price, areaMap, seats }) => {
    const [name, cost] = [escape(label), won(price)];
    const circles = seats.map(({ cx, cy, row, number }) =>
      `<circle cx='${cx}' cy='${cy}' r='4'><title>${name} ${row}열 ${number}번 ${cost}</title></circle>`);
    return `${areaMap}<g fill='${colours.get(price)}'><title>${name} ${cost}</title>${circles.join("")}</g>`;
  });
  const legend = prices.map((price, line) => `<text y='${20 * line}' fill='${colours.get(price)}'>${won(price)}</text>`);
  return totalMap.replace(/<\/svg>\s*$/, () => `${groups.join("")}${legend.join("")}</svg>`);
};
const form = (event) =>
  new Promise((resolve, reject) => {
    const parts = {};
    const reader = busboy({ headers: { "content-type": event.headers["Content-Type"] } });
    reader.on("field", (name, value) => (parts[name] = value));
    reader.on("file", (name, stream) => {
      const chunks = [];
      stream.on("data", (chunk) => chunks.push(chunk)).on("end", () => (parts[name] = Buffer.concat(chunks)));
    });
    reader.on("close", () => resolve(parts)).on("error", reject).end(body(event));
  });

// Members

// Counts the attempt to log in as a failure, and takes it back if the password is correct. Returns the login item.
const verifyPassword = async (event, email, password) => {
  const pk = `EMAIL#${fold(email)}`;
  const [failures, client, time] = [key(pk, "FAILURES"), event.requestContext.identity.sourceIp, now()];
  const count = update(
    failures, "SET expiresAt = :end, failures = :one, clients = :clients",
    "attribute_not_exists(clients) OR expiresAt <= :now",
    { ":now": time, ":end": time + 900, ":one": 1, ":clients": { [client]: 1 } },
  );
  const [found] = await Promise.all([read(pk, "EMAIL"), dynamodb.send(new UpdateItemCommand(count))]);
  if (!(await verify(found.password, password))) return undefined;
  const [expression, values] = ["SET failures = failures - :one REMOVE clients.#client", { ":now": time, ":one": 1 }];
  const takeBack = update(failures, expression, "expiresAt > :now", values, { "#client": client });
  await dynamodb.send(new UpdateItemCommand(takeBack));
  return found;
};
const verifyMember = async (event, password) =>
  verifyPassword(event, (await read(`MEMBER#${event.pathParameters.memberId}`, "MEMBER")).email, password);
const member = ({ id, email, name, nickname }) => ({ id, email, name, nickname });
// Optimistic locking: the login item is as it was read.
const unchanged = ({ id, name, nickname, password }) => ({
  ConditionExpression: "id = :id AND #name = :name AND nickname = :nickname AND #password = :password",
  ExpressionAttributeNames: { "#name": "name", "#password": "password" },
  ExpressionAttributeValues: marshall({ ":id": id, ":name": name, ":nickname": nickname, ":password": password }),
});

// Sessions

const { SESSION_SECRET, MEMBER_AUDIENCE: audience } = process.env;
const [day, lifetime] = [86_400, Number(process.env.ACCESS_TOKEN_SECONDS)];
const issuesTokens = AWS_LAMBDA_FUNCTION_NAME.startsWith("auth-");
const refreshKey = issuesTokens && Buffer.from(hkdfSync("sha256", SESSION_SECRET, "", "refresh tokens", 64));
const signingKey = issuesTokens && generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey;
const tag = (message) => createHmac("sha256", refreshKey).update(message).digest();
const refreshToken = (session, generation) => {
  const message = Buffer.concat([Buffer.from(session.replaceAll("-", ""), "hex"), Buffer.alloc(4)]);
  message.writeUInt32BE(generation, 16);
  return Buffer.concat([message, tag(message)]).toString("base64url");
};
const readRefreshToken = (token) => {
  const bytes = Buffer.from(token, "base64url");
  if (!timingSafeEqual(bytes.subarray(20), tag(bytes.subarray(0, 20)))) throw new Error("invalid token");
  const session = bytes.toString("hex", 0, 16).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
  return { session, generation: bytes.readUInt32BE(16) };
};
const tokens = async (event, member, session, generation) => {
  const issued = new SignJWT({ client_id: "members" }).setProtectedHeader({ alg: "ES256", typ: "at+jwt", kid: "key" })
    .setIssuer(event.stageVariables.baseUrl).setAudience(audience).setSubject(member).setJti(randomUUID())
    .setIssuedAt().setExpirationTime(`${lifetime} s`);
  const accessToken = await issued.sign(signingKey);
  return { accessToken, tokenType: "Bearer", expiresIn: lifetime, refreshToken: refreshToken(session, generation) };
};
const isOfEpoch = (epoch) =>
  epoch ? ["epoch = :epoch", { ":epoch": epoch }] : ["attribute_exists(pk) AND attribute_not_exists(epoch)"];
// Returns the id of the member whose access token it is.
const publicKeys = new Map();
const tokenMember = async (event) => {
  const token = event.headers.Authorization.replace(/^Bearer /, "");
  const { kid } = decodeProtectedHeader(token);
  if (!publicKeys.has(kid)) {
    const { x, y } = await read("SIGNING_KEY#1", "SIGNING_KEY");
    publicKeys.set(kid, await importJWK({ kty: "EC", crv: "P-256", x, y }, "ES256"));
  }
  const expected = { issuer: event.stageVariables.baseUrl, audience, typ: "at+jwt", algorithms: ["ES256"] };
  return (await jwtVerify(token, publicKeys.get(kid), expected)).payload.sub;
};
// Returns the login item of the member whose access token it is.
const authenticated = async (event) => {
  const id = await tokenMember(event);
  if (id !== event.pathParameters.memberId) return undefined;
  return read(`EMAIL#${fold((await read(`MEMBER#${id}`, "MEMBER")).email)}`, "EMAIL");
};

// Seats of a show

const [free, never, thirtyDays, year] = ["(attribute_not_exists(#) OR # < :free)", 2 ** 32 - 1, 30 * day, 365 * day];
const bytesOf = (uuid) => Buffer.from(uuid.replaceAll("-", ""), "hex");
const uint32 = (number) => { const bytes = Buffer.alloc(4); bytes.writeUInt32BE(number); return bytes; };
const stateOf = (until, hold) => Buffer.concat([uint32(until), bytesOf(hold)]);
const heldSeats = (count, until) => Buffer.concat([Buffer.of(count), uint32(until)]);
const seatNumber = (id) => parseInt(id.slice(-8), 16) - FIRST_SEAT;
const readBatch = async (Keys) => {
  const RequestItems = { [TableName]: { Keys, ConsistentRead: true } };
  const { Responses } = await dynamodb.send(new BatchGetItemCommand({ RequestItems }));
  return Object.fromEntries(Responses[TableName].map((found) => unmarshall(found)).map((found) => [found.sk, found]));
};
// Reads other items, the event, its show, and its seats with their areas, which stay in memory.
const halls = new Map();
const readShow = async (event, ...others) => {
  const { eventId, showId } = event.pathParameters;
  const found = await readBatch([key(`EVENT#${eventId}`, "EVENT"), ...others]);
  if (!halls.has(eventId)) {
    const areas = withIds(eventId, (await hall(event))[1].areas);
    halls.set(eventId, areas.flatMap((area) => area.seats.map((seat) => ({ area, seat }))));
  }
  const place = found.EVENT.showNumbers.indexOf(parseInt(showId.slice(-8), 16));
  return { found, show: found.EVENT.showTimes[place], seats: halls.get(eventId) };
};
// Writes the state `:state` of seats, or removes it, in an item for each 64 seats.
const seatStates = ({ pathParameters: { showId } }, seats, condition, values, expires) =>
  [...new Set(seats.map((seat) => Math.floor(seat / 64)))].map((number) => {
    const places = seats.filter((seat) => Math.floor(seat / 64) === number).map((seat) => String(seat % 64));
    const names = Object.fromEntries(places.map((place) => [`#${place}`, place]));
    const Key = key(`SEATS#${showId}#${String(Math.floor(number / 32)).padStart(2, "0")}`,
      `SEATS#${String(number).padStart(4, "0")}`);
    const placeholders = Object.keys(names);
    const conditions = placeholders.map((name) => condition.replaceAll("#", name)).join(" AND ");
    const expression = expires
      ? `SET expiresAt = :expires, ${placeholders.map((name) => `${name} = :state`)}` : `REMOVE ${placeholders}`;
    return { Update: update(Key, expression, conditions, expires ? { ...values, ":expires": expires } : values, names) };
  });
const fence = ({ pathParameters: { eventId, showId } }, hold) => {
  const show = parseInt(showId.slice(-8), 16).toString(16);
  const names = { "#count": "count", "#used": `used ${show}`, "#shut": `closed ${show}`, "#closed": "closed" };
  const Key = key(`FENCE#${eventId}#${String(parseInt(hold.slice(0, 8), 16) % 50).padStart(2, "0")}`, "FENCE");
  const condition = "attribute_not_exists(#closed) AND attribute_not_exists(#shut)";
  return { Update: update(Key, "ADD #count :one, #used :one", condition, { ":one": 1 }, names) };
};
const holderKey = ({ pathParameters: { showId } }, member) => {
  const digest = createHash("sha256").update(bytesOf(showId)).update(bytesOf(member)).digest("base64url");
  return key(`HOLDER#${showId}#${digest}`, "HOLDER");
};
const holdKey = (event) => key(`HOLD#${event.pathParameters.holdId}`, "HOLD");
const holdData = (hold, seats, status) => ({
  id: hold.pk.slice(5), eventId: hold.event, eventDatetimeId: hold.show, status,
  expiresAt: timeText(hold.until * 1000), amount: hold.amount / 100,
  seats: hold.seats.map((number) => {
    const { area, seat: { id, row, number: place } } = seats[number];
    return { id, areaId: area.id, areaLabel: area.label, price: area.price, row, number: place };
  }),
});
const readHold = async (event) => {
  const member = await tokenMember(event);
  const { found, seats } = await readShow(event, key(`MEMBER#${member}`, "MEMBER"), holdKey(event));
  if (!found.MEMBER || found.HOLD.member !== member) throw new Error("no such hold");
  return { hold: found.HOLD, seats };
};
// Frees the seats of a hold.
const endHold = (event, hold, until, status) => {
  const [id, expires] = [hold.pk.slice(5), now() + thirtyDays];
  const values = { ":next": "RELEASED", ":read": status, ":expires": expires };
  const names = { "#state": "state" };
  const release = "ADD version :one REMOVE #hold";
  return transact([
    { Update: update(holdKey(event), "SET #state = :next, expiresAt = :expires", "#state = :read", values, names) },
    { Update: update(holderKey(event, hold.member), release, undefined, { ":one": 1 }, { "#hold": id }) },
    ...seatStates(event, hold.seats, "# = :own", { ":own": stateOf(until, id) }),
  ]);
};
// Returns the states of the taken seats of a show, by number.
const takenSeats = async ({ pathParameters: { showId } }, count) => {
  const partitions = Array.from({ length: Math.ceil(count / 2_048) }, (_, number) => String(number).padStart(2, "0"));
  const items = await Promise.all(partitions.map((partition) => query({
    ConsistentRead: true, KeyConditionExpression: "pk = :pk",
    ExpressionAttributeValues: marshall({ ":pk": `SEATS#${showId}#${partition}` }),
  })));
  const taken = new Map();
  for (const { sk, ...states } of items.flat()) {
    for (const [name, state] of Object.entries(states)) {
      if (!/^\d+$/.test(name) || Buffer.from(state).readUInt32BE() <= now()) continue;
      taken.set(Number(sk.slice(6)) * 64 + Number(name), state);
    }
  }
  return taken;
};
const cached = (data) => respond(200, data, {
  ETag: `"${createHash("sha256").update(JSON.stringify(data)).digest("hex")}"`,
  "Cache-Control": "public, max-age=0, s-maxage=1",
});

const functions = {
  "members-join": async (event) => {
    const { password, ...fields } = JSON.parse(body(event));
    const joined = member({ id: randomUUID(), ...fields });
    const hashed = await hash(password, { memoryCost, timeCost, parallelism });
    await transact([
      put(`EMAIL#${fold(joined.email)}`, "EMAIL", { ...joined, password: hashed }),
      put(`NICKNAME#${fold(joined.nickname)}`, "NICKNAME", { member: joined.id }),
      put(`MEMBER#${joined.id}`, "MEMBER", { email: joined.email }),
    ]);
    return respond(201, joined, { Location: `/api/v1/members/${joined.id}` });
  },
  "members-login": async (event) => {
    const { email, password } = JSON.parse(body(event));
    const found = await verifyPassword(event, email, password);
    return found ? respond(200, member(found)) : respond(401);
  },
  "members-edit": async (event) => {
    const { password, name } = JSON.parse(body(event));
    const found = await verifyMember(event, password);
    await transact([{ Put: { TableName, Item: marshall({ ...found, name }), ...unchanged(found) } }]);
    return respond(200, member({ ...found, name }));
  },
  "members-withdraw": async (event) => {
    const found = await verifyMember(event, JSON.parse(body(event)).password);
    const nickname = key(`NICKNAME#${fold(found.nickname)}`, "NICKNAME");
    const keys = [nickname, key(`MEMBER#${found.id}`, "MEMBER")];
    await transact([remove(key(found.pk, "EMAIL"), unchanged(found)), ...keys.map((key) => remove(key))]);
    return respond(204);
  },
  "auth-login": async (event) => {
    const { email, password } = JSON.parse(body(event));
    const found = await verifyPassword(event, email, password);
    if (!found) return respond(401);
    const [session, startedAt] = [randomUUID(), now()];
    const started = { member: found.id, epoch: 0, generation: 0, used: [], startedAt, expiresAt: startedAt + 14 * day };
    const Item = marshall({ pk: `SESSION#${session}`, sk: "SESSION", ...started });
    await dynamodb.send(new PutItemCommand({ TableName, Item }));
    return respond(200, await tokens(event, found.id, session, 0));
  },
  "auth-refresh": async (event) => {
    const { session, generation } = readRefreshToken(JSON.parse(body(event)).refreshToken);
    const found = await read(`SESSION#${session}`, "SESSION");
    if (found.generation !== generation || found.expiresAt <= now()) throw new Error("invalid token");
    const used = [...found.used, [generation, Date.now()]];
    const values = { ":next": generation + 1, ":used": used, ":end": now() + 14 * day, ":read": generation };
    const expression = "SET generation = :next, used = :used, expiresAt = :end";
    const [condition, ofEpoch] = isOfEpoch(found.epoch);
    await transact([
      { Update: update(key(`SESSION#${session}`, "SESSION"), expression, "generation = :read", values) },
      { ConditionCheck: {
        TableName, Key: key(`MEMBER#${found.member}`, "MEMBER"), ConditionExpression: condition,
        ExpressionAttributeValues: ofEpoch && marshall(ofEpoch),
      } },
    ]);
    return respond(200, await tokens(event, found.member, session, generation + 1));
  },
  "auth-logout": async (event) => {
    const { session } = readRefreshToken(JSON.parse(body(event)).refreshToken);
    await dynamodb.send(new DeleteItemCommand({ TableName, Key: key(`SESSION#${session}`, "SESSION") }));
    return respond(204);
  },
  "members-get": async (event) => {
    const found = await authenticated(event);
    return found ? respond(200, member(found)) : respond(403);
  },
  "members-nickname": async (event) => {
    const [found, { nickname }] = [await authenticated(event), JSON.parse(body(event))];
    await transact([
      { Put: { TableName, Item: marshall({ ...found, nickname }), ...unchanged(found) } },
      put(`NICKNAME#${fold(nickname)}`, "NICKNAME", { member: found.id }),
      remove(key(`NICKNAME#${fold(found.nickname)}`, "NICKNAME")),
    ]);
    return respond(200, { id: found.id, nickname });
  },
  "holds-create": async (event) => {
    const [member, time] = [await tokenMember(event), now()];
    const owner = holderKey(event, member);
    const { found, show, seats } = await readShow(event, key(`MEMBER#${member}`, "MEMBER"), owner);
    const isOnSale = found.EVENT.ticketingOpenTime <= time && time < show;
    if (!found.MEMBER || !isOnSale || found.HOLDER) throw new Error("not on sale");
    const numbers = JSON.parse(body(event)).seatIds.map(seatNumber);
    const [id, until] = [randomUUID(), time + Number(process.env.HOLD_SECONDS)];
    const amount = Math.round(numbers.reduce((sum, number) => sum + seats[number].area.price, 0) * 100);
    const { eventId, showId } = event.pathParameters;
    const hold = {
      event: eventId, show: showId, member, seats: numbers, amount, until, state: "HELD",
      expiresAt: until + thirtyDays,
    };
    const held = { ":one": 1, ":held": heldSeats(numbers.length, until), ":end": show + year };
    const expression = "SET version = :one, #hold = :held, expiresAt = :end";
    await transact([
      fence(event, id),
      { Update: update(owner, expression, "attribute_not_exists(version)", held, { "#hold": id }) },
      put(`HOLD#${id}`, "HOLD", hold),
      ...seatStates(event, numbers, free, { ":state": stateOf(until, id), ":free": uint32(time + 1) }, show + year),
    ]);
    const Location = `/api/v1/events/${eventId}/dates/${showId}/holds/${id}`;
    return respond(201, holdData({ pk: `HOLD#${id}`, ...hold }, seats, "HELD"), { Location });
  },
  "holds-get": async (event) => {
    const { hold, seats } = await readHold(event);
    return respond(200, holdData(hold, seats, hold.state));
  },
  "holds-release": async (event) => {
    const { hold } = await readHold(event);
    await endHold(event, hold, hold.until, "HELD");
    return respond(204);
  },
  "holds-confirm": async (event) => {
    const { found: { HOLD: hold }, show, seats } = await readShow(event, holdKey(event));
    const [{ orderId, amount }, id] = [JSON.parse(body(event)), event.pathParameters.holdId];
    if (Math.round(amount * 100) !== hold.amount) throw new Error("another amount");
    const values = { ":next": "CONFIRMED", ":read": "HELD", ":order": orderId, ":end": show + year };
    const expression = "SET #state = :next, #order = :order, expiresAt = :end";
    const kept = { ":one": 1, ":sold": heldSeats(hold.seats.length, 0), ":end": show + year };
    const keep = "SET #hold = :sold, expiresAt = :end ADD version :one";
    const names = { "#state": "state", "#order": "order" };
    const states = { ":state": stateOf(never, id), ":free": uint32(now() + 1), ":own": stateOf(hold.until, id) };
    await transact([
      fence(event, id),
      { Update: update(holdKey(event), expression, "#state = :read", values, names) },
      { Update: update(holderKey(event, hold.member), keep, undefined, kept, { "#hold": id }) },
      ...seatStates(event, hold.seats, `(${free} OR # = :own)`, states, show + year),
    ]);
    return respond(200, { ...holdData(hold, seats, "CONFIRMED"), orderId });
  },
  "holds-cancel": async (event) => {
    const { found: { HOLD: hold }, seats } = await readShow(event, holdKey(event));
    if (hold.order !== JSON.parse(body(event)).orderId) throw new Error("another order");
    await endHold(event, hold, never, "CONFIRMED");
    return respond(200, { ...holdData(hold, seats, "RELEASED"), orderId: hold.order });
  },
  "seats-availability": async (event) => {
    const { seats } = await readShow(event);
    const taken = await takenSeats(event, seats.length);
    const areas = [];
    for (const [number, { area }] of seats.entries()) {
      if (areas.at(-1)?.id !== area.id) areas.push({ id: area.id, seats: 0, free: 0, taken: [] });
      const last = areas.at(-1);
      if (taken.has(number)) last.taken[last.seats >> 3] |= 128 >> (last.seats & 7);
      else last.taken[last.seats >> 3] |= 0, last.free++;
      last.seats++;
    }
    return cached({ areas: areas.map((area) => ({ ...area, taken: Buffer.from(area.taken).toString("base64") })) });
  },
  "seats-list": async (event) => {
    const { seats } = await readShow(event);
    const taken = await takenSeats(event, seats.length);
    const reservation = (state) => state ? createHash("sha256").update(state).digest("hex") : null;
    return cached(seats.map(({ area, seat: { id, cx, cy, row, number: place } }, number) => ({
      id, areaId: area.id, areaLabel: area.label, areaPrice: area.price, cx, cy, row, number: place,
      reservationId: reservation(taken.get(number)), reserverId: null, reserverName: null, reserverEmail: null,
    })));
  },
  "seats-block": async (event) => {
    const { show } = await readShow(event);
    const numbers = JSON.parse(body(event)).seatIds.map(seatNumber);
    const blocked = { ":state": stateOf(never, "00000000-0000-0000-0000-000000000000") };
    const writes = seatStates(event, numbers, "attribute_not_exists(#)", blocked, show + year);
    const known = await readBatch(writes.map(({ Update: { Key } }) => Key));
    if (Object.keys(known).length > 0) throw new Error("taken");
    await transact([fence(event, randomUUID()), ...writes]);
    return respond(200, { blocked: numbers.length });
  },
  "events-create": async (event) => {
    const parts = await form(event);
    const { areas, totalMap, eventDatetimes, ...details } = JSON.parse(parts.request);
    const [id, map] = [randomUUID(), deflateSync(JSON.stringify({ totalMap, areas }))];
    const created = {
      id, manager: event.headers["x-api-managerId"], version: 0, thumbnail: `${id}.png`, ...details,
      eventOpenTime: storedTime(details.eventOpenTime), ticketingOpenTime: storedTime(details.ticketingOpenTime),
      showTimes: eventDatetimes.map(storedTime), showNumbers: eventDatetimes.map((_, index) => FIRST_SHOW + index),
      chunks: Math.ceil(map.length / 390_000), listing: "LIVE",
    };
    const chunk = (Key, index) => ({ ...Key, data: { B: map.subarray(index * 390_000, (index + 1) * 390_000) } });
    await storePoster(created.thumbnail, parts.thumbnail);
    await transact([
      put(`EVENT#${id}`, "EVENT", created),
      ...chunkKeys(created).map((Key, index) => ({ Put: { TableName, Item: chunk(Key, index), ...isNew } })),
      ...locks(created, true),
      remove(posterKey(created.thumbnail), exists),
    ]);
    const data = { ...summary(created), totalMap, areas: withIds(id, areas) };
    return respond(201, data, { Location: `/api/v1/events/${id}` });
  },
  "events-list": async (event) => {
    const [events, headers] = await page(event, "/api/v1/events", "listing", { ":value": "LIVE" });
    return respond(200, events.map(summary), headers);
  },
  "managers-events": async (event) => {
    const values = { ":value": event.headers["x-api-managerId"], ":now": now() };
    const filter = "attribute_not_exists(expiresAt) OR expiresAt > :now";
    const [events, headers] = await page(event, "/api/v1/managers/me/events", "manager", values, filter);
    const registered = ({ id }) => timeText(parseInt(id.replace("-", "").slice(0, 12), 16));
    const own = (item) => ({ ...summary(item), status: item.listing ?? "DELETED", registeredAt: registered(item) });
    return respond(200, events.map(own), headers);
  },
  "events-get": async (event) => respond(200, summary(await live(event))),
  "events-detail": async (event) => {
    const [found, { totalMap, areas }] = await hall(event);
    return respond(200, { ...summary(found), totalMap, areas: withIds(found.id, areas) });
  },
  "events-seat-map": async (event) => {
    const policy = { "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox" };
    const headers = { "Content-Type": "image/svg+xml", "X-Content-Type-Options": "nosniff", ...policy };
    const body = draw((await hall(event))[1]);
    return { statusCode: 200, headers: { ...headers, "Access-Control-Allow-Origin": "*" }, body };
  },
  // The benchmark changes no times, and neither title nor place, so the locks stay.
  "events-edit": async (event) => {
    const [found, changes] = [await live(event), JSON.parse(body(event))];
    await transact([change(found, { ...changes, version: found.version + 1 })]);
    return respond(200, summary({ ...found, ...changes }));
  },
  "events-thumbnail": async (event) => {
    const { thumbnail: content } = await form(event);
    const thumbnail = `${(await live(event)).id}-${randomUUID()}.png`;
    await storePoster(thumbnail, content);
    const found = await live(event);
    const changed = change(found, { thumbnail, version: found.version + 1 });
    const expired = { Put: { TableName, Item: expiry(found.thumbnail, 86_400) } };
    await transact([changed, remove(posterKey(thumbnail), exists), expired]);
    return respond(200, summary({ ...found, thumbnail }));
  },
  "events-delete": async (event) => {
    const [found, month] = [await live(event), 30 * 86_400];
    const expiresAt = now() + month;
    const at = { ":at": expiresAt };
    await transact([
      change(found, { expiresAt }, "listing"),
      ...chunkKeys(found).map((Key) => ({ Update: update(Key, "SET expiresAt = :at", undefined, at) })),
      ...locks(found, false),
      { Put: { TableName, Item: expiry(found.thumbnail, month) } },
    ]);
    return respond(204);
  },
  "events-restore": async (event) => {
    const found = await read(`EVENT#${event.pathParameters.eventId}`, "EVENT");
    await transact([
      change(found, { listing: "LIVE" }, "expiresAt"),
      ...chunkKeys(found).map((Key) => ({ Update: update(Key, "REMOVE expiresAt", "attribute_exists(pk)") })),
      remove(posterKey(found.thumbnail), exists),
      ...locks(found, true),
    ]);
    return respond(200, summary(found));
  },
};

// The Runtime API

const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
const [host, port] = AWS_LAMBDA_RUNTIME_API.split(":");
const call = (method, path, content) =>
  new Promise((resolve, reject) => {
    const request = http.request({ host, port, agent, method, path: `/2018-06-01/runtime/${path}` }, (response) => {
      const chunks = [];
      response.on("data", (chunk) => chunks.push(chunk));
      response.on("end", () => resolve({ headers: response.headers, content: Buffer.concat(chunks) }));
    });
    request.on("error", reject).end(content);
  });

const handle = functions[AWS_LAMBDA_FUNCTION_NAME] ?? process.exit(1); // The benchmarks then leave the peer out.
for (;;) {
  const { headers, content } = await call("GET", "invocation/next");
  const path = `invocation/${headers["lambda-runtime-aws-request-id"]}`;
  try {
    await call("POST", `${path}/response`, JSON.stringify(await handle(JSON.parse(content))));
  } catch (error) {
    await call("POST", `${path}/error`, JSON.stringify({ errorMessage: String(error), errorType: error.name }));
  }
}
