// Practice payments: the local stack plays the order service, which charges members, confirms holds and cancels orders.
// A real page never sends these requests.

import { send } from "./client.js";
import { holdOf } from "./holds.js";
import { authorized } from "./session.js";

/** @param {Hold} hold */
export const confirmHold = hold => sendOrder("PUT", hold);
/** @param {Hold} hold */
export const cancelOrder = hold => sendOrder("DELETE", hold);

/**
 * @param {"PUT" | "DELETE"} method
 * @param {Hold} hold
 * @returns {Promise<Hold>}
 */
async function sendOrder(method, { eventId, eventDatetimeId, id }) {
  return holdOf(await send(method, `/practice/${eventId}/${eventDatetimeId}/${id}`, { request: authorized }));
}
