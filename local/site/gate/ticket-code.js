// Codes of tickets, read and verified without the service: the byte 1, the ids of event, show, hold and seat, and an
// ES256 signature, all in base64url.

const PAYLOAD = 65;
const ALGORITHM = { name: "ECDSA", namedCurve: "P-256", hash: "SHA-256" };

/**
 * Reads a scanned text, which may have more before the code; `undefined` if it is no code. A ticket may have several
 * codes, but only one `id`.
 * @param {string} text
 */
export function readCode(text) {
  const code = text.split(/[/#=]/).at(-1)?.trim() ?? "";
  if (!/^[\w-]{172}$/.test(code)) return undefined;
  const bytes = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), letter => letter.charCodeAt(0));
  const hex = Array.from(bytes.subarray(1, PAYLOAD), byte => byte.toString(16).padStart(2, "0")).join("");
  const [eventId, showId, holdId, seatId] = [0, 1, 2, 3].map(index =>
    hex.slice(32 * index, 32 * (index + 1)).replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-"),
  );
  return bytes[0] === 1 ? { id: hex.slice(64), eventId, showId, holdId, seatId, bytes } : undefined;
}

/**
 * Tells if one of the service's keys has signed a code.
 * @param {{ bytes: Uint8Array<ArrayBuffer> }} code
 * @param {JsonWebKey[]} keys
 */
export async function isSigned({ bytes }, keys) {
  const [payload, signature] = [bytes.subarray(0, PAYLOAD), bytes.subarray(PAYLOAD)];
  for (const jwk of keys) {
    const key = await crypto.subtle.importKey("jwk", jwk, ALGORITHM, false, ["verify"]);
    if (await crypto.subtle.verify(ALGORITHM, key, signature, payload)) return true;
  }
  return false;
}
