// Page `/manager/events/<event>/shows/<show>`: numbers of a show, its hall with the box office, and its sales.

import "../elements/site-header.js";
import { create, createButton, icon, idsOfAddress } from "../dom.js";
import { notify } from "../elements/toast.js";
import { createShowNotice } from "../events/show-status.js";
import { areaName, dayAndClock, won } from "../format.js";
import { HallMap } from "../hall/hall-map.js";
import { Hall } from "../hall/hall.js";
import { createAreaSearch } from "../hall/toolbar.js";
import { pathOfOwnEvent, ServiceError } from "../service/client.js";
import { readManager } from "../service/manager.js";
import { showChoice } from "./choice.js";
import { openManaged } from "./gate.js";
import { createBar, createTable } from "./numbers.js";
import { createSales } from "./sales.js";
import { ShowDesk } from "./show-desk.js";
import { createShowBadge } from "./show-row.js";

const LEGEND = {
  free: "빈 좌석",
  chosen: "선택함",
  sold: "판매됨",
  held: "선점됨",
  blocked: "판매 막음",
  kept: "선점 또는 막음",
};
const { eventId, showId } = idsOfAddress();

openManaged("회차 관리", "desk", async () => {
  const hall = await Hall.open(eventId, pathOfOwnEvent(eventId), readManager());
  const desk = new ShowDesk(hall, showId);
  if (!desk.show) throw new ServiceError(undefined, 404);
  await desk.load();
  document.title = `${desk.event.title} 회차 관리 · 봄날티켓`;
  desk.poll();
  return [createHeading(desk), createNumbers(desk), createHall(desk), createSales(desk)];
});

function createHeading({ event, show }) {
  return create("header", { className: "show" }, [
    create(
      "a",
      { href: `/manager/events/${event.id}`, className: "back", "aria-label": "공연의 회차 목록으로 돌아가기" },
      icon("back"),
    ),
    create("div", {}, [
      create("h1", { tabIndex: -1 }, event.title),
      create("p", { className: "soft" }, `${dayAndClock(show.datetime)} · ${event.place} `),
    ]),
    createShowBadge(event, show),
    createShowNotice(show),
  ]);
}

function createNumbers(desk) {
  const section = create("section", { className: "stack" });
  const show = () => {
    const isOpen = section.querySelector("details")?.open ?? desk.summary.areas.length <= 8;
    section.replaceChildren(
      create("h2", {}, "판매 현황"),
      createBar(desk.summary),
      create("details", { open: isOpen }, [create("summary", {}, "구역별 현황"), createTable(desk.summary)]),
    );
  };
  desk.addEventListener("change", show);
  show();
  return section;
}

function createHall(desk) {
  const { hall } = desk;
  const map = new HallMap();
  const panel = create("section", { className: "panel booking", "aria-label": "선택한 좌석" });
  const alert = create("p", { className: "error alert", role: "alert" });
  const described = create("p", { className: "described", role: "status" });
  const chooseAll = createButton("이 구역 모두 고르기", () => desk.chooseArea(map.openArea), {
    className: "quiet",
    hidden: true,
  });
  const hint = create("p", { className: "soft small" });
  const act = async action => {
    alert.textContent = "";
    await action().catch(error => {
      alert.textContent = [error.message, ...(error.errors ?? []).map(({ reason }) => reason)].join("\n");
    });
  };
  const update = () => {
    map.update({ areas: desk.summary.areas });
    hint.textContent = desk.hidesBlocked
      ? "비공개 공연에서는 막은 좌석의 수만 알 수 있어요. 위치는 공개한 뒤에 보여요."
      : "";
    showChoice(panel, desk, act);
  };
  map.addEventListener("area", ({ detail: { area } }) => {
    chooseAll.hidden = area === undefined;
    described.textContent =
      area === undefined ? "" : `${areaName(hall.areas[area].label)} · ${won(hall.areas[area].price)}`;
  });
  const describe = ({ row, number }, area) => {
    described.textContent = `${areaName(hall.areas[area].label)} ${row}열 ${number}번 · ${won(hall.areas[area].price)}`;
  };
  map.addEventListener("reach", ({ detail: { area, seat } }) => describe(seat, area));
  map.addEventListener("seat", ({ detail: { area, index, seat } }) => {
    const reason = desk.toggle(area, index, seat);
    if (reason) notify(reason);
    describe(seat, area);
  });
  map.show(hall, (area, index, id) => desk.stateOf(area, index, id));
  desk.addEventListener("change", update);
  update();
  const legend = Object.entries(LEGEND).map(([state, text]) => create("li", { dataset: { state } }, text));
  return create("section", { className: "desk-hall" }, [
    create("h2", {}, "좌석"),
    create("div", { className: "row" }, [
      createAreaSearch(hall, area => map.open(area).then(() => map.focusSeats())),
      chooseAll,
    ]),
    create("div", { className: "stack" }, [
      map,
      create("ul", { className: "legend", "aria-label": "좌석 표시" }, legend),
      hint,
      described,
    ]),
    create("div", { className: "stack" }, [alert, panel]),
  ]);
}
