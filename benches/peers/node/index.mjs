// The service's requests in short but fair JavaScript: the official SDK and popular packages.
import { createHash, randomUUID } from "node:crypto";
import http from "node:http";
import { deflateSync, inflateSync } from "node:zlib";
import { hash, verify } from "@node-rs/argon2";
import {
  ConditionalCheckFailedException, DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand,
  TransactWriteItemsCommand, UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import busboy from "busboy";

const { TABLE_NAME: TableName, BUCKET_NAME: Bucket, AWS_LAMBDA_FUNCTION_NAME, AWS_LAMBDA_RUNTIME_API } = process.env;
const [memoryCost, timeCost, parallelism] = process.env.ARGON2_PARAMS.match(/\d+/g).map(Number);
const unknown = `$argon2id$v=19$m=${memoryCost},t=${timeCost},p=${parallelism}$${"A".repeat(22)}$${"A".repeat(43)}`;
const dynamodb = new DynamoDBClient({});
const s3 = ["events-create", "events-thumbnail"].includes(AWS_LAMBDA_FUNCTION_NAME) ? new S3Client({}) : undefined;

const respond = (statusCode, data, headers) => ({
  statusCode,
  headers: { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*", ...headers },
  body: JSON.stringify({ message: "요청이 처리되었습니다.", code: "0", data }),
});
const body = (event) => Buffer.from(event.body, event.isBase64Encoded ? "base64" : "utf8");
const fold = (text) => text.normalize("NFKC").toLowerCase();
const key = (pk, sk) => marshall({ pk, sk });
const put = (pk, sk, item) => ({
  Put: {
    TableName,
    Item: marshall({ pk, sk, ...item }, { removeUndefinedValues: true }),
    ConditionExpression: "attribute_not_exists(#pk)",
    ExpressionAttributeNames: { "#pk": "pk" },
  },
});
const transact = (TransactItems) => dynamodb.send(new TransactWriteItemsCommand({ TransactItems }));
const read = async (pk, sk) => {
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key: key(pk, sk), ConsistentRead: true }));
  return Item && unmarshall(Item);
};
// Times are stored in epoch seconds, or as text if they have a fraction of a second.
const timeText = (milliseconds) => new Date(milliseconds).toISOString().replace(".000Z", "Z");
const storedTime = (value) => {
  const milliseconds = typeof value === "number" ? value * 1000 : Date.parse(value);
  return milliseconds % 1000 === 0 ? milliseconds / 1000 : timeText(milliseconds);
};
const readTime = (stored) => (typeof stored === "number" ? timeText(stored * 1000) : stored);
// The id of a show, an area or a seat: the event's id with a number as its last 32 bits, as in the function.
const partId = (eventId, number) =>
  `${eventId.slice(0, 14)}8${eventId.slice(15, 28)}${number.toString(16).padStart(8, "0")}`;
