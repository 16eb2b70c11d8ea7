// Page `/manager`: the events of one manager, by their status.

import "../elements/site-header.js";
import { byId, create, createButton } from "../dom.js";
import { readManager, writeManager } from "../service/manager.js";
import { createEntry } from "./entry.js";
import { createEventList } from "./event-list.js";

const STATUSES = { live: "등록됨", draft: "비공개", deleted: "삭제됨", all: "전체" };
const column = create("div", { className: "managing stack" });
byId("main").append(column);

function show(...content) {
  const heading = create("h1", { tabIndex: -1 }, "공연 관리");
  column.replaceChildren(heading, ...content);
  return heading;
}

/** Asks who manages. `reason` says why, if an identity has ended. */
function showEntry(reason) {
  return show(createEntry(() => showEvents().focus(), reason));
}

/** Returns the status in the address, which keeps it through a reload. */
function readStatus() {
  const status = new URLSearchParams(location.search).get("status");
  return status in STATUSES ? status : "live";
}

function showEvents() {
  const list = createEventList(() => {
    writeManager(null);
    showEntry("관리자 ID나 토큰이 더 이상 유효하지 않아요. 다시 입력해 주세요.");
  });
  const filter = create("div", { className: "tabs", role: "group", "aria-label": "상태" });
  for (const [status, label] of Object.entries(STATUSES)) {
    filter.append(createButton(label, () => select(status), { dataset: { status } }));
  }
  const select = status => {
    history.replaceState(null, "", status === "live" ? "/manager" : `/manager?status=${status}`);
    for (const button of filter.children) button.setAttribute("aria-pressed", button.dataset.status === status);
    list.load(status);
  };
  const leave = createButton("관리자 바꾸기", () => {
    writeManager(null);
    showEntry().focus();
  }, { className: "plain" });
  const add = create("a", { href: "/manager/new", className: "button" }, "공연 등록");
  const heading = show(create("div", { className: "toolbar" }, filter, leave, add), list.element);
  select(readStatus());
  return heading;
}

if (readManager()) showEvents();
else showEntry();
