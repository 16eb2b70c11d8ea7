// Registration of an event as the service takes it.

import { createSender } from "../service/manager.js";

const COMPRESSED_LENGTH = 100_000;
const post = createSender("/api/v1/events");

/**
 * Registers an event with its poster, and returns it.
 * @param {object} fields
 * @param {File} poster
 * @returns {Promise<EventSummary>}
 */
export async function register(fields, poster) {
  const { name, size, lastModified } = poster;
  const json = JSON.stringify(fields);
  const body = new FormData();
  body.append(
    "request",
    json.length > COMPRESSED_LENGTH ? await compress(json) : new Blob([json], { type: "application/json" }),
  );
  body.append("thumbnail", poster);
  return (await post({ fields, name, size, lastModified }, body)).data;
}

async function compress(json) {
  const stream = new Blob([json]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Blob([await new Response(stream).arrayBuffer()], { type: "application/gzip" });
}
