// Plays the order service, which charges members and confirms holds. A real page never sends these requests.

import { createKey, pathOfShow, send } from "./client.js";
import { readManager } from "./manager.js";

// An open deployment accepts every manager as an order service.
const ANY_MANAGER = { "x-api-managerId": "2c9d4e6b-8f10-4a37-b5c2-7e1d0f9a8b63" };

/** Confirms a hold. Its order stays the same in every attempt, so that none is confirmed twice. */
export function confirm(hold) {
  const key = `order:${hold.id}`;
  const orderId = localStorage.getItem(key) ?? `order-${createKey()}`;
  localStorage.setItem(key, orderId);
  return request(hold, "confirmation", { orderId, amount: hold.amount });
}

export const cancel = hold => request(hold, "cancellation", { orderId: hold.orderId });

function request(hold, action, fields) {
  const path = `${pathOfShow(hold.eventId, hold.eventDatetimeId)}/holds/${hold.id}/${action}`;
  return send("POST", path, { fields, headers: readManager() ?? ANY_MANAGER });
}
