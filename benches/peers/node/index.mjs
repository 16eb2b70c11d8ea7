// The service's requests in short but fair JavaScript: the official SDK and popular packages.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import http from "node:http";
import { deflateSync, inflateSync } from "node:zlib";
import { hash, verify } from "@node-rs/argon2";
import {
  BatchGetItemCommand, ConditionalCheckFailedException, DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand,
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
// Sends stored JSON unchanged, as the function does.
const respondWithJson = (json, headers) => ({
  statusCode: 200,
  headers: { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*", ...headers },
  body: `{"message":"요청이 처리되었습니다.","code":"0","data":${json}}`,
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
const lockPartition = (title, place) =>
  `SHOW#${createHash("sha256").update([fold(title), fold(place)].join("\n")).digest("base64url")}`;
const lockItem = (show) => {
  const [year, month] = show.split("-").map(Number);
  return `SHOW#${String(((year - 1970) * 12 + month - 1) % 24).padStart(2, "0")}`;
};
const locks = (partition, shows, id) =>
  [...new Set(shows.map(lockItem))].map((sk) => {
    const ofItem = shows.filter((show) => lockItem(show) === sk);
    const names = ofItem.map((_, index) => `#${index}`);
    const condition = names.map((name) => `attribute_not_exists(${name})`).join(" AND ");
    const set = `SET ${names.map((name) => `${name} = :event`).join(", ")}`;
    return {
      Update: {
        TableName, Key: key(partition, sk),
        UpdateExpression: id ? set : `REMOVE ${names.join(", ")}`,
        ExpressionAttributeNames: Object.fromEntries(ofItem.map((show, index) => [`#${index}`, show])),
        ...(id && { ConditionExpression: condition, ExpressionAttributeValues: { ":event": { S: id } } }),
      },
    };
  });
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
const replaceSummary = ({ id, version }, summary) => ({
  Update: {
    TableName, Key: key(`EVENT#${id}`, "EVENT"),
    UpdateExpression: "SET #summary = :summary, #version = :new",
    ConditionExpression: "attribute_exists(#listing) AND #version = :version",
    ExpressionAttributeNames: { "#summary": "summary", "#version": "version", "#listing": "listing" },
    ExpressionAttributeValues: marshall({
      ":summary": JSON.stringify(summary), ":new": version + 1, ":version": version,
    }),
  },
});
const time = (value) => new Date(typeof value === "number" ? value * 1000 : value).toISOString();
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
  return { id, summary: found.summary, ...map };
};
// Ids of areas (kind 0) and seats (kind 1), made from the event's id as in the function.
const partId = (eventId, kind, number) =>
  `${eventId.slice(0, 14)}8${eventId.slice(15, 28)}${(kind * 2 ** 30 + number).toString(16).padStart(8, "0")}`;
const withIds = (eventId, areas) => {
  let number = 0;
  return areas.map(({ seats, ...area }, index) => {
    const id = partId(eventId, 0, index);
    return { id, eventId, ...area, seats: seats.map((seat) => ({ id: partId(eventId, 1, number++), areaId: id, ...seat })) };
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
// Counts a failed login in a window of 15 minutes.
const countFailure = async (pk, sk) => {
  const now = Math.floor(Date.now() / 1000);
  const update = {
    TableName, Key: key(pk, sk), ExpressionAttributeNames: { "#expires": "expiresAt", "#failures": "failures" },
    ExpressionAttributeValues: marshall({ ":now": now, ":end": now + 900, ":one": 1 }),
  };
  try {
    await dynamodb.send(new UpdateItemCommand({
      ...update, UpdateExpression: "SET #expires = if_not_exists(#expires, :end) ADD #failures :one",
      ConditionExpression: "attribute_not_exists(#expires) OR #expires > :now",
    }));
  } catch (error) {
    if (!(error instanceof ConditionalCheckFailedException)) throw error;
    await dynamodb.send(new UpdateItemCommand({
      ...update, UpdateExpression: "SET #expires = :end, #failures = :one", ConditionExpression: "#expires <= :now",
    }));
  }
};
// Checks a password with login throttling, and returns the login item or a response.
const verifyPassword = async (event, pk, password) => {
  const client = `FAILURES#${event.requestContext.identity.sourceIp}`;
  const Keys = ["EMAIL", client, "FAILURES"].map((sk) => key(pk, sk));
  const { Responses } = await dynamodb.send(new BatchGetItemCommand({
    RequestItems: { [TableName]: { Keys, ConsistentRead: true } },
  }));
  const items = Responses[TableName].map((item) => unmarshall(item));
  const now = Date.now() / 1000;
  for (const [sk, limit] of [[client, 10], ["FAILURES", 100]]) {
    const counter = items.find((item) => item.sk === sk && item.expiresAt > now);
    const retryAfter = { "Retry-After": String(Math.ceil(counter?.expiresAt - now)) };
    if (counter?.failures >= limit) return { failure: respond(429, undefined, retryAfter) };
  }
  const found = items.find((item) => item.sk === "EMAIL");
  // An unknown account takes the same work.
  if (await verify(found?.password ?? unknown, password)) return { found };
  await Promise.all([client, "FAILURES"].map((sk) => countFailure(pk, sk)));
  return { failure: respond(401) };
};
// Checks the password of the member in the path.
const verifyMember = async (event, password) => {
  const pk = `MEMBER#${event.pathParameters.memberId}`;
  const found = await read(pk, "MEMBER");
  return verifyPassword(event, found ? `EMAIL#${fold(found.email)}` : pk, password);
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
      put(`MEMBER#${member.id}`, "MEMBER", member),
    ]);
    return respond(201, member, { Location: `/api/v1/members/${member.id}` });
  },
  "members-login": async (event) => {
    const { email, password } = JSON.parse(body(event));
    const { found, failure } = await verifyPassword(event, `EMAIL#${fold(email)}`, password);
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
    const shows = eventDatetimes.map(time);
    const [eventOpenTime, ticketingOpenTime] = [time(details.eventOpenTime), time(details.ticketingOpenTime)];
    const areas = withIds(id, sent);
    const map = deflateSync(JSON.stringify({ totalMap, areas: sent }));
    const starts = Array.from({ length: Math.ceil(map.length / 390_000) }, (_, index) => index * 390_000);
    const chunks = starts.map((start) => map.subarray(start, start + 390_000));
    const eventDates = shows.map((datetime) => ({ id: randomUUID(), datetime }));
    const summary = { id, ...details, thumbnail, eventDatetimes: eventDates, eventOpenTime, ticketingOpenTime };
    const partition = lockPartition(details.title, details.place);
    const item = {
      id, summary: JSON.stringify(summary), manager: event.headers["x-api-managerId"], chunks: chunks.length,
      locks: partition, version: 0, listing: "LIVE",
    };
    await storePoster(thumbnail, parts.thumbnail);
    await transact([
      put(`EVENT#${id}`, "EVENT", item),
      ...chunks.map((data, index) => put(`EVENT#${id}`, `MAP#${String(index).padStart(3, "0")}`, { data })),
      ...locks(partition, shows, id),
      keepPoster(thumbnail),
    ]);
    return respond(201, { ...summary, totalMap, areas }, { Location: `/api/v1/events/${id}` });
  },
  "events-list": async (event) => {
    const limit = Number(event.queryStringParameters?.limit ?? 100);
    const { Items } = await dynamodb.send(new QueryCommand({
      TableName, IndexName: "listing", Limit: limit + 1, ScanIndexForward: false,
      KeyConditionExpression: "#listing = :live", ProjectionExpression: "#id, #summary",
      ExpressionAttributeNames: { "#listing": "listing", "#id": "id", "#summary": "summary" },
      ExpressionAttributeValues: { ":live": { S: "LIVE" } },
    }));
    const events = Items.slice(0, limit).map((item) => unmarshall(item));
    const cursor = events.at(-1)?.id;
    return respondWithJson(`[${events.map((event) => event.summary).join(",")}]`, Items.length > limit ? { Link: `</api/v1/events?limit=${limit}&cursor=${cursor}>; rel="next"` } : {});
  },
  "managers-events": async (event) => {
    const limit = Number(event.queryStringParameters?.limit ?? 100);
    const { Items } = await dynamodb.send(new QueryCommand({
      TableName, IndexName: "manager", ScanIndexForward: false,
      KeyConditionExpression: "#manager = :manager", FilterExpression: "attribute_not_exists(#expires)",
      ProjectionExpression: "#id, #summary",
      ExpressionAttributeNames: { "#manager": "manager", "#expires": "expiresAt", "#id": "id", "#summary": "summary" },
      ExpressionAttributeValues: { ":manager": { S: event.headers["x-api-managerId"] } },
    }));
    const events = Items.slice(0, limit).map((item) => unmarshall(item));
    const elements = events.map(({ id, summary }) => {
      const registeredAt = new Date(parseInt(id.replace("-", "").slice(0, 12), 16)).toISOString();
      return `${summary.slice(0, -1)},"status":"LIVE","registeredAt":"${registeredAt}"}`;
    });
    const next = `</api/v1/managers/me/events?limit=${limit}&cursor=${events.at(-1)?.id}>; rel="next"`;
    return respondWithJson(`[${elements.join(",")}]`, Items.length > limit ? { Link: next } : {});
  },
  "events-get": async (event) => respondWithJson((await live(event)).summary),
  "events-detail": async (event) => {
    const { id, summary, totalMap, areas } = await hall(event);
    return respondWithJson(`${summary.slice(0, -1)},${JSON.stringify({ totalMap, areas: withIds(id, areas) }).slice(1)}`);
  },
  "events-seat-map": async (event) => ({
    statusCode: 200,
    headers: {
      "Content-Type": "image/svg+xml", "Access-Control-Allow-Origin": "*", "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; style-src 'unsafe-inline'; sandbox",
    },
    body: draw(await hall(event)),
  }),
  // The benchmark moves no shows.
  "events-edit": async (event) => {
    const found = await live(event);
    const edited = { ...JSON.parse(found.summary), ...JSON.parse(body(event)) };
    await transact([replaceSummary(found, edited)]);
    return respond(200, edited);
  },
  "events-thumbnail": async (event) => {
    const { thumbnail: content } = await form(event);
    const thumbnail = `${(await live(event)).id}-${randomUUID()}.png`;
    await storePoster(thumbnail, content);
    const found = await live(event);
    const summary = JSON.parse(found.summary);
    const edited = { ...summary, thumbnail };
    const expired = { Put: { TableName, Item: expiry(summary.thumbnail, 86_400) } };
    await transact([replaceSummary(found, edited), keepPoster(thumbnail), expired]);
    return respond(200, edited);
  },
  "events-delete": async (event) => {
    const { id, locks: partition, chunks, summary } = await live(event);
    const { thumbnail, eventDatetimes } = JSON.parse(summary);
    const at = { ":at": { N: String(Math.floor(Date.now() / 1000) + 30 * 86_400) } };
    const expires = { "#expires": "expiresAt" };
    await transact([
      {
        Update: {
          TableName, Key: key(`EVENT#${id}`, "EVENT"),
          UpdateExpression: "SET #expires = :at REMOVE #listing",
          ConditionExpression: "attribute_exists(#listing)",
          ExpressionAttributeNames: { ...expires, "#listing": "listing" }, ExpressionAttributeValues: at,
        },
      },
      ...Array.from({ length: chunks }, (_, index) => ({
        Update: {
          TableName, Key: key(`EVENT#${id}`, `MAP#${String(index).padStart(3, "0")}`),
          UpdateExpression: "SET #expires = :at",
          ExpressionAttributeNames: expires, ExpressionAttributeValues: at,
        },
      })),
      ...locks(partition, eventDatetimes.map((show) => show.datetime)),
      { Put: { TableName, Item: expiry(thumbnail, 30 * 86_400) } },
    ]);
    return respond(204);
  },
  "events-restore": async (event) => {
    const id = event.pathParameters.eventId;
    const { locks: partition, chunks, summary } = await read(`EVENT#${id}`, "EVENT");
    const { thumbnail, eventDatetimes } = JSON.parse(summary);
    const existing = { ConditionExpression: "attribute_exists(#pk)" };
    await transact([
      {
        Update: {
          TableName, Key: key(`EVENT#${id}`, "EVENT"),
          UpdateExpression: "SET #listing = :live REMOVE #expires",
          ConditionExpression: "attribute_not_exists(#listing) AND #expires > :now",
          ExpressionAttributeNames: { "#expires": "expiresAt", "#listing": "listing" },
          ExpressionAttributeValues: marshall({ ":live": "LIVE", ":now": Math.floor(Date.now() / 1000) }),
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
      ...locks(partition, eventDatetimes.map((show) => show.datetime), id),
    ]);
    return respondWithJson(summary);
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
