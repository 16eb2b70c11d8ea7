// Shows of an event by day, with what is left of each. Many shows have a calendar.

import { create, createButton } from "../dom.js";
import { clock, day, dayAndClock, isoDay } from "../format.js";
import { onceVisible } from "../events/once-visible.js";
import { createShowNotice, createStatus } from "../events/show-status.js";
import { hasBegun, isForSale, readFree, saleOf } from "../service/shows.js";
import { createCalendar } from "./calendar.js";

const SHOWS_WITHOUT_CALENDAR = 7;
/** States of sale of a day, as its place in the calendar has room for them */
const STATES = { upcoming: "예정", closed: "마감", ended: "종료", postponed: "연기", cancelled: "취소" };
const UNKNOWN = "남은 좌석을 확인하지 못했어요";

/**
 * Creates the list of shows, first those to come; or a calendar, and the shows of the day that is chosen in it.
 * @param {EventSummary} event
 */
export function createShows(event) {
  const shows = event.eventDatetimes.toSorted((one, other) => Date.parse(one.datetime) - Date.parse(other.datetime));
  const days = Map.groupBy(shows, ({ datetime }) => isoDay(datetime));
  const next = [...days.values()].filter(shows => !shows.every(hasBegun));
  const over = [...days.values()].filter(shows => shows.every(hasBegun));
  if (shows.length <= SHOWS_WITHOUT_CALENDAR) return createList(event, [...next, ...over]);
  const list = create("div", { "aria-live": "polite" });
  let pressed;
  const choose = (button, shows) => {
    if (pressed) pressed.ariaPressed = "false";
    pressed = button;
    button.ariaPressed = "true";
    list.replaceChildren(createList(event, [shows]));
  };
  const [{ datetime }] = next.find(shows => isForSale(event, shows)) ?? next[0] ?? over.at(-1);
  const first = isoDay(datetime);
  const createChoice = day => {
    const shows = days.get(day) ?? [];
    const button = createDayButton(event, shows, () => choose(button, shows));
    if (day === first) choose(button, shows);
    return button;
  };
  return create("div", { className: "stack" }, [createCalendar([...days.keys()], first, createChoice), list]);
}

/**
 * Creates the button of a day in the calendar, which says what is left once it is visible.
 * @param {EventSummary} event
 * @param {Show[]} shows
 */
function createDayButton(event, shows, choose) {
  const name = [day(shows[0].datetime), shows.length > 1 && `${shows.length}회`].filter(Boolean).join(" ");
  const state = create("span", { className: "state" });
  const button = createButton([Number(isoDay(shows[0].datetime).slice(8)), state], choose, { ariaPressed: "false" });
  const showState = (sale, text, spoken = text) => {
    button.dataset.sale = sale;
    state.textContent = text;
    button.ariaLabel = `${name} ${spoken}`;
  };
  const sale = saleOf(event, shows);
  showState(sale, STATES[sale] ?? "");
  const showLeft = async () => {
    const open = shows.filter(show => saleOf(event, [show]) === "open");
    try {
      const free = (await Promise.all(open.map(({ id }) => readFreeOnce(event.id, id)))).reduce(
        (sum, one) => sum + one,
      );
      if (free > 0) showState(sale, `${compact.format(free)}석`, describeLeft(free));
      else showState("sold-out", "매진");
    } catch {
      showState(sale, "", UNKNOWN);
    }
  };
  if (sale === "open") onceVisible(button, showLeft);
  return button;
}

/** `320`, or `1.5천` */
const compact = new Intl.NumberFormat("ko-KR", { notation: "compact" });
const describeLeft = free => (free > 0 ? `${free.toLocaleString("ko-KR")}석 남음` : "매진");

/** Numbers of free seats that a day and its shows have both. @type {Map<string, Promise<number>>} */
const reads = new Map();

/** Reads how many seats of a show are free, once for the page, unless that fails. */
function readFreeOnce(eventId, showId) {
  const read = reads.get(showId) ?? readFree(eventId, showId);
  reads.set(showId, read);
  read.catch(() => reads.delete(showId));
  return read;
}

/**
 * @param {EventSummary} event
 * @param {Show[][]} days
 */
const createList = (event, days) =>
  create(
    "ul",
    { className: "days" },
    days.map(shows => createDay(event, shows)),
  );

/**
 * @param {EventSummary} event
 * @param {Show[]} shows
 */
function createDay(event, shows) {
  return create("li", {}, [
    create("h3", {}, day(shows[0].datetime)),
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
    const free = await readFreeOnce(event.id, show.id);
    left.textContent = describeLeft(free);
    if (free === 0) setLabel(link, show, "좌석 보기");
  } catch {
    left.textContent = UNKNOWN;
  }
}
