// Shows of events: the states of sale, and what is free.

import { pathOfShow, send } from "./client.js";

// A list asks for many shows, and leaves connections to the rest of its page.
const PARALLEL = 4;
/** @type {((value?: unknown) => void)[]} */
const waiting = [];
let running = 0;

/**
 * Tells if a show has begun. A postponed one has not, whatever its old time.
 * @param {Pick<Show, "datetime" | "status">} show
 */
export const hasBegun = ({ datetime, status }) => status !== "POSTPONED" && Date.parse(datetime) <= Date.now();

/**
 * Returns the shows that are still to come at their times. Those that are off have a status.
 * @param {EventSummary} event
 */
export const upcomingShows = event => event.eventDatetimes.filter(show => !hasBegun(show) && !show.status);

/**
 * Returns the time at which the sale of a show closes, in milliseconds.
 * @param {EventSummary} event
 * @param {Show} show
 */
const closeOf = ({ ticketingCloseMinutes = 0 }, { datetime }) => Date.parse(datetime) - ticketingCloseMinutes * 60_000;

/**
 * Returns the state of sale of an event, or of some of its shows.
 * @param {EventSummary} event
 * @returns {"ended" | "postponed" | "cancelled" | "upcoming" | "open" | "closed"}
 */
export function saleOf(event, shows = event.eventDatetimes) {
  const left = shows.filter(show => !hasBegun(show));
  if (left.length === 0) return "ended";
  if (left.every(({ status }) => status))
    return left.some(({ status }) => status === "POSTPONED") ? "postponed" : "cancelled";
  if (left.every(show => show.status || closeOf(event, show) <= Date.now())) return "closed";
  return Date.parse(event.ticketingOpenTime) > Date.now() ? "upcoming" : "open";
}

/**
 * Tells if seats of an event, or of some of its shows, are sold now or later.
 * @param {EventSummary} event
 * @param {Show[]} [shows]
 */
export const isForSale = (event, shows) => ["upcoming", "open"].includes(saleOf(event, shows));

/**
 * Reads the availability of a show; its `free` and `seats` are the sums of all areas.
 * @param {string} eventId
 * @param {string} showId
 * @param {AbortSignal} [signal]
 */
export async function readAvailability(eventId, showId, signal) {
  /** @type {{ data: Schemas["Availability"] }} */
  const { data } = await send("GET", `${pathOfShow(eventId, showId)}/availability`, { signal });
  const sum = (/** @type {"free" | "seats"} */ name) => data.areas.reduce((total, area) => total + area[name], 0);
  return { areas: data.areas.map(decodeArea), free: sum("free"), seats: sum("seats") };
}

/**
 * Adds a function that tells if the seat with an index is taken.
 * @param {Schemas["AreaAvailability"]} area
 */
const decodeArea = area => ({ ...area, isTaken: decodeBits(area.taken) });

/**
 * Returns a function that tells the bit of a seat by its index: one bit for each seat of an area, the first in the highest.
 * @param {string} text Bytes in base64
 * @returns {(index: number) => boolean}
 */
export function decodeBits(text) {
  const bytes = Uint8Array.from(atob(text), character => character.charCodeAt(0));
  return index => ((bytes[index >> 3] >> (7 - (index % 8))) & 1) === 1;
}

/** Reads how many seats of a show are free, as one of a few such requests at a time. */
export async function readFree(eventId, showId) {
  if (running < PARALLEL) running++;
  else await new Promise(resolve => waiting.push(resolve));
  try {
    return (await readAvailability(eventId, showId)).free;
  } finally {
    // The next request takes over the place of this one.
    const next = waiting.shift();
    if (next) next();
    else running--;
  }
}

/**
 * Tells if no show of an event has a free seat. It stops at the first that has one, so it mostly reads one.
 * @param {EventSummary} event
 */
export async function isSoldOut(event) {
  for (const show of upcomingShows(event)) {
    if ((await readFree(event.id, show.id)) > 0) return false;
  }
  return true;
}
