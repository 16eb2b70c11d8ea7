// One show on the desk of its event: its time and state, its numbers, and what can be done with it.

import { create, createButton } from "../dom.js";
import { onceVisible } from "../events/once-visible.js";
import { createShowNotice } from "../events/show-status.js";
import { dayAndClock } from "../format.js";
import { pathOfShow } from "../service/client.js";
import { sendAsManager } from "../service/manager.js";
import { isForSale, saleOf } from "../service/shows.js";
import { STATES } from "./event-row.js";
import { createBar } from "./numbers.js";
import { actionsOf, changeShow } from "./show-actions.js";

/**
 * @param {ManagedEvent} managed
 * @param {Show} show
 */
export function createShowRow(managed, show) {
  const { event } = managed;
  const time = dayAndClock(show.datetime);
  const isDeleted = event.status === "DELETED";
  const path = `/manager/events/${event.id}/shows/${show.id}`;
  const numbers = create("div", { className: "loading" });
  const buttons = actionsOf(show).map(name =>
    createButton(name, () => changeShow(managed, show, name), {
      className: "quiet",
      "aria-label": `${time} 회차 ${name}`,
    }),
  );
  const row = create("li", { className: "panel stack", dataset: { show: show.id } }, [
    create("header", { className: "row" }, [
      create("h3", {}, isDeleted ? time : create("a", { href: path }, time)),
      createShowBadge(event, show),
    ]),
    createShowNotice(show),
  ]);
  if (isDeleted) return row;
  row.append(
    numbers,
    create("div", { className: "row actions" }, [
      create("a", { href: path, className: "button", "aria-label": `${time} 회차 좌석과 판매` }, "좌석과 판매"),
      ...buttons,
    ]),
  );
  onceVisible(row, () => showNumbers(event, show, numbers));
  return row;
}

/**
 * Creates the badge of the state of sale of a show.
 * @param {HallData["event"]} event
 * @param {Show} show
 */
export function createShowBadge(event, show) {
  const { status = "LIVE" } = event;
  const sale = status !== "LIVE" && isForSale(event, [show]) ? status.toLowerCase() : saleOf(event, [show]);
  return create("span", { className: "badge", dataset: { sale } }, STATES[sale]);
}

/**
 * @param {OwnEvent} event
 * @param {Show} show
 */
async function showNumbers(event, show, element) {
  try {
    const { data } = await sendAsManager("GET", `${pathOfShow(event.id, show.id)}/summary`);
    element.replaceWith(createBar(data));
  } catch (error) {
    const retry = createButton("다시 시도", () => showNumbers(event, show, element), { className: "quiet" });
    element.replaceChildren(create("p", { className: "error" }, error.message), retry);
  }
}
