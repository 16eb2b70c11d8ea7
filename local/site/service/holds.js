// Holds of seats by a member. The service knows them, so that every tab and every device finds the same ones.

import { createKey, pathOfShow, send } from "./client.js";
import { authorized, pathOfMember, readMemberId } from "./session.js";
import { hasBegun } from "./shows.js";

const tabs = new BroadcastChannel("holds");

/**
 * Reads the member's holds that are held or confirmed, and cancelled orders, the newest first. Without a session there
 * are none.
 * @returns {Promise<OwnHold[]>}
 */
export async function readOwnHolds() {
  if (!readMemberId()) return [];
  const { data, headers } = await send("GET", `${pathOfMember()}/holds`, { request: authorized });
  return data.map(hold => holdOf({ data: hold, headers }));
}

/**
 * Returns the hold of a response, and notes how far the visitor's clock is from that of the service.
 * @param {{ data: any, headers: Headers }} response
 */
export function holdOf({ data, headers }) {
  const clockSkew = Date.parse(headers.get("Date") ?? "") - Date.now() || 0;
  return { ...data, endsAt: Date.parse(data.expiresAt) - clockSkew };
}

/** @param {Hold} hold */
export const isLive = ({ status }) => status === "HELD" || status === "CONFIRMED";

/**
 * Returns the path of the page of a hold, and of its order.
 * @param {Hold} hold
 */
export const pathOfOrder = ({ eventId, eventDatetimeId, id }) => `/tickets/${eventId}/${eventDatetimeId}/${id}`;

/**
 * Tells if the show of an own hold has begun.
 * @param {OwnHold} hold
 */
export const isOver = ({ datetime, showStatus }) => hasBegun({ datetime, status: showStatus });

/** @param {Hold} hold */
export const secondsLeft = ({ endsAt }) => Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000));

/** Tells other tabs that a hold has changed; they ask the service for it. */
export const tellTabs = () => tabs.postMessage("changed");
export const onChangeElsewhere = listener => tabs.addEventListener("message", () => listener());

/** Holds of one show, of the member who is logged in. */
export class Holds {
  /**
   * Request whose response was lost; the service may have made its hold.
   * @type {{ content: string, fields: object, key: string } | undefined}
   */
  attempt;

  constructor(eventId, showId) {
    this.path = `${pathOfShow(eventId, showId)}/holds`;
    this.showId = showId;
  }

  /**
   * Holds seats. After a lost response, the next attempt for the same `wish` sends the same fields and key, so that it
   * returns the hold that was made.
   * @param {Schemas["HoldRequest"]} fields
   * @param {object} wish
   * @returns {Promise<Hold>}
   */
  async create(fields, wish = fields) {
    const content = JSON.stringify([readMemberId(), wish]);
    if (this.attempt?.content !== content) this.attempt = { content, fields, key: createKey() };
    const headers = { "Idempotency-Key": this.attempt.key };
    try {
      const result = await send("POST", this.path, { fields: this.attempt.fields, headers, request: authorized });
      this.attempt = undefined;
      return holdOf(result);
    } catch (error) {
      if (error.status && error.status < 500) this.attempt = undefined;
      throw error;
    }
  }

  /**
   * Reads the live holds of the show, and before them what has become of a hold that is none any more.
   * @param {Hold | undefined} shown
   * @returns {Promise<Hold[]>}
   */
  async read(shown) {
    const own = (await readOwnHolds()).filter(({ eventDatetimeId }) => eventDatetimeId === this.showId);
    if (!shown || !readMemberId() || own.some(({ id }) => id === shown.id)) return own;
    try {
      return [holdOf(await send("GET", `${this.path}/${shown.id}`, { request: authorized })), ...own];
    } catch (error) {
      if (error.status === 404) return own;
      throw error;
    }
  }

  /** @param {Hold} hold */
  release({ id }) {
    return send("DELETE", `${this.path}/${id}`, { request: authorized });
  }
}
