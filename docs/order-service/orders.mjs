// Order service without its database and payments, for Node.js 22 or newer. docs/front-end.md describes its steps.
//
// It reads the environment variables `MEMBERS_URL`, the address of the ticketing service, and `ORDER_TOKEN`, its own
// token. You provide `store` and `payments`:
//
// - `store.findOrAdd(order)` adds the order unless one has the same `path`, in one conditional write. It returns the
//   stored order.
// - `store.setState(order, state)` changes and stores `order.state`.
// - `store.unfinished()` returns the orders in the states `CHARGED`, `CANCELLING` and `REFUNDING`.
// - `payments.charge(orderId, amount)` and `payments.refund(orderId)` call your payment provider, with the order's id
//   as the idempotency key. If the result of a charge is unknown, ask the provider before you retry.

import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { memberOf } from "./members.mjs";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

async function send(path, authorization, body) {
  const response = await fetch(process.env.MEMBERS_URL + path, {
    method: body ? "POST" : "GET",
    headers: { Authorization: authorization, "Content-Type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(10_000),
  });
  return { status: response.status, ...(await response.json()) };
}

/** Repeats a request of the order service until the service carries it out or rejects it. */
async function repeat(path, body) {
  for (let seconds = 1; ; seconds = Math.min(2 * seconds, 60)) {
    const response = await send(path, `Bearer ${process.env.ORDER_TOKEN}`, body).catch(() => null);
    if (response && response.status < 500 && response.status !== 429) return response;
    await setTimeout(seconds * 1_000);
  }
}

/** Charges the member who sends a request, and confirms the hold with these ids. */
export async function buy(request, { eventId, eventDatetimeId, id }, store, payments) {
  const memberId = await memberOf(request);
  if (![eventId, eventDatetimeId, id].every((value) => UUID.test(value))) throw new Error("C_001");
  const path = `/api/v1/events/${eventId}/dates/${eventDatetimeId}/holds/${id}`;
  const { code, data: hold } = await send(path, request.headers.authorization);
  if (!hold) throw new Error(code);
  const seconds = (Date.parse(hold.expiresAt) - Date.now()) / 1_000;
  if (hold.status !== "HELD" || seconds < 60) throw new Error("EXPIRED");
  // One order for each hold, even if two requests come at once.
  const order = await store.findOrAdd({ path, orderId: randomUUID(), memberId, amount: hold.amount, state: "NEW" });
  if (order.state !== "NEW") throw new Error("ORDERED");
  // Throws if the charge fails. The order's id is the idempotency key of the charge.
  await payments.charge(order.orderId, order.amount);
  await store.setState(order, "CHARGED");
  await confirm(order, store, payments);
}

/** Confirms a charged order, or refunds it if its seats are lost. */
export async function confirm(order, store, payments) {
  const { path, orderId, amount } = order;
  const { status, code } = await repeat(`${path}/confirmation`, { orderId, amount });
  if (status === 200) return store.setState(order, "SOLD");
  // Other codes, such as AM_001, are faults of the order service: correct them, then call `confirm` again.
  if (!["H_004", "H_005", "E_002"].includes(code)) throw new Error(code);
  await store.setState(order, "REFUNDING");
  await refund(order, store, payments);
}

/** Frees the seats of a sold order, and refunds it. */
export async function cancel(order, store, payments) {
  await store.setState(order, "CANCELLING");
  const { status, code } = await repeat(`${order.path}/cancellation`, { orderId: order.orderId });
  if (status !== 200) throw new Error(code);
  await refund(order, store, payments);
}

async function refund(order, store, payments) {
  await payments.refund(order.orderId);
  await store.setState(order, "REFUNDED");
}

/** Continues the orders that were under way when the process stopped. */
export async function resume(store, payments) {
  const steps = { CHARGED: confirm, CANCELLING: cancel, REFUNDING: refund };
  for (const order of await store.unfinished()) await steps[order.state]?.(order, store, payments);
}
