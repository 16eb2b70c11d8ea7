// Page `/manager`: the events of one manager, by their status.

import "../elements/site-header.js";
import { create, createButton } from "../dom.js";
import { createEventList } from "./event-list.js";
import { openManaged, UNKNOWN_MANAGER } from "./gate.js";

const STATUSES = { live: "공개됨", draft: "비공개", deleted: "삭제됨", all: "전체" };

/** Returns the status in the address, which keeps it through a reload. */
function readStatus() {
  const status = new URLSearchParams(location.search).get("status") ?? "";
  return status in STATUSES ? status : "live";
}

openManaged("공연 관리", "", forgetManager => {
  const list = createEventList(() => forgetManager(UNKNOWN_MANAGER));
  const buttons = Object.entries(STATUSES).map(([status, label]) =>
    createButton(label, () => select(status), { dataset: { status } }),
  );
  const filter = create("div", { className: "tabs", role: "group", "aria-label": "상태" }, buttons);
  const select = status => {
    history.replaceState(null, "", status === "live" ? "/manager" : `/manager?status=${status}`);
    for (const button of buttons) button.ariaPressed = String(button.dataset.status === status);
    list.load(status);
  };
  select(readStatus());
  const change = createButton("관리자 바꾸기", () => forgetManager(), { className: "plain" });
  const add = create("a", { href: "/manager/new", className: "button" }, "공연 등록");
  return [
    create("div", { className: "managing stack" }, [
      create("h1", { tabIndex: -1 }, "공연 관리"),
      create("div", { className: "toolbar" }, [filter, change, add]),
      list.element,
    ]),
  ];
});
