// Registration of an event as the service takes it.

import { createKey, send } from "../service/client.js";
import { readManager } from "../service/manager.js";

const COMPRESSED_LENGTH = 100_000;
let attempt;

/** Registers an event. An attempt after a lost response has the same key, so that it registers nothing twice. */
export async function register(fields, poster) {
  const json = JSON.stringify(fields), content = `${json}${poster.name}${poster.size}${poster.lastModified}`;
  if (attempt?.content !== content) attempt = { content, key: createKey() };
  const body = new FormData();
  body.append("request", json.length > COMPRESSED_LENGTH ? await compress(json) : new Blob([json], { type: "application/json" }));
  body.append("thumbnail", poster);
  const headers = { ...readManager(), "Idempotency-Key": attempt.key };
  return (await send("POST", "/api/v1/events", { headers, body })).data;
}

async function compress(json) {
  const stream = new Blob([json]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Blob([await new Response(stream).arrayBuffer()], { type: "application/gzip" });
}
