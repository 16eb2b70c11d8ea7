// Line below a hall, which describes the open area or a seat. Screen readers read it, too.

import { create, listen } from "../dom.js";
import { seatName, won } from "../format.js";

/**
 * Creates the line. It describes the area that was opened last with `describeArea`, or the seat that the keyboard
 * reached or somebody chose since. `update` describes the area again.
 * @param {HallMap} map
 * @param {Hall} hall
 * @param {(area: number) => string} describeArea
 */
export function createDescription(map, hall, describeArea) {
  const element = create("p", { className: "described", role: "status" });
  /** @type {number | undefined} */
  let area;
  const show = text => {
    if (element.textContent !== text) element.textContent = text;
  };
  const update = () => {
    if (area !== undefined) show(describeArea(area));
  };
  const showSeat = (/** @type {{ area: number, seat: Seat }} */ detail) => {
    area = undefined;
    const { label, price } = hall.areas[detail.area];
    show(`${seatName({ ...detail.seat, areaLabel: label })} · ${won(price)}`);
  };
  listen(map, "area", detail => {
    area = detail.area;
    if (area === undefined) show("");
    else update();
  });
  listen(map, "reach", showSeat);
  listen(map, "seat", showSeat);
  return { element, update };
}
