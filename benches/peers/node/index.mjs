// Five of the service's requests in short but fair JavaScript: the official SDK and popular packages.
//
// Each handler makes the calls of its function, and stores and returns the same data. It has only the branches that the
// benchmark takes: no validation, no verification of managers, no retries of lost races, no compression, no log.
import { createHash, randomUUID } from "node:crypto";
import http from "node:http";
import { deflateSync, inflateSync } from "node:zlib";
import { verify } from "@node-rs/argon2";
import {
  DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand, TransactWriteItemsCommand, UpdateItemCommand,
} from "@aws-sdk/client-dynamodb";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import busboy from "busboy";

const { TABLE_NAME: TableName, BUCKET_NAME: Bucket, AWS_LAMBDA_FUNCTION_NAME, AWS_LAMBDA_RUNTIME_API } = process.env;
const dynamodb = new DynamoDBClient({});
const s3 = AWS_LAMBDA_FUNCTION_NAME === "events-create" ? new S3Client({}) : undefined;

const respond = (statusCode, data, headers) => ({
  statusCode,
  headers: { "Content-Type": "application/json", "Access-Control-Allow-Origin": "*", ...headers },
  body: JSON.stringify({ message: "요청이 처리되었습니다.", code: "0", data }),
});
const body = (event) => Buffer.from(event.body, event.isBase64Encoded ? "base64" : "utf8");
const header = (event, name) => event.multiValueHeaders[name][0];
const fold = (text) => text.normalize("NFKC").toLowerCase();
const now = () => Math.floor(Date.now() / 1000);

// DynamoDB

const key = (pk, sk) => marshall({ pk, sk });
const isNew = { ConditionExpression: "attribute_not_exists(pk)" };
const read = async (pk, sk) => {
  const { Item } = await dynamodb.send(new GetItemCommand({ TableName, Key: key(pk, sk), ConsistentRead: true }));
  return Item && unmarshall(Item);
};
const query = async (input) => {
  const { Items } = await dynamodb.send(new QueryCommand({ TableName, ...input }));
  return Items.map((item) => unmarshall(item));
};
const put = (pk, sk, item) =>
  ({ Put: { TableName, Item: marshall({ pk, sk, ...item }, { removeUndefinedValues: true }), ...isNew } });