const [FIRST_SEAT, FIRST_SHOW] = [2 ** 30, 2 ** 31];
const summary = (item) => ({
  id: item.id, title: item.title, description: item.description, place: item.place, thumbnail: item.thumbnail,
  artist: item.artist,
  eventDatetimes: item.showTimes.map((time, index) => ({
    id: partId(item.id, item.showNumbers[index]), datetime: readTime(time),
  })),
  eventOpenTime: readTime(item.eventOpenTime), ticketingOpenTime: readTime(item.ticketingOpenTime),
  genre: item.genre, ageRating: item.ageRating, runningMinutes: item.runningMinutes, address: item.address,
});
const words = (text) => fold(text).trim().split(/\s+/).join(" ");
const lockItem = (show) => {
  const [year, month] = show.split("-").map(Number);
  return `SHOW#${String(((year - 1970) * 12 + month - 1) % 24).padStart(2, "0")}`;
};
// Locks the shows of an event, or unlocks them.
const locks = ({ id, title, place, showTimes }, isLocked) => {
  const digest = createHash("sha256").update([words(title), words(place)].join("\n")).digest("base64url");
  const shows = showTimes.map(readTime);
  return [...new Set(shows.map(lockItem))].map((sk) => {
    const ofItem = shows.filter((show) => lockItem(show) === sk);
    const names = ofItem.map((_, index) => `#${index}`);
    const condition = names.map((name) => `attribute_not_exists(${name})`).join(" AND ");
    const set = `SET ${names.map((name) => `${name} = :event`).join(", ")}`;
    return {
      Update: {
        TableName, Key: key(`SHOW#${digest}`, sk),
        UpdateExpression: isLocked ? set : `REMOVE ${names.join(", ")}`,
        ExpressionAttributeNames: Object.fromEntries(ofItem.map((show, index) => [`#${index}`, show])),
        ...(isLocked && { ConditionExpression: condition, ExpressionAttributeValues: { ":event": { S: id } } }),
      },
    };
  });
};
const expiry = (thumbnail, seconds) => ({
  ...key(`POSTER#${thumbnail}`, "POSTER"), expiresAt: { N: String(Math.floor(Date.now() / 1000) + seconds) },
});
const storePoster = async (thumbnail, Body) => {
  await dynamodb.send(new PutItemCommand({
    TableName, Item: expiry(thumbnail, 3_600),
    ConditionExpression: "attribute_not_exists(#pk)", ExpressionAttributeNames: { "#pk": "pk" },
  }));
  await s3.send(new PutObjectCommand({
    Bucket, Key: `upload/${thumbnail}`, Body, ContentType: "image/png",
    CacheControl: "public, max-age=31536000, immutable",
  }));
};
const keepPoster = (thumbnail) => ({
  Delete: {
    TableName, Key: key(`POSTER#${thumbnail}`, "POSTER"),
    ConditionExpression: "attribute_exists(#pk)", ExpressionAttributeNames: { "#pk": "pk" },
  },
});
// Edits an event, if nothing else has edited or deleted it since it was read.
const edit = ({ id, version }, changes) => {
  const attributes = Object.entries({ ...changes, version: version + 1 });
  return {
    Update: {
      TableName, Key: key(`EVENT#${id}`, "EVENT"),
      UpdateExpression: `SET ${attributes.map(([name]) => `#${name} = :${name}`).join(", ")}`,
      ConditionExpression: "#version = :read AND attribute_exists(#listing)",
      ExpressionAttributeNames: {
        ...Object.fromEntries(attributes.map(([name]) => [`#${name}`, name])), "#listing": "listing",
      },
      ExpressionAttributeValues: marshall({
        ...Object.fromEntries(attributes.map(([name, value]) => [`:${name}`, value])), ":read": version,
      }),
    },
  };
};
const live = async (event) => {
  const item = await read(`EVENT#${event.pathParameters.eventId}`, "EVENT");
  if (!item?.listing) throw new Error("no such event");
  return item;
};
// Reads a hall with one query: the event, then its chunks. Only here, halls of peers have a prefix of their own.
const hall = async (event) => {
  const id = event.pathParameters.eventId;
  const { Items } = await dynamodb.send(new QueryCommand({
    TableName, ConsistentRead: true,
    KeyConditionExpression: "#pk = :pk", ExpressionAttributeNames: { "#pk": "pk" },
    ExpressionAttributeValues: { ":pk": { S: `PEER#${id}` } },
  }));
  const [found, ...chunks] = Items.map((item) => unmarshall(item));
  if (!found) throw new Error("no such event");
  const map = JSON.parse(inflateSync(Buffer.concat(chunks.map(({ data }) => data))));
  return { event: found, ...map };
};
const withIds = (eventId, areas) => {
  let number = 0;
  return areas.map(({ seats, ...area }, index) => {
    const id = partId(eventId, index);
    const withId = (seat) => ({ id: partId(eventId, FIRST_SEAT + number++), areaId: id, ...seat });
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
const failureNames = { "#expires": "expiresAt", "#failures": "failures", "#clients": "clients" };
// Counts an attempt to log in as a failure; returns a response if there were too many.
const countAttempt = async (failures, client) => {
  const now = Math.floor(Date.now() / 1000);
  try {
    await dynamodb.send(new UpdateItemCommand({
      TableName, Key: failures,
      UpdateExpression: "SET #expires = :end, #failures = :one, #clients = :clients",
      ConditionExpression: "attribute_not_exists(#clients) OR #expires <= :now",
      ExpressionAttributeNames: failureNames,
      ExpressionAttributeValues: marshall({ ":now": now, ":end": now + 900, ":one": 1, ":clients": { [client]: 1 } }),
    }));
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
  }
  // The window has begun earlier.
  try {
    await dynamodb.send(new UpdateItemCommand({
      TableName, Key: failures,
      UpdateExpression:
        "SET #failures = #failures + :one, #clients.#client = if_not_exists(#clients.#client, :zero) + :one",
      ConditionExpression:
        "#expires > :now AND #failures < :all AND (attribute_not_exists(#clients.#client) OR #clients.#client < :each)",
      ExpressionAttributeNames: { ...failureNames, "#client": client },
      ExpressionAttributeValues: marshall({ ":now": now, ":zero": 0, ":one": 1, ":all": 100, ":each": 10 }),
      ReturnValuesOnConditionCheckFailure: "ALL_OLD",
    }));
    return undefined;
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    const seconds = Number(error.Item?.expiresAt?.N ?? 0) - now;
    return respond(429, undefined, { "Retry-After": String(Math.max(seconds, 1)) });
  }
};
// Takes back an attempt whose password was correct, and forgets the client's earlier failures.
const takeBack = (failures, client) =>
  dynamodb.send(new UpdateItemCommand({
    TableName, Key: failures,
    UpdateExpression: "SET #failures = #failures - :one REMOVE #clients.#client",
    ConditionExpression: "#expires > :now",
    ExpressionAttributeNames: { ...failureNames, "#client": client },
    ExpressionAttributeValues: marshall({ ":now": Math.floor(Date.now() / 1000), ":one": 1 }),
  }));
// Checks a password with login throttling, and returns the login item or a response.
const verifyPassword = async (event, email, password) => {
  const pk = `EMAIL#${fold(email)}`;
  const client = event.requestContext.identity.sourceIp;
  const failures = key(pk, "FAILURES");
  const [failure, found] = await Promise.all([countAttempt(failures, client), read(pk, "EMAIL")]);
  if (failure) return { failure };
  // An unknown account takes the same work.
  if (!(await verify(found?.password ?? unknown, password))) return { failure: respond(401) };
  await takeBack(failures, client).catch(console.error);
  return { found };
};
// Checks the password of the member in the path.
const verifyMember = async (event, password) => {
  const found = await read(`MEMBER#${event.pathParameters.memberId}`, "MEMBER");
  if (found) return verifyPassword(event, found.email, password);
  await verify(unknown, password);
  return { failure: respond(401) };
};
const member = ({ id, email, name, nickname }) => ({ id, email, name, nickname });
// Optimistic locking: the login item is as it was read.
const unchanged = ({ id, name, nickname, password }) => ({
  ConditionExpression: "#id = :id AND #name = :name AND #nickname = :nickname AND #password = :password",
  ExpressionAttributeNames: { "#id": "id", "#name": "name", "#nickname": "nickname", "#password": "password" },
  ExpressionAttributeValues: marshall({ ":id": id, ":name": name, ":nickname": nickname, ":password": password }),
});
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

const functions = {
  "members-join": async (event) => {
    const { email, name, nickname, password } = JSON.parse(body(event));
    const hashed = await hash(password, { memoryCost, timeCost, parallelism });
    const member = { id: randomUUID(), email, name, nickname };
    await transact([
      put(`EMAIL#${fold(email)}`, "EMAIL", { ...member, password: hashed }),
      put(`NICKNAME#${fold(nickname)}`, "NICKNAME", { member: member.id }),
      put(`MEMBER#${member.id}`, "MEMBER", { email }),
    ]);
    return respond(201, member, { Location: `/api/v1/members/${member.id}` });
  },
  "members-login": async (event) => {
    const { email, password } = JSON.parse(body(event));
    const { found, failure } = await verifyPassword(event, email, password);
    return failure ?? respond(200, member(found));
  },
  "members-edit": async (event) => {
    const { password, name } = JSON.parse(body(event));
    const { found, failure } = await verifyMember(event, password);
    if (failure) return failure;
    const edited = { ...found, name };
    await transact([{ Put: { TableName, Item: marshall(edited), ...unchanged(found) } }]);
    return respond(200, member(edited));
  },
  "members-withdraw": async (event) => {
    const { password } = JSON.parse(body(event));
    const { found, failure } = await verifyMember(event, password);
    if (failure) return failure;
    await transact([
      { Delete: { TableName, Key: key(found.pk, "EMAIL"), ...unchanged(found) } },
      { Delete: { TableName, Key: key(`NICKNAME#${fold(found.nickname)}`, "NICKNAME") } },
      { Delete: { TableName, Key: key(`MEMBER#${found.id}`, "MEMBER") } },
    ]);
    return respond(204);
  },
  "events-create": async (event) => {
    const parts = await form(event);
    const { areas: sent, totalMap, eventDatetimes, ...details } = JSON.parse(parts.request);
    const id = randomUUID();
    const thumbnail = `${id}.png`;
    const areas = withIds(id, sent);
    const map = deflateSync(JSON.stringify({ totalMap, areas: sent }));
    const starts = Array.from({ length: Math.ceil(map.length / 390_000) }, (_, index) => index * 390_000);
    const chunks = starts.map((start) => map.subarray(start, start + 390_000));
    const item = {
      id, manager: event.headers["x-api-managerId"], version: 0, thumbnail, ...details,
      eventOpenTime: storedTime(details.eventOpenTime), ticketingOpenTime: storedTime(details.ticketingOpenTime),
      showTimes: eventDatetimes.map(storedTime), showNumbers: eventDatetimes.map((_, index) => FIRST_SHOW + index),
      chunks: chunks.length, listing: "LIVE",
    };
    await storePoster(thumbnail, parts.thumbnail);
    await transact([
      put(`EVENT#${id}`, "EVENT", item),
      ...chunks.map((data, index) => put(`EVENT#${id}`, `MAP#${String(index).padStart(3, "0")}`, { data })),
      ...locks(item, true),
      keepPoster(thumbnail),
    ]);
    return respond(201, { ...summary(item), totalMap, areas }, { Location: `/api/v1/events/${id}` });
  },
  "events-list": async (event) => {
    const limit = Number(event.queryStringParameters?.limit ?? 100);
    const { Items } = await dynamodb.send(new QueryCommand({
      TableName, IndexName: "listing", Limit: limit + 1, ScanIndexForward: false,
      KeyConditionExpression: "#listing = :live",
      ExpressionAttributeNames: { "#listing": "listing" }, ExpressionAttributeValues: { ":live": { S: "LIVE" } },
    }));
    const events = Items.slice(0, limit).map((item) => unmarshall(item));
    const next = `</api/v1/events?limit=${limit}&cursor=${events.at(-1)?.id}>; rel="next"`;
    return respond(200, events.map(summary), Items.length > limit ? { Link: next } : {});
  },
  "managers-events": async (event) => {
    const limit = Number(event.queryStringParameters?.limit ?? 100);
    const { Items } = await dynamodb.send(new QueryCommand({
      TableName, IndexName: "manager", ScanIndexForward: false,
      KeyConditionExpression: "#manager = :manager", FilterExpression: "attribute_not_exists(#expires)",
      ExpressionAttributeNames: { "#manager": "manager", "#expires": "expiresAt" },
      ExpressionAttributeValues: { ":manager": { S: event.headers["x-api-managerId"] } },
    }));
    const events = Items.slice(0, limit).map((item) => unmarshall(item));
    const elements = events.map((item) => {
      const registeredAt = timeText(parseInt(item.id.replace("-", "").slice(0, 12), 16));
      return { ...summary(item), status: "LIVE", registeredAt };
    });
    const next = `</api/v1/managers/me/events?limit=${limit}&cursor=${events.at(-1)?.id}>; rel="next"`;
    return respond(200, elements, Items.length > limit ? { Link: next } : {});
  },
  "events-get": async (event) => respond(200, summary(await live(event))),
  "events-detail": async (event) => {
    const { event: found, totalMap, areas } = await hall(event);
    return respond(200, { ...summary(found), totalMap, areas: withIds(found.id, areas) });
  },
  "events-seat-map": async (event) => ({
    statusCode: 200,
    headers: {
      "Content-Type": "image/svg+xml", "Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
    body: draw(await hall(event)),
  }),
  // The benchmark changes no times, and neither title nor place, so the locks stay.
  "events-edit": async (event) => {
    const found = await live(event);
    const changes = JSON.parse(body(event));
    await transact([edit(found, changes)]);
    return respond(200, summary({ ...found, ...changes }));
  },
  "events-thumbnail": async (event) => {
    const { thumbnail: content } = await form(event);
    const thumbnail = `${(await live(event)).id}-${randomUUID()}.png`;
    await storePoster(thumbnail, content);
    const found = await live(event);
    const expired = { Put: { TableName, Item: expiry(found.thumbnail, 86_400) } };
    await transact([edit(found, { thumbnail }), keepPoster(thumbnail), expired]);
    return respond(200, summary({ ...found, thumbnail }));
  },
  "events-delete": async (event) => {
    const found = await live(event);
    const { id, version, thumbnail, chunks } = found;
    const at = { ":at": { N: String(Math.floor(Date.now() / 1000) + 30 * 86_400) } };
    const expires = { "#expires": "expiresAt" };
    await transact([
      {
        Update: {
          TableName, Key: key(`EVENT#${id}`, "EVENT"),
          UpdateExpression: "SET #expires = :at REMOVE #listing",
          ConditionExpression: "#version = :version AND attribute_exists(#listing)",
          ExpressionAttributeNames: { ...expires, "#listing": "listing", "#version": "version" },
          ExpressionAttributeValues: { ...at, ":version": { N: String(version) } },
        },
      },
      ...Array.from({ length: chunks }, (_, index) => ({
        Update: {
          TableName, Key: key(`EVENT#${id}`, `MAP#${String(index).padStart(3, "0")}`),
          UpdateExpression: "SET #expires = :at",
          ExpressionAttributeNames: expires, ExpressionAttributeValues: at,
        },
      })),
      ...locks(found, false),
      { Put: { TableName, Item: expiry(thumbnail, 30 * 86_400) } },
    ]);
    return respond(204);
  },
  "events-restore": async (event) => {
    const id = event.pathParameters.eventId;
    const found = await read(`EVENT#${id}`, "EVENT");
    const { version, thumbnail, chunks } = found;
    const existing = { ConditionExpression: "attribute_exists(#pk)" };
    await transact([
      {
        Update: {
          TableName, Key: key(`EVENT#${id}`, "EVENT"),
          UpdateExpression: "SET #listing = :live REMOVE #expires",
          ConditionExpression: "#version = :version AND attribute_not_exists(#listing) AND #expires > :now",
          ExpressionAttributeNames: { "#expires": "expiresAt", "#listing": "listing", "#version": "version" },
          ExpressionAttributeValues: marshall({
            ":live": "LIVE", ":version": version, ":now": Math.floor(Date.now() / 1000),
          }),
        },
      },
      ...Array.from({ length: chunks }, (_, index) => ({
        Update: {
          TableName, Key: key(`EVENT#${id}`, `MAP#${String(index).padStart(3, "0")}`),
          UpdateExpression: "REMOVE #expires", ...existing,
          ExpressionAttributeNames: { "#pk": "pk", "#expires": "expiresAt" },
        },
      })),
      keepPoster(thumbnail),
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

const handle = functions[AWS_LAMBDA_FUNCTION_NAME];
for (;;) {
  const { headers, content } = await call("GET", "invocation/next");
  const id = headers["lambda-runtime-aws-request-id"];
  try {
    await call("POST", `invocation/${id}/response`, JSON.stringify(await handle(JSON.parse(content))));
  } catch (error) {
    await call("POST", `invocation/${id}/error`, JSON.stringify({ errorMessage: String(error), errorType: error.name }));
  }
}
