// Shows that are postponed or cancelled: their badges, and notices of the manager.

import { create, icon } from "../dom.js";
import { day } from "../format.js";
import { hasBegun, saleOf } from "../service/shows.js";

const OFF = { POSTPONED: "연기", CANCELLED: "취소" };
/** @type {("POSTPONED" | "CANCELLED")[]} */
const STATUSES = ["POSTPONED", "CANCELLED"];

/**
 * Creates the badge of a show with a status, after other words; nothing for a show that takes place.
 * @param {Show["status"]} status
 */
export const createStatus = (status, words = "") =>
  status && create("span", { className: "badge", dataset: { sale: status.toLowerCase() } }, `${words}${OFF[status]}`);

/**
 * Creates what the manager tells the visitors of a show, if there is anything.
 * @param {{ notice?: string }} show
 */
export const createShowNotice = ({ notice }) =>
  notice && create("div", { className: "notice-of-show" }, [icon("notice"), create("span", {}, notice)]);

/**
 * Creates badges of the shows that are off while others take place, and so are not named by the state of sale.
 * @param {EventSummary} event
 */
export function createStatuses(event) {
  const left = event.eventDatetimes.filter(show => !hasBegun(show));
  const sale = saleOf(event);
  return STATUSES.filter(status => status.toLowerCase() !== sale).map(status => {
    const shows = left.filter(show => show.status === status);
    if (shows.length === 0) return undefined;
    return createStatus(status, shows.length === 1 ? `${day(shows[0].datetime)} ` : `${shows.length}개 회차 `);
  });
}
