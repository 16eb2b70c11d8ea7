// Requests to the service, and its envelope: `{message, code, data}` or `{message, code, errors}`.

const DEFAULT_REASON = "올바르지 않은 값이에요.";
/** @type {Record<string, string>} */
const REASONS = { "must be a well-formed email address": "올바른 이메일 형식이 아니에요." };

/** Gateways, and one reason of the service, have English texts, which visitors do not see. */
const isKorean = text => /[가-힣]/.test(text);

/** @param {{ field: string, reason: string }} error */
const inKorean = error =>
  isKorean(error.reason) ? error : { ...error, reason: REASONS[error.reason] ?? DEFAULT_REASON };

export class ServiceError extends Error {
  /**
   * @param {Partial<Schemas["Failure"]>} failure
   * @param {number} status Zero without a response
   * @param {number} retryAfter Seconds
   */
  constructor({ message = "", code, errors = [] } = {}, status = 0, retryAfter = 0) {
    super(isKorean(message) ? message : "서비스에 연결하지 못했어요. 잠시 후 다시 시도해 주세요.");
    this.code = code;
    this.errors = errors.map(inKorean);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/**
 * Sends a request. Returns data and message of the envelope, and the headers. `fields` become a JSON body; `request`
 * replaces `fetch`, for example by the one of a session.
 * @param {string} method
 * @param {string} path
 * @param {SendOptions} options
 * @returns {Promise<{ data: any, message: string, headers: Headers }>}
 */
export async function send(method, path, { fields, headers, body, signal, request = fetch } = {}) {
  const json = fields && { "Content-Type": "application/json" };
  let response;
  /** @type {any} */
  let envelope = {};
  try {
    headers = { Accept: "application/json", ...json, ...headers };
    body = fields ? JSON.stringify(fields) : body;
    response = await request(path, { method, body, headers, signal, cache: "no-cache" });
    const text = await response.text();
    if (text && response.status !== 204) envelope = JSON.parse(text);
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ServiceError();
  }
  if (!response.ok) throw new ServiceError(envelope, response.status, Number(response.headers.get("Retry-After")));
  return { ...envelope, headers: response.headers };
}

/**
 * Returns the path of the next page from the header `Link: <path>; rel="next"`.
 * @param {Headers} headers
 */
export function nextPath(headers) {
  return /<([^>]+)>\s*;\s*rel="?next"?/.exec(headers.get("Link") ?? "")?.[1];
}

/** Returns a key for `Idempotency-Key`. `crypto.randomUUID` exists only on HTTPS and localhost. */
export function createKey() {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), number => number.toString(36)).join("");
}

export const pathOfEvent = id => `/api/v1/events/${encodeURIComponent(id)}`;
export const pathOfOwnEvent = id => `/api/v1/managers/me/events/${encodeURIComponent(id)}`;
export const pathOfShow = (eventId, showId) => `${pathOfEvent(eventId)}/dates/${encodeURIComponent(showId)}`;
/** @param {{ thumbnail: string }} event */
export const pathOfPoster = ({ thumbnail }) => `/upload/${encodeURIComponent(thumbnail)}`;
