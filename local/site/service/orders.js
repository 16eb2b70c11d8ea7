// Plays the order service, which charges members and confirms holds. A real page never sends these requests.

import { pathOfShow, send } from "./client.js";
import { holdOf } from "./holds.js";
import { readManager } from "./manager.js";

// An open deployment accepts every manager as an order service.
const ANY_MANAGER = { "x-api-managerId": "2c9d4e6b-8f10-4a37-b5c2-7e1d0f9a8b63" };

/**
 * Confirms a hold. Its order is the same in every attempt, so that none is confirmed twice.
 * @param {Hold} hold
 */
export const confirmHold = hold =>
  sendOrder(hold, "confirmation", { orderId: `order-${hold.id.slice(-12)}`, amount: hold.amount });
/** @param {Hold} hold */
export const cancelOrder = hold => sendOrder(hold, "cancellation", { orderId: hold.orderId });

/**
 * @param {Hold} hold
 * @param {"confirmation" | "cancellation"} action
 * @param {object} fields
 * @returns {Promise<Hold>}
 */
async function sendOrder(hold, action, fields) {
  const path = `${pathOfShow(hold.eventId, hold.eventDatetimeId)}/holds/${hold.id}/${action}`;
  return holdOf(await send("POST", path, { fields, headers: readManager() ?? ANY_MANAGER }));
}
