// Page `/manager/events/<event>/shows/<show>`: numbers of a show, its hall with the box office, its gates,
// its notices, and its sales.

import "../elements/site-header.js";
import { create, createButton, icon, idsOfAddress, listen } from "../dom.js";
import { notify } from "../elements/toast.js";
import { createShowNotice } from "../events/show-status.js";
import { areaName, dayAndClock, won } from "../format.js";
import { createDescription } from "../hall/description.js";
import { HallMap } from "../hall/hall-map.js";
import { Hall } from "../hall/hall.js";
import { createAreaSearch, createKindFilter, createLegend } from "../hall/toolbar.js";
import { pathOfOwnEvent, ServiceError } from "../service/client.js";
import { readManager } from "../service/manager.js";
import { createBlocks } from "./blocks.js";
import { showChoice } from "./choice.js";
import { openManaged } from "./gate.js";
import { createGates } from "./gates.js";
import { createNotices } from "./notices.js";
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
};
const { eventId, showId } = idsOfAddress();

openManaged("회차 관리", "desk", async () => {
  const hall = await Hall.open(eventId, pathOfOwnEvent(eventId), readManager());
  const show = hall.event.eventDatetimes.find(({ id }) => id === showId);
  if (!show) throw new ServiceError(undefined, 404);
  const desk = new ShowDesk(hall, show);
  await desk.load();
  document.title = `${desk.event.title} 회차 관리 · 봄날티켓`;
  desk.poll();
  return [
    createHeading(desk),
    createNumbers(desk),
    createHall(desk),
    createBlocks(desk),
    createGates(desk),
    desk.event.status === "LIVE" && createNotices(desk),
    createSales(desk),
  ];
});

/** @param {ShowDesk} desk */
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

/** @param {ShowDesk} desk */
function createNumbers(desk) {
  const section = create("section", { className: "stack" });
  const showNumbers = () => {
    const isOpen = section.querySelector("details")?.open ?? desk.summary.areas.length <= 8;
    section.replaceChildren(
      create("h2", {}, "판매 현황"),
      createBar(desk.summary),
      create("details", { open: isOpen }, [create("summary", {}, "구역별 현황"), createTable(desk.summary)]),
    );
  };
  desk.addEventListener("change", showNumbers);
  showNumbers();
  return section;
}

/** @param {ShowDesk} desk */
function createHall(desk) {
  const { hall } = desk;
  const map = new HallMap();
  const panel = create("section", { className: "panel booking", "aria-label": "선택한 좌석" });
  const alert = create("p", { className: "error alert", role: "alert" });
  const description = createDescription(map, hall, area => {
    const { label, price } = hall.areas[area];
    return `${areaName(label)} · ${won(price)}`;
  });
  const chooseAll = createButton(
    "",
    () => {
      if (map.openArea !== undefined) desk.chooseArea(map.openArea);
    },
    { className: "quiet", hidden: true },
  );
  const runAction = async action => {
    alert.textContent = "";
    await action().catch(error => {
      alert.textContent = [error.message, ...(error.errors ?? []).map(({ reason }) => reason)].join("\n");
    });
  };
  const emphasize = () => map.update({ areas: desk.summary.areas }, { kind: kinds.value });
  const kinds = createKindFilter(hall, kind => {
    emphasize();
    if (kind) map.openKind(kind, desk.availability);
  });
  const update = () => {
    emphasize();
    if (desk.availability) kinds.update(desk.availability);
    showChoice(panel, desk, runAction);
  };
  listen(map, "area", ({ area }) => {
    chooseAll.hidden = area === undefined;
    if (area !== undefined) chooseAll.textContent = `${areaName(hall.areas[area].label)} 모두 고르기`;
  });
  listen(map, "seat", ({ area, index, seat }) => {
    const reason = desk.toggle(area, index, seat);
    if (reason) notify(reason);
  });
  map.show(hall, (area, index, id) => desk.stateOf(area, index, id));
  desk.addEventListener("change", update);
  update();
  const search = createAreaSearch(hall, area => map.open(area).then(() => map.focusSeats()));
  return create("section", { className: "desk-hall" }, [
    create("h2", {}, "좌석"),
    create("div", { className: "row" }, [search, chooseAll]),
    create("div", { className: "stack" }, [
      kinds.element,
      map,
      create("div", { className: "hall-foot" }, [map.zoom, createLegend(LEGEND), description.element]),
    ]),
    create("div", { className: "stack" }, [alert, panel]),
  ]);
}
