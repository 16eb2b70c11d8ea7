// Pictures of the hall around own seats, one for each of their areas. Nothing in them can be chosen.

import { create } from "../dom.js";
import { areaName } from "../format.js";
import { HallMap } from "../hall/hall-map.js";
import { Hall } from "../hall/hall.js";

/**
 * Creates the pictures, which come when the hall has been read. Without it there are none.
 * @param {Hold} hold
 */
export function createOwnSeats({ eventId, seats }) {
  const element = create("section", { className: "stack own-seats" }, create("h2", {}, "좌석 위치"));
  Hall.open(eventId).then(
    hall => showSeats(element, hall, seats),
    () => element.remove(),
  );
  return element;
}

/**
 * @param {HTMLElement} element
 * @param {Hall} hall
 * @param {HeldSeat[]} seats
 */
function showSeats(element, hall, seats) {
  const own = seats.map(({ id }) => id);
  for (const [areaId, { areaLabel }] of new Map(seats.map(seat => [seat.areaId, seat]))) {
    const map = Object.assign(new HallMap(), { inert: true });
    const label = `${areaName(areaLabel)}에서 내 좌석의 위치`;
    element.append(create("div", { role: "img", "aria-label": label }, map));
    map.show(hall, (_area, _index, id) => (own.includes(id) ? "mine" : "free"));
    const area = hall.areas.findIndex(({ id }) => id === areaId);
    map.openAt(area, own);
  }
}
