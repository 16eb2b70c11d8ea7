// The service's requests in short but fair JavaScript: the official SDK and popular packages.
import { createHash, randomBytes, randomUUID } from "node:crypto";
import http from "node:http";
import { deflateRawSync } from "node:zlib";
import { hash, verify } from "@node-rs/argon2";
import { DynamoDBClient, GetItemCommand, PutItemCommand, QueryCommand, TransactWriteItemsCommand } from "@aws-sdk/client-dynamodb";
import { PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import { marshall, unmarshall } from "@aws-sdk/util-dynamodb";
import busboy from "busboy";

const { TABLE_NAME: TableName, BUCKET_NAME: Bucket, AWS_LAMBDA_FUNCTION_NAME, AWS_LAMBDA_RUNTIME_API } = process.env;
const [memoryCost, timeCost, parallelism] = process.env.ARGON2_PARAMS.match(/\d+/g).map(Number);
const dynamodb = new DynamoDBClient({});
const s3 = AWS_LAMBDA_FUNCTION_NAME === "events-create" ? new S3Client({}) : undefined;

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
const time = (value) => new Date(typeof value === "number" ? value * 1000 : value).toISOString();
const live = async (event) => {
  const item = await read(`EVENT#${event.pathParameters.eventId}`, "EVENT");
  if (!item?.listing) throw new Error("no such event");
  return item;
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
    const found = await read(`EMAIL#${fold(email)}`, "EMAIL");
    if (!found || !(await verify(found.password, password))) return respond(401);
    const { id, name, nickname } = found;
    return respond(200, { id, email: found.email, name, nickname });
  },
  "events-create": async (event) => {
    const parts = await form(event);
    const { areas: sent, totalMap, eventDatetimes, ...details } = JSON.parse(parts.request);
    const id = randomUUID();
    const thumbnail = `${id}.png`;
    const shows = eventDatetimes.map(time);
    const [eventOpenTime, ticketingOpenTime] = [time(details.eventOpenTime), time(details.ticketingOpenTime)];
    const areas = sent.map((area) => {
      const areaId = randomUUID();
      const seats = area.seats.map((seat) => ({ id: randomUUID(), areaId, ...seat }));
      return { id: areaId, eventId: id, ...area, seats };
    });
    const map = deflateRawSync(JSON.stringify({ totalMap, areas: sent }));
    const chunks = Array.from({ length: Math.ceil(map.length / 390_000) }, (_, i) => map.subarray(i * 390_000, (i + 1) * 390_000));
    const eventDates = shows.map((datetime) => ({ id: randomUUID(), datetime }));
    const summary = { id, ...details, thumbnail, eventDatetimes: eventDates, eventOpenTime, ticketingOpenTime };
    const partition = lockPartition(details.title, details.place);
    const item = {
      id, summary: JSON.stringify(summary), manager: event.headers["x-api-managerId"], chunks: chunks.length, locks: partition,
      listing: "LIVE",
    };
    const poster = key(`POSTER#${thumbnail}`, "POSTER");
    await dynamodb.send(new PutItemCommand({
      TableName, Item: { ...poster, expiresAt: { N: String(Math.floor(Date.now() / 1000) + 3_600) } },
      ConditionExpression: "attribute_not_exists(#pk)", ExpressionAttributeNames: { "#pk": "pk" },
    }));
    await s3.send(new PutObjectCommand({
      Bucket, Key: `upload/${thumbnail}`, Body: parts.thumbnail, ContentType: "image/png",
      CacheControl: "public, max-age=31536000, immutable",
    }));
    await transact([
      put(`EVENT#${id}`, "EVENT", item),
      ...chunks.map((data, index) => put(`EVENT#${id}`, `MAP#${String(index).padStart(3, "0")}`, { data })),
      ...locks(partition, shows, id),
      {
        Delete: {
          TableName, Key: poster,
          ConditionExpression: "attribute_exists(#pk)", ExpressionAttributeNames: { "#pk": "pk" },
        },
      },
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
  "events-get": async (event) => respondWithJson((await live(event)).summary),
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
      { Put: { TableName, Item: { ...key(`POSTER#${thumbnail}`, "POSTER"), expiresAt: at[":at"] } } },
    ]);
    return respond(204);
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
