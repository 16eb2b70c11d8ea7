// Identity of a manager: the id in an open deployment, or a token if the deployment verifies managers.

import { createKey, nextPath, send } from "./client.js";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * Returns the headers that identify the manager; null if nobody has entered an id or a token.
 * @returns {Record<string, string> | null}
 */
export function readManager() {
  const identity = sessionStorage.getItem("manager") ?? localStorage.getItem("manager");
  if (!identity) return null;
  return UUID.test(identity) ? { "x-api-managerId": identity } : { Authorization: `Bearer ${identity}` };
}

/**
 * Keeps an id in this browser, and a token, which is a secret, until the tab is closed.
 * @param {string | null} identity
 */
export function writeManager(identity) {
  for (const storage of [sessionStorage, localStorage]) storage.removeItem("manager");
  if (identity) (UUID.test(identity) ? localStorage : sessionStorage).setItem("manager", identity);
}

/**
 * Sends a request as the manager.
 * @param {string} method
 * @param {string} path
 * @param {SendOptions} options
 */
export function sendAsManager(method, path, { headers, ...options } = {}) {
  return send(method, path, { ...options, headers: { ...readManager(), ...headers } });
}

/** Reads a list of the manager to its end, page by page. */
export async function* readPages(path) {
  for (let next = /** @type {string | undefined} */ (path); next;) {
    const { data, headers } = await sendAsManager("GET", next);
    yield* data;
    next = nextPath(headers);
  }
}

/** Returns a random UUID. `crypto.randomUUID` exists only on HTTPS and localhost. */
export function createManagerId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const digits = Array.from(bytes, byte => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

/**
 * Returns a function that posts fields as the manager, or instead of them a body. After a lost response, the same
 * fields are sent with the same key, so that nothing is made twice.
 */
export function createSender(path) {
  /** @type {{ content: string, key: string } | undefined} */
  let attempt;
  /**
   * @param {object} fields
   * @param {BodyInit} [body]
   */
  return async (fields, body) => {
    const content = JSON.stringify(fields);
    if (attempt?.content !== content) attempt = { content, key: createKey() };
    try {
      const response = await sendAsManager("POST", path, {
        ...(body ? { body } : { fields }),
        headers: { "Idempotency-Key": attempt.key },
      });
      attempt = undefined;
      return response;
    } catch (error) {
      // The first of two equal requests may still be in progress.
      if (error.status && error.status < 500 && error.code !== "C_010") attempt = undefined;
      throw error;
    }
  };
}
