// Page of a show: the hall, the choice of seats, and the hold. Its address is `/events/<event>/shows/<show>`.

import "../elements/site-header.js";
import { askToLogIn } from "../account/login-dialog.js";
import { byId, create, icon, idsOfAddress, listen } from "../dom.js";
import { createFailure, createNotice, createSkeletons } from "../elements/states.js";
import { notify } from "../elements/toast.js";
import { createShowNotice, createStatus } from "../events/show-status.js";
import { areaName, dayAndClock, won } from "../format.js";
import { createDescription } from "../hall/description.js";
import { HallMap } from "../hall/hall-map.js";
import { Hall } from "../hall/hall.js";
import { createAreaSearch, createKindFilter, createLegend, createPriceFilter } from "../hall/toolbar.js";
import { createAlert, createRunner } from "./actions.js";
import { openBestSeats } from "./best-seats.js";
import { Booking } from "./booking.js";
import { createPanel } from "./panel.js";

const LEGEND = { free: "선택 가능", chosen: "선택함", mine: "내 좌석", taken: "선택 불가" };
const main = byId("main");
const { eventId, showId } = idsOfAddress();

async function openPage() {
  main.replaceChildren(createSkeletons(1, "hall"));
  try {
    const hall = await Hall.open(eventId);
    const show = hall.event.eventDatetimes.find(({ id }) => id === showId);
    if (!show) return showMissing();
    const booking = new Booking(hall, show);
    await Promise.all([booking.loadAvailability(), booking.readHolds()]);
    showBooking(booking);
  } catch (error) {
    if (error.status === 404) showMissing();
    else main.replaceChildren(createFailure(error, openPage));
  }
}

function showMissing() {
  const link = create("a", { href: "/", className: "button quiet" }, "공연 목록으로");
  main.replaceChildren(createNotice("search", "이 공연은 찾을 수 없어요", link));
}

/** @param {Booking} booking */
function showBooking(booking) {
  const { hall } = booking;
  const map = new HallMap();
  const search = createAreaSearch(hall, area => map.open(area).then(() => map.focusSeats()));
  const emphasize = () => map.update(booking.availability, { price: prices.value, kind: kinds.value });
  const prices = createPriceFilter(hall, emphasize);
  const kinds = createKindFilter(hall, kind => {
    emphasize();
    if (kind) map.openKind(kind, booking.availability);
  });
  const description = createDescription(map, hall, area => describeArea(booking, area));
  const alert = createAlert(booking);
  const runAction = createRunner(booking, alert);
  const panel = create("section", { className: "panel booking", "aria-label": "예매" });
  document.title = `${hall.event.title} 좌석 선택 · 봄날티켓`;
  main.className = "seats-page";
  main.replaceChildren(
    createHeading(booking),
    create("div", { className: "tools" }, [search, prices.element, kinds.element]),
    create("div", { className: "hall" }, [
      map,
      create("div", { className: "hall-foot" }, [map.zoom, createLegend(LEGEND), description.element]),
    ]),
    create("div", { className: "side" }, [alert.element, panel]),
  );
  map.show(hall, (area, index, id) => booking.stateOf(area, index, id));
  connectMap(map, booking);
  keepChoice(booking);
  const updatePanel = createPanel(panel, booking, runAction, ({ currentTarget }) =>
    openBestSeats(booking, { area: map.openArea, price: prices.value, kind: kinds.value }, action =>
      runAction(action, currentTarget),
    ),
  );
  const update = () => {
    emphasize();
    for (const filter of [prices, kinds]) filter.update(booking.availability);
    description.update();
    updatePanel();
  };
  booking.addEventListener("change", update);
  update();
  if (booking.hold) map.showHold(booking.hold);
  booking.poll();
}

/**
 * Chooses the seats that somebody presses, and shows held and lost seats where they are.
 * @param {HallMap} map
 * @param {Booking} booking
 */
function connectMap(map, booking) {
  listen(map, "seat", ({ area, index, seat }) => {
    const reason = booking.toggle(area, index, seat);
    if (reason) notify(reason);
  });
  listen(booking, "held", hold => map.showHold(hold));
  listen(booking, "lost", ([first]) => {
    if (first) map.open(first.area);
  });
}

/**
 * Lets a visitor with chosen seats log in on this page, because the links of the header lead away from them.
 * @param {Booking} booking
 */
function keepChoice(booking) {
  document.querySelector("site-header")?.addEventListener("click", event => {
    const link = /** @type {Element} */ (event.target).closest(":is([href^='/login'], [href^='/join'])");
    if (!link || booking.chosen.size === 0) return;
    event.preventDefault();
    askToLogIn("고른 좌석은 그대로 있어요.", "로그인");
  });
}

/** @param {Booking} booking */
function createHeading({ event, show, sale }) {
  const note = {
    POSTPONED: "연기된 회차라서 예매할 수 없어요.",
    CANCELLED: "취소된 회차라서 예매할 수 없어요.",
    upcoming: `예매는 ${dayAndClock(event.ticketingOpenTime)}에 시작해요. 지금은 좌석만 둘러볼 수 있어요.`,
    closed: "이 회차는 예매가 마감됐어요.",
    ended: "이 회차는 예매가 끝났어요.",
  }[show.status ?? sale];
  return create("header", { className: "show" }, [
    create("a", { href: `/events/${event.id}`, className: "back", "aria-label": "공연 정보로 돌아가기" }, icon("back")),
    create("div", {}, [
      create("h1", {}, event.title),
      create("p", { className: "soft" }, [
        `${dayAndClock(show.datetime)} · ${event.place} `,
        createStatus(show.status),
      ]),
    ]),
    note &&
      create("p", { className: "sale", role: "note", dataset: { status: show.status ?? "" } }, [icon("clock"), note]),
    createShowNotice(show),
  ]);
}

/** @param {Booking} booking */
function describeArea({ hall, availability }, area) {
  const { label, price } = hall.areas[area];
  const { free } = availability.areas[area];
  return `${areaName(label)} · ${won(price)} · ${free > 0 ? `${free.toLocaleString("ko-KR")}석 남음` : "매진"}`;
}

openPage();
