// The hall of an event, as `detail.worker.js` reads it.

import { pathOfEvent, ServiceError } from "../service/client.js";
import { KINDS } from "./kinds.js";
import { createPainter } from "./price-colours.js";

/** Worker that reads one hall. */
class HallReader {
  constructor() {
    this.worker = new Worker(new URL("detail.worker.js", import.meta.url), { type: "module" });
    this.requests = 0;
    /** @type {Map<number, { resolve: (reply: any) => void, reject: (error: ServiceError) => void }>} */
    this.waiting = new Map();
    this.worker.addEventListener("message", ({ data }) => this.receive(data));
    this.worker.addEventListener("error", () => this.waiting.forEach(({ reject }) => reject(new ServiceError())));
  }

  /**
   * @param {object} message
   * @returns {Promise<any>}
   */
  request(message) {
    const id = ++this.requests;
    return new Promise((resolve, reject) => {
      this.waiting.set(id, { resolve, reject });
      this.worker.postMessage({ id, ...message });
    });
  }

  receive({ id, reply, failure, status }) {
    const request = this.waiting.get(id);
    this.waiting.delete(id);
    if (failure) request?.reject(new ServiceError(failure, status));
    else request?.resolve(reply);
  }
}

/** Hall with its event, its drawing, and its areas; the seats of an area come when they are asked for. */
export class Hall {
  /**
   * Opens the hall at a path: that of visitors, unless it is one that needs headers.
   * @param {string} eventId
   * @param {Record<string, string> | null} headers
   */
  static async open(eventId, path = `${pathOfEvent(eventId)}/detail`, headers = {}) {
    const reader = new HallReader();
    try {
      return new Hall(reader, await reader.request({ type: "open", path, headers }));
    } catch (error) {
      reader.worker.terminate();
      throw error;
    }
  }

  /**
   * @param {HallReader} reader
   * @param {HallData} data
   */
  constructor(reader, { event, drawing, viewBox, areas }) {
    this.reader = reader;
    this.event = event;
    this.drawing = drawing;
    this.viewBox = viewBox;
    this.areas = areas;
    /** Prices of the hall, the highest first. */
    this.prices = [...new Set(areas.map(({ price }) => price))].sort((one, other) => other - one);
    /** Kinds of seats that the hall has. */
    this.kinds = KINDS.filter(kind => areas.some(area => area.kinds[kind]));
    this.paint = createPainter(this.prices);
    /** @type {Map<number, Promise<Seat[]>>} */
    this.seats = new Map();
  }

  /** Returns the seats of the area with an index, in the order of the service. */
  seatsOf(area) {
    const seats = this.seats.get(area) ?? this.reader.request({ type: "seats", area });
    this.seats.set(area, seats);
    return seats;
  }

  /**
   * Returns the indexes of the free seats of a kind in an area, or of all if nobody knows which are free.
   * @param {number} area
   * @param {SeatKind} kind
   * @param {Availability} [availability]
   */
  freeOf(area, kind, availability) {
    const indexes = this.areas[area].kinds[kind] ?? [];
    return indexes.filter(index => !availability?.areas[area].isTaken(index));
  }
}
