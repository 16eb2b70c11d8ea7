// One event in the list of its manager: state, facts and what can be done with it.

import { create, createButton } from "../dom.js";
import { dayAndClock, period } from "../format.js";
import { notify } from "../elements/toast.js";
import { SALES } from "../events/event-card.js";
import { createPoster } from "../events/poster.js";
import { createStatuses } from "../events/show-status.js";
import { saleOf } from "../service/shows.js";
import { editEvent } from "./edit-event.js";
import { deleteEvent, publishEvent, replacePoster, restoreEvent } from "./event-actions.js";

export const STATES = { ...SALES, upcoming: "예매 예정", draft: "비공개", deleted: "삭제됨" };
export const ACTIONS = {
  LIVE: { 수정: editEvent, "포스터 교체": replacePoster, 삭제: deleteEvent },
  DRAFT: { 공개: publishEvent, 수정: editEvent, "포스터 교체": replacePoster, 삭제: deleteEvent },
  DELETED: { 복구: restoreEvent },
};

/**
 * Creates the row. `update` receives the row and the event as a change has made it.
 * @param {OwnEvent} event
 */
export function createEventRow(event, update) {
  const change = changed => update(row, { ...event, ...changed });
  const buttons = Object.entries(ACTIONS[event.status]).map(([label, action]) =>
    createButton(label, () => runOrNotify(action, event, change), {
      className: "quiet",
      "aria-label": `${event.title} ${label}`,
    }),
  );
  const title = create("a", { href: `/manager/events/${event.id}` }, event.title);
  const shows = event.eventDatetimes;
  const facts = create("dl", { className: "facts small" }, [
    ...createFact("장소", event.place),
    ...createFact(
      "공연 일시",
      `${period(shows.map(show => show.datetime))}${shows.length > 1 ? ` · ${shows.length}회` : ""}`,
    ),
    ...createFact("예매 시작", dayAndClock(event.ticketingOpenTime)),
    ...createFact("등록", dayAndClock(event.registeredAt)),
    ...(event.status === "DELETED" ? createFact("복구 기한", dayAndClock(event.restorableUntil)) : []),
  ]);
  const row = create("li", { className: "panel", dataset: { event: event.id } }, [
    createPoster(event, { loading: "lazy" }),
    create("div", { className: "about" }, [
      create("div", { className: "badges" }, [
        createBadge(event),
        ...(event.status === "LIVE" ? createStatuses(event) : []),
      ]),
      create("h2", {}, title),
      create("p", { className: "soft small" }, event.artist),
    ]),
    facts,
    create("div", { className: "row actions" }, [
      create(
        "a",
        { href: `/manager/events/${event.id}`, className: "button quiet", "aria-label": `${event.title} 관리` },
        "관리",
      ),
      ...buttons,
    ]),
  ]);
  return row;
}

/** @param {OwnEvent} event */
export function createBadge(event) {
  const sale = event.status === "LIVE" ? saleOf(event) : event.status.toLowerCase();
  return create("span", { className: "badge", dataset: { sale } }, STATES[sale]);
}

const createFact = (term, text) => [create("dt", {}, term), create("dd", {}, text)];

/**
 * Runs an action, and says why it failed before it could ask anything.
 * @param {OwnEvent} event
 */
export async function runOrNotify(action, event, change) {
  try {
    await action(event, change);
  } catch (error) {
    notify(error.message);
  }
}