const update = (Key, UpdateExpression, ConditionExpression, values, ExpressionAttributeNames) => {
  const ExpressionAttributeValues = marshall(values);
  return { TableName, Key, UpdateExpression, ConditionExpression, ExpressionAttributeNames, ExpressionAttributeValues };
};

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
  ticketingCloseMinutes: item.ticketingCloseMinutes, maxSeats: item.maxSeats,
  eventOpenTime: readTime(item.eventOpenTime), ticketingOpenTime: readTime(item.ticketingOpenTime),
  eventDatetimes: item.showTimes.map((time, index) =>
    ({ id: partId(id, item.showNumbers[index]), datetime: readTime(time) })),
});
const words = (text) => fold(text).trim().split(/\s+/).join(" ");
const month = (date) => (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth();
const lockItem = (show) => `SHOW#${String(month(new Date(show)) % 24).padStart(2, "0")}`;
// Locks the shows of an event in an item of its title and place for each month.
const locks = ({ id, title, place, showTimes }) => {
  const digest = createHash("sha256").update([words(title), words(place)].join("\n")).digest("base64url");
  const shows = showTimes.map(readTime);
  return [...new Set(shows.map(lockItem))].map((sk) => {
    const ofItem = shows.filter((show) => lockItem(show) === sk);
    const names = Object.fromEntries(ofItem.map((show, index) => [`#${index}`, show]));
    const condition = Object.keys(names).map((name) => `attribute_not_exists(${name})`).join(" AND ");
    const expression = `SET ${Object.keys(names).map((name) => `${name} = :event`)}`;
    return { Update: update(key(`SHOW#${digest}`, sk), expression, condition, { ":event": id }, names) };
  });
};
const posterKey = (thumbnail) => key(`POSTER#${thumbnail}`, "POSTER");
const storePoster = async (thumbnail, Body) => {
  const Item = { ...posterKey(thumbnail), expiresAt: { N: String(now() + 3_600) } };
  await dynamodb.send(new PutItemCommand({ TableName, Item, ...isNew }));
  const CacheControl = "public, max-age=31536000, immutable";
  const Key = `upload/${thumbnail}`;
  await s3.send(new PutObjectCommand({ Bucket, Key, Body, ContentType: "image/png", CacheControl }));
};
const withIds = (eventId, areas) => {
  let number = FIRST_SEAT;
  return areas.map(({ seats, ...area }, index) => {
    const id = partId(eventId, index);
    const withId = (seat) => ({ id: partId(eventId, number++), areaId: id, ...seat });
    return { id, eventId, ...area, seats: seats.map(withId) };
  });
};
const form = (event) =>
  new Promise((resolve, reject) => {
    const parts = {};
    const reader = busboy({ headers: { "content-type": header(event, "Content-Type") } });
    reader.on("field", (name, value) => (parts[name] = value));
    reader.on("file", (name, stream) => {
      const chunks = [];
      stream.on("data", (chunk) => chunks.push(chunk)).on("end", () => (parts[name] = Buffer.concat(chunks)));
    });
    reader.on("close", () => resolve(parts)).on("error", reject).end(body(event));
  });

// Requests

const functions = {
  // Counts the attempt to log in as a failure, and takes it back if the password is correct.
  "members-login": async (event) => {
    const { email, password } = JSON.parse(body(event));
    const pk = `EMAIL#${fold(email)}`;
    const [failures, client, time] = [key(pk, "FAILURES"), event.requestContext.identity.sourceIp, now()];
    const count = update(
      failures, "SET expiresAt = :end, failures = :one, clients = :clients",
      "attribute_not_exists(clients) OR expiresAt <= :now",
      { ":now": time, ":end": time + 900, ":one": 1, ":clients": { [client]: 1 } },
    );
    const [found] = await Promise.all([read(pk, "EMAIL"), dynamodb.send(new UpdateItemCommand(count))]);
    if (!(await verify(found.password, password))) return respond(401);
    const [expression, values] = ["SET failures = failures - :one REMOVE clients.#client", { ":now": time, ":one": 1 }];
    const takeBack = update(failures, expression, "expiresAt > :now", values, { "#client": client });
    await dynamodb.send(new UpdateItemCommand(takeBack));
    const { id, name, nickname } = found;
    return respond(200, { id, email: found.email, name, nickname });
  },
  "events-create": async (event) => {
    const parts = await form(event);
    const { areas, totalMap, eventDatetimes, ...details } = JSON.parse(parts.request);
    const [id, map] = [randomUUID(), deflateSync(JSON.stringify({ totalMap, areas }))];
    const created = {
      id, manager: header(event, "x-api-managerId"), version: 0, thumbnail: `${id}.png`, ...details,
      eventOpenTime: storedTime(details.eventOpenTime), ticketingOpenTime: storedTime(details.ticketingOpenTime),
      showTimes: eventDatetimes.map(storedTime), showNumbers: eventDatetimes.map((_, index) => FIRST_SHOW + index),
      chunks: Math.ceil(map.length / 390_000), listing: "LIVE",
    };
    const chunks = Array.from({ length: created.chunks }, (_, index) => {
      const data = { B: map.subarray(index * 390_000, (index + 1) * 390_000) };
      const Item = { ...key(`EVENT#${id}`, `MAP#${String(index).padStart(3, "0")}`), data };
      return { Put: { TableName, Item, ...isNew } };
    });
    await storePoster(created.thumbnail, parts.thumbnail);
    const Key = posterKey(created.thumbnail);
    await dynamodb.send(new TransactWriteItemsCommand({ TransactItems: [
      put(`EVENT#${id}`, "EVENT", created),
      ...chunks,
      ...locks(created),
      { Delete: { TableName, Key, ConditionExpression: "attribute_exists(pk)" } },
    ] }));
    const data = { ...summary(created), totalMap, areas: withIds(id, areas) };
    return respond(201, data, { Location: `/api/v1/events/${id}` });
  },
  // Reads a page of the list, newest first.
  "events-list": async (event) => {
    const limit = Number(event.multiValueQueryStringParameters?.limit?.[0] ?? 100);
    const found = await query({
      IndexName: "listing", Limit: limit + 1, ScanIndexForward: false, KeyConditionExpression: "listing = :value",
      ExpressionAttributeValues: marshall({ ":value": "LIVE" }),
    });
    const events = found.slice(0, limit);
    const next = { Link: `</api/v1/events?limit=${limit}&cursor=${events.at(-1)?.id}>; rel="next"` };
    return respond(200, events.map(summary), found.length > limit ? next : {});
  },
  "events-get": async (event) => {
    const found = await read(`EVENT#${event.pathParameters.eventId}`, "EVENT");
    if (!found?.listing) throw new Error("no such event");
    return respond(200, summary(found));
  },
  // Reads the event, then its chunks. Only here, halls of peers have a prefix of their own.
  "events-detail": async (event) => {
    const ExpressionAttributeValues = { ":pk": { S: `PEER#${event.pathParameters.eventId}` } };
    const condition = { KeyConditionExpression: "pk = :pk", ExpressionAttributeValues };
    const [found, ...chunks] = await query({ ConsistentRead: true, ...condition });
    const { totalMap, areas } = JSON.parse(inflateSync(Buffer.concat(chunks.map(({ data }) => data))));
    return respond(200, { ...summary(found), totalMap, areas: withIds(found.id, areas) });
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
  const path = `invocation/${headers["lambda-runtime-aws-request-id"]}`;
  try {
    await call("POST", `${path}/response`, JSON.stringify(await handle(JSON.parse(content))));
  } catch (error) {
    await call("POST", `${path}/error`, JSON.stringify({ errorMessage: String(error), errorType: error.name }));
  }
}
