// Card of an event in the list, with its state of sale.

import { create, icon } from "../dom.js";
import { day, period } from "../format.js";
import { isSoldOut, saleOf } from "../service/shows.js";
import { onceVisible } from "./once-visible.js";
import { createPoster } from "./poster.js";
import { createStatuses } from "./show-status.js";

export const SALES = {
  ended: "종료",
  closed: "예매 마감",
  postponed: "연기",
  cancelled: "취소",
  open: "예매 중",
  "sold-out": "매진",
};

/** @param {EventSummary} event */
export function createCard(event) {
  return create(
    "li",
    {},
    create("article", {}, [
      createPoster(event, { loading: "lazy" }),
      create("div", { className: "about" }, [
        createBadges(event),
        create("h2", {}, create("a", { href: `/events/${event.id}` }, event.title)),
        create("p", {}, event.artist),
        create("p", { className: "soft small fact" }, [icon("calendar"), createPeriod(event)]),
        create("p", { className: "soft small fact" }, [icon("place"), event.place]),
      ]),
    ]),
  );
}

/**
 * Creates the badge of the state of sale, which becomes 매진 if no show has a free seat, and those of shows that are off.
 * @param {EventSummary} event
 */
export function createBadges(event) {
  const sale = saleOf(event);
  const text = sale === "upcoming" ? `예매 예정 · ${day(event.ticketingOpenTime)}` : SALES[sale];
  const badge = create("span", { className: "badge", dataset: { sale } }, text);
  if (sale === "open") onceVisible(badge, () => showIfSoldOut(badge, event));
  return create("p", { className: "badges" }, [badge, ...createStatuses(event)]);
}

/** @param {EventSummary} event */
async function showIfSoldOut(badge, event) {
  if (!(await isSoldOut(event).catch(() => false))) return;
  badge.textContent = SALES["sold-out"];
  badge.dataset.sale = "sold-out";
}

/**
 * Creates the period of an event. A line breaks between its days, but not inside one.
 * @param {EventSummary} event
 */
function createPeriod(event) {
  const days = period(event.eventDatetimes.map(({ datetime }) => datetime)).split(/(?<=~) /);
  return create("span", {}, days.flatMap(text => [" ", create("span", { className: "day" }, text)]).slice(1));
}
