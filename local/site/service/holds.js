// Holds of seats by a member. Their ids are remembered in this browser, so that every tab finds them after a reload.

import { createKey, pathOfShow, send } from "./client.js";
import { authorized, readMemberId } from "./session.js";

const keyOf = showId => `hold:${readMemberId()}:${showId}`;

/** Hold of one show, of the member who is logged in. */
export class Holds {
  constructor(eventId, showId) {
    this.path = `${pathOfShow(eventId, showId)}/holds`;
    this.showId = showId;
    this.attempt = undefined;
  }

  /**
   * Holds seats. After a lost response, the next attempt for the same seats has the same key, so that it returns the
   * hold that was made.
   */
  async create(seatIds) {
    const fields = { seatIds }, content = JSON.stringify([readMemberId(), fields]);
    if (this.attempt?.content !== content) this.attempt = { content, key: createKey() };
    const headers = { "Idempotency-Key": this.attempt.key };
    try {
      const result = await send("POST", this.path, { fields, headers, request: authorized });
      this.attempt = undefined;
      return this.keep(result);
    } catch (error) {
      if (error.status && error.status < 500) this.attempt = undefined;
      throw error;
    }
  }

  /** Reads the remembered hold. Returns undefined without one. */
  async read() {
    const id = localStorage.getItem(keyOf(this.showId));
    if (!id) return undefined;
    try {
      return this.keep(await send("GET", `${this.path}/${encodeURIComponent(id)}`, { request: authorized }));
    } catch (error) {
      if (error.status === 404) this.forget();
      if (error.status === 404 || error.status === 401) return undefined;
      throw error;
    }
  }

  async release({ id }) {
    await send("DELETE", `${this.path}/${id}`, { request: authorized });
    this.forget();
  }

  forget() {
    localStorage.removeItem(keyOf(this.showId));
  }

  /** Calls a function when another tab holds or releases seats of this show. */
  onChangeElsewhere(listener) {
    addEventListener("storage", ({ key }) => { if (key === keyOf(this.showId)) listener(); });
  }

  /** Remembers a hold, and notes how far the visitor's clock is from that of the service. */
  keep({ data, headers }) {
    if (data.status === "RELEASED") {
      this.forget();
      return undefined;
    }
    if (localStorage.getItem(keyOf(this.showId)) !== data.id) localStorage.setItem(keyOf(this.showId), data.id);
    const clockSkew = Date.parse(headers.get("Date")) - Date.now() || 0;
    return { ...data, endsAt: Date.parse(data.expiresAt) - clockSkew };
  }
}

export const secondsLeft = ({ endsAt }) => Math.max(0, Math.ceil((endsAt - Date.now()) / 1_000));
