// List of a manager's events, with pages.

import { create, createButton } from "../dom.js";
import { createFailure, createNotice, createSkeletons } from "../elements/states.js";
import { nextPath } from "../service/client.js";
import { sendAsManager } from "../service/manager.js";
import { createEventRow } from "./event-row.js";

const EMPTY = {
  live: [
    "calendar",
    "공개한 공연이 없어요",
    create("p", { className: "soft" }, "비공개로 등록한 공연은 ‘비공개’에서 볼 수 있어요."),
  ],
  draft: ["calendar", "비공개 공연이 없어요"],
  deleted: ["check", "복구할 수 있는 공연이 없어요"],
  all: ["calendar", "공연이 없어요"],
};

/** Creates an empty list; its `load` shows the events with a status. `onUnknown` is called for an unknown manager. */
export function createEventList(onUnknown) {
  const count = create("p", { role: "status", className: "soft small count" });
  const rows = create("ul", { className: "managed" });
  const state = create("div");
  const more = createButton("더 보기", showMore, { className: "quiet more", hidden: true });
  const element = create("div", { className: "stack" }, [count, rows, state, more]);
  let status;
  let next;
  let request;

  /** Appends a page. The response to an earlier request is ignored. */
  async function append() {
    request?.abort();
    const { signal } = (request = new AbortController());
    const { data, headers } = await sendAsManager("GET", next, { signal });
    if (signal.aborted) return undefined;
    const added = data.map(event => createEventRow(event, update));
    rows.append(...added);
    next = nextPath(headers);
    state.replaceChildren();
    showCount();
    return added[0];
  }

  function showCount() {
    more.hidden = !next;
    count.textContent = rows.childElementCount ? `공연 ${rows.childElementCount}개${next ? " 이상" : ""}` : "";
    if (!rows.childElementCount && !next) state.replaceChildren(createNotice(...EMPTY[status]));
  }

  /** Shows a changed event, or leaves it out if it belongs to another status now. The focus stays at its place. */
  function update(row, event) {
    const stays = status === "all" || status === event.status.toLowerCase();
    const replacement = stays ? createEventRow(event, update) : undefined;
    const neighbour = replacement ?? row.nextElementSibling ?? row.previousElementSibling;
    if (replacement) row.replaceWith(replacement);
    else row.remove();
    showCount();
    (neighbour?.querySelector("button") ?? document.querySelector("h1")).focus();
  }

  async function showMore() {
    try {
      (await append())?.querySelector("button").focus({ preventScroll: true });
    } catch (error) {
      showError(error, showMore);
    }
  }

  function showError(error, retry) {
    if (error.name === "AbortError") return;
    if (error.code === "AM_001") onUnknown();
    else state.replaceChildren(createFailure(error, retry));
  }

  async function load(newStatus) {
    status = newStatus;
    next = `/api/v1/managers/me/events?limit=12&status=${status}`;
    rows.replaceChildren();
    count.textContent = "";
    more.hidden = true;
    state.replaceChildren(createSkeletons(3, "row"));
    await append().catch(error => showError(error, () => load(status)));
  }

  return { element, load };
}
