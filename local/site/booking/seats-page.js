// Page of a show: the hall, the choice of seats, and the hold. Its address is `/events/<event>/shows/<show>`.

import "../elements/site-header.js";
import { askToLogIn } from "../account/login-dialog.js";
import { byId, create, icon, idsOfAddress } from "../dom.js";
import { createFailure, createNotice, createSkeletons } from "../elements/states.js";
import { notify } from "../elements/toast.js";
import { createShowNotice, createStatus } from "../events/show-status.js";
import { areaName, dayAndClock, seatName, won } from "../format.js";
import { HallMap } from "../hall/hall-map.js";
import { Hall } from "../hall/hall.js";
import { createAreaSearch, PriceFilter } from "../hall/toolbar.js";
import { openBestSeats } from "./best-seats.js";
import { Booking } from "./booking.js";
import { showPanel } from "./panel.js";

const main = byId("main");
const { eventId, showId } = idsOfAddress();

async function open() {
  main.replaceChildren(createSkeletons(1, "hall"));
  try {
    const hall = await Hall.open(eventId);
    const booking = new Booking(hall, showId);
    if (!booking.show) return showMissing();
    await Promise.all([booking.load(), booking.readHolds()]);
    show(hall, booking);
  } catch (error) {
    if (error.status === 404) showMissing();
    else main.replaceChildren(createFailure(error, open));
  }
}

function showMissing() {
  main.replaceChildren(
    createNotice(
      "search",
      "이 공연은 찾을 수 없어요",
      create("a", { href: "/", className: "button quiet" }, "공연 목록으로"),
    ),
  );
}

function show(hall, booking) {
  const { event } = hall;
  const map = new HallMap();
  const panel = create("section", { className: "panel booking", "aria-label": "예매" });
  const alert = create("p", { className: "error alert", role: "alert" });
  const described = create("p", { className: "described", role: "status" });
  const describe = (text, area) => {
    if (described.textContent !== text) described.textContent = text;
    describedArea = area;
  };
  let describedArea;
  const filter = new PriceFilter(hall, price => map.update(booking.availability, price));
  document.title = `${event.title} 좌석 선택 · 봄날티켓`;
  main.className = "seats-page";
  main.replaceChildren(
    createHeading(event, booking),
    create("div", { className: "tools" }, [
      createAreaSearch(hall, area => map.open(area).then(() => map.focusSeats())),
      filter.element,
    ]),
    create("div", { className: "hall" }, [map, createLegend(), described]),
    create("div", { className: "side" }, [alert, panel]),
  );
  map.show(hall, (area, index, id) => booking.stateOf(area, index, id));

  const run = action => act(booking, alert, action);
  const update = () => {
    map.update(booking.availability, filter.price);
    filter.update(booking.availability);
    if (describedArea !== undefined) describe(describeArea(hall, booking, describedArea), describedArea);
    showPanel(panel, booking, run, () => openBestSeats(booking, { area: map.openArea, price: filter.price }, run));
  };
  booking.addEventListener("change", update);
  booking.addEventListener("held", ({ detail: { seats } }) =>
    map.openAt(
      hall.areas.findIndex(({ id }) => id === seats[0].areaId),
      seats.map(({ id }) => id),
    ),
  );
  booking.addEventListener("lost", ({ detail }) => {
    alert.textContent = ["그사이 다른 분이 예매한 좌석이 있어서 선택에서 뺐어요.", ...detail.map(seatName)].join("\n");
    // The lost seat is shown where it is.
    if (detail.length > 0) map.open(detail[0].area);
  });
  booking.addEventListener("failure", ({ detail }) => {
    if (detail) alert.textContent = `좌석 현황을 새로 고치지 못했어요. ${detail.message}`;
    else if (alert.textContent.startsWith("좌석 현황")) alert.textContent = "";
  });
  map.addEventListener("area", ({ detail: { area } }) =>
    describe(area === undefined ? "" : describeArea(hall, booking, area), area),
  );
  map.addEventListener("reach", ({ detail: { area, seat } }) => describe(describeSeat(hall, area, seat)));
  map.addEventListener("seat", ({ detail: { area, index, seat } }) => {
    alert.textContent = "";
    const reason = booking.toggle(area, index, seat);
    if (reason) notify(reason);
    describe(describeSeat(hall, area, seat));
  });
  update();
  booking.poll();
}

function createHeading(event, { show, sale }) {
  const note = {
    POSTPONED: "연기된 회차라서 예매할 수 없어요.",
    CANCELLED: "취소된 회차라서 예매할 수 없어요.",
    upcoming: `예매는 ${dayAndClock(event.ticketingOpenTime)}에 시작해요. 지금은 좌석만 둘러볼 수 있어요.`,
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

function createLegend() {
  const item = (state, text) => create("li", { dataset: { state } }, text);
  return create("ul", { className: "legend", "aria-label": "좌석 표시" }, [
    item("free", "선택 가능"),
    item("chosen", "선택함"),
    item("mine", "내 좌석"),
    item("taken", "선택 불가"),
  ]);
}

const describeArea = (hall, { availability }, area) => {
  const { label, price } = hall.areas[area];
  const { free } = availability.areas[area];
  return `${areaName(label)} · ${won(price)} · ${free > 0 ? `${free.toLocaleString("ko-KR")}석 남음` : "매진"}`;
};

const describeSeat = (hall, area, { row, number }) => {
  const { label, price } = hall.areas[area];
  return `${areaName(label)} ${row}열 ${number}번 · ${won(price)}`;
};

// Runs the action of a button, one at a time. Without a session it asks the member to log in, and then goes on.
let isBusy = false;
async function act(booking, alert, action) {
  if (isBusy) return;
  isBusy = true;
  alert.textContent = "";
  try {
    await action();
  } catch (error) {
    if (error.code?.startsWith("AS_")) {
      isBusy = false;
      const rest = booking.chosen.size > 0 ? "고른 좌석은 그대로 있어요." : "로그인하면 바로 좌석을 잡아 드려요.";
      if (await askToLogIn(`예매하려면 로그인해 주세요. ${rest}`)) await act(booking, alert, action);
      return;
    }
    if (error.code === "H_004" || error.code === "H_005") await booking.readHolds();
    if (error.code !== "H_001") alert.textContent = error.message;
  } finally {
    isBusy = false;
  }
}

open();
