// Session of the member who is logged in. All tabs share it, because a refresh token can be used only once.

import { send } from "./client.js";

/** Says that the member has logged in or out, in this tab or another. */
export const sessionEvents = new EventTarget();

/**
 * Returns null without a session, also if another program has written something else there.
 * @returns {Schemas["Tokens"] | null}
 */
function readSession() {
  try {
    const session = JSON.parse(localStorage.getItem("session") ?? "null");
    return session?.accessToken && session.refreshToken ? session : null;
  } catch {
    return null;
  }
}

/** @param {Schemas["Tokens"] | null} session */
function writeSession(session) {
  const before = readMemberId();
  if (session) localStorage.setItem("session", JSON.stringify(session));
  else localStorage.removeItem("session");
  if (readMemberId() !== before) sessionEvents.dispatchEvent(new Event("change"));
}

/**
 * Runs a task while no other request and no other tab changes the session. Browsers have locks only on HTTPS and
 * localhost; elsewhere simultaneous refreshes are sent, and the service gives all of them the same successor.
 * @template T
 * @param {() => T} task
 */
function lockSession(task) {
  return navigator.locks?.request("session", task) ?? task();
}

/**
 * Returns the id of the member: the subject of the access token; undefined without a session.
 * @returns {string | undefined}
 */
export function readMemberId() {
  const claims = readSession()?.accessToken.split(".")[1] ?? "";
  try {
    return JSON.parse(atob(claims.replaceAll("-", "+").replaceAll("_", "/"))).sub;
  } catch {
    return undefined;
  }
}

export const pathOfMember = () => `/api/v1/members/${encodeURIComponent(String(readMemberId()))}`;

/** @param {Schemas["JoinRequest"]} fields */
export async function join(fields) {
  await send("POST", "/api/v1/auth/join", { fields });
  return logIn(fields);
}

/** @param {Schemas["LoginRequest"]} fields */
export async function logIn({ email, password }) {
  const result = await send("POST", "/api/v1/auth/login", { fields: { email, password } });
  await replaceSession(result.data);
  return result;
}

/** Ends the session. Without a connection it is only forgotten in this browser, and ends when it expires. */
export const logOut = () => replaceSession(null);

/** @param {Schemas["Tokens"] | null} next */
async function replaceSession(next) {
  const before = await lockSession(() => {
    const session = readSession();
    writeSession(next);
    return session;
  });
  if (before) await send("POST", "/api/v1/auth/logout", { fields: before }).catch(() => {});
}

/**
 * Fetches with the access token. If it is not valid any more, refreshes the session and fetches again. Returns the
 * response of the refresh if that fails.
 * @param {string} path
 * @param {RequestInit} options
 */
export async function authorized(path, options = {}) {
  const fetchWith = (/** @type {Schemas["Tokens"] | null} */ session) => {
    const headers = new Headers(options.headers);
    if (session) headers.set("Authorization", `Bearer ${session.accessToken}`);
    return fetch(path, { ...options, headers });
  };
  const session = readSession();
  const response = await fetchWith(session);
  if (response.status !== 401 || !session) return response;
  return (await refresh(session)) ?? fetchWith(readSession());
}

/**
 * Refreshes a session, unless another request or tab has done so. Returns the response only if it is an error.
 * @param {Schemas["Tokens"]} session
 */
function refresh({ accessToken, refreshToken }) {
  return lockSession(async () => {
    if (readSession()?.accessToken !== accessToken) return undefined;
    const headers = { "Content-Type": "application/json" };
    const body = JSON.stringify({ refreshToken });
    const response = await fetch("/api/v1/auth/refresh", { method: "POST", headers, body });
    const next = response.ok ? (await response.json()).data : null;
    // Meanwhile somebody may have logged out, or in again: locks exist only on HTTPS and localhost. After another error
    // than 401, the session may still be valid.
    const isCurrent = readSession()?.refreshToken === refreshToken;
    if (isCurrent && (next || response.status === 401)) writeSession(next);
    return next ? undefined : response;
  });
}

addEventListener("storage", ({ key }) => {
  if (key === "session" || key === null) sessionEvents.dispatchEvent(new Event("change"));
});
