// The hall of an event, as `detail.worker.js` reads it.

import { pathOfEvent, ServiceError } from "../service/client.js";
import { createPainter } from "./price-colours.js";

/** Hall with its event, its drawing, and its areas; the seats of an area come when they are asked for. */
export class Hall {
  /** Opens the hall at a path: that of visitors, unless it is one that needs headers. */
  static async open(eventId, path = `${pathOfEvent(eventId)}/detail`, headers = {}) {
    const hall = new Hall();
    try {
      Object.assign(hall, await hall.request({ type: "open", path, headers }));
      hall.paint = createPainter(hall.prices);
      return hall;
    } catch (error) {
      hall.close();
      throw error;
    }
  }

  constructor() {
    this.worker = new Worker(new URL("detail.worker.js", import.meta.url), { type: "module" });
    this.requests = 0;
    this.waiting = new Map();
    this.seats = new Map();
    this.worker.addEventListener("message", ({ data }) => this.receive(data));
    this.worker.addEventListener("error", () => this.waiting.forEach(({ reject }) => reject(new ServiceError())));
  }

  request(message) {
    const id = ++this.requests;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, ...message });
    });
  }

  receive({ id, reply, failure, status }) {
    const { resolve, reject } = this.waiting.get(id);
    this.waiting.delete(id);
    if (failure) reject(new ServiceError(failure, status));
    else resolve(reply);
  }

  /** Returns the seats of the area with an index, in the order of the service. */
  seatsOf(area) {
    if (!this.seats.has(area)) this.seats.set(area, this.request({ type: "seats", area }));
    return this.seats.get(area);
  }

  /** Ends the worker, with all seats. */
  close() {
    this.worker.terminate();
  }

  /** Prices of the hall, the highest first. */
  get prices() {
    return [...new Set(this.areas.map(({ price }) => price))].sort((one, other) => other - one);
  }
}
