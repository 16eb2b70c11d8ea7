// Shows of an event by day, with what is left of each.

import { create } from "../dom.js";
import { clock, day, dayAndClock, isoDay } from "../format.js";
import { onceVisible } from "../events/once-visible.js";
import { createShowNotice, createStatus } from "../events/show-status.js";
import { hasBegun, isForSale, readFree, saleOf } from "../service/shows.js";

const VISIBLE_DAYS = 7;
const SHOWS_WITHOUT_MONTHS = 8;

/**
 * Creates the list of shows: the next days, and folded the later ones and those that are over.
 * @param {EventSummary} event
 */
export function createShows(event) {
  const shows = event.eventDatetimes.toSorted((one, other) => Date.parse(one.datetime) - Date.parse(other.datetime));
  const hasMonths = shows.length > SHOWS_WITHOUT_MONTHS;
  const days = groupBy(shows, ({ datetime }) => isoDay(datetime));
  const next = days.filter(shows => !shows.every(hasBegun));
  const over = days.filter(shows => shows.every(hasBegun));
  const [listed, past] = next.length > 0 ? [next, over] : [over, []];
  const list = days => createMonths(event, days, hasMonths);
  const fold = (days, label) =>
    days.length > 0 ? create("details", {}, [create("summary", {}, label), ...list(days)]) : "";
  const later = listed.slice(VISIBLE_DAYS);
  return create("div", { className: "stack" }, [
    ...list(listed.slice(0, VISIBLE_DAYS)),
    fold(later, `다른 날짜 ${later.length}일 더 보기`),
    fold(past, `지난 날짜 ${past.length}일 보기`),
  ]);
}

const groupBy = (items, keyOf) => [...Map.groupBy(items, keyOf).values()];

/**
 * Creates lists of days, each below the name of its month if there are many.
 * @param {EventSummary} event
 * @param {Show[][]} days
 */
function createMonths(event, days, hasMonths) {
  const list = (days, heading) =>
    create(
      "ul",
      { className: "days" },
      days.map(shows => createDay(event, shows, heading)),
    );
  if (!hasMonths) return [list(days, "h3")];
  return groupBy(days, ([{ datetime }]) => isoDay(datetime).slice(0, 7)).flatMap(days => [
    create("h3", {}, month(days[0][0].datetime)),
    list(days, "h4"),
  ]);
}

/** `11월`, with the year unless it is this one */
const month = time => day(time).replace(/ \d+일.*/, "");

/**
 * @param {EventSummary} event
 * @param {Show[]} shows
 */
function createDay(event, shows, heading) {
  return create("li", {}, [
    create(heading, {}, day(shows[0].datetime)),
    create(
      "ul",
      {},
      shows.map(show => createShow(event, show)),
    ),
  ]);
}

/**
 * @param {EventSummary} event
 * @param {Show} show
 */
function createShow(event, show) {
  const sale = show.status ? "off" : saleOf(event, [show]);
  const link = createLink(event, show);
  const opening = `예매 시작 ${dayAndClock(event.ticketingOpenTime)}`;
  const left = create(
    "span",
    { className: "soft left" },
    { upcoming: opening, closed: "예매 마감", ended: "종료" }[sale] ?? "",
  );
  const times = create("p", {}, [
    create("time", { dateTime: show.datetime }, clock(show.datetime)),
    createStatus(show.status),
    left,
  ]);
  const item = create("li", { className: "show" }, [
    times,
    isForSale(event, [show]) ? link : "",
    createShowNotice(show),
  ]);
  setLabel(link, show, sale === "open" ? "예매하기" : "좌석 보기");
  if (sale === "open") onceVisible(item, () => showLeft(event, show, left, link));
  return item;
}

/**
 * @param {EventSummary} event
 * @param {Show} show
 */
const createLink = (event, show) => create("a", { className: "button", href: `/events/${event.id}/shows/${show.id}` });

/**
 * Labels a link. The name has the time of the show, because a list of links has no other context.
 * @param {Show} show
 */
function setLabel(link, show, label) {
  link.textContent = label;
  link.ariaLabel = `${dayAndClock(show.datetime)} 회차 ${label}`;
  link.classList.toggle("quiet", label !== "예매하기");
}

/**
 * @param {EventSummary} event
 * @param {Show} show
 */
async function showLeft(event, show, left, link) {
  try {
    const free = await readFree(event.id, show.id);
    left.textContent = free > 0 ? `${free.toLocaleString("ko-KR")}석 남음` : "매진";
    if (free === 0) setLabel(link, show, "좌석 보기");
  } catch {
    left.textContent = "남은 좌석을 확인하지 못했어요";
  }
}
