// Page `/manager/events/<event>`: the desk of an event, with its shows.

import "../elements/site-header.js";
import { create, createButton, icon, idsOfAddress } from "../dom.js";
import { notify } from "../elements/toast.js";
import { createPoster } from "../events/poster.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { readAll } from "../forms/form.js";
import { dayAndClock } from "../format.js";
import { pathOfEvent } from "../service/client.js";
import { copyEvent } from "./copy-event.js";
import { ACTIONS, createBadge, runOrNotify } from "./event-row.js";
import { openManaged } from "./gate.js";
import { ManagedEvent } from "./managed-event.js";
import { NOTICE, NOTIFY } from "./show-actions.js";
import { createShowRow } from "./show-row.js";

const managed = new ManagedEvent(idsOfAddress().eventId);
const heading = create("header", { className: "desk-heading" });
const shows = create("ul", { className: "desk-shows" });

function cancelShows() {
  openFormDialog({
    title: "전체 취소",
    text: `‘${managed.event.title}’의 남은 회차를 모두 취소할까요? 더는 예매할 수 없어요. 이미 판매한 좌석은 주문을 취소할 때까지 판매된 상태로 남아요.`,
    // A notice that stays empty leaves those of the shows.
    fields: [
      { ...NOTICE, note: "모든 회차에 같은 안내문을 보여요. 비워 두면 회차마다 있던 안내문이 남아요." },
      ...(managed.event.status === "LIVE" ? [NOTIFY] : []),
    ],
    values: { notifyBuyers: true },
    button: "모두 취소하기",
    danger: true,
    submit: ({ notice, ...others }) =>
      managed.edit("POST", `${pathOfEvent(managed.id)}/cancellation`, {
        ...readAll(others),
        ...(notice.isEdited() && { notice: notice.read() }),
      }),
    done: () => notify("남은 회차를 모두 취소했어요."),
  });
}

async function unpublish() {
  await managed.edit("PATCH", pathOfEvent(managed.id), { published: false }, { status: "DRAFT" });
  notify("공연을 비공개로 바꿨어요. 예매 페이지에서 보이지 않아요.");
}

const ON_DESK = { "전체 취소": cancelShows, 복사: copyEvent };
const ACTIONS_OF_DESK = { LIVE: { "비공개로 전환": unpublish, ...ON_DESK }, DRAFT: ON_DESK };

function showEvent() {
  const { event } = managed;
  document.title = `${event.title} 관리 · 봄날티켓`;
  const { 삭제, ...rest } = ACTIONS[event.status];
  const actions = { ...rest, ...ACTIONS_OF_DESK[event.status], ...(삭제 && { 삭제 }) };
  const reload = () => managed.load().catch(({ message }) => notify(message));
  const buttons = Object.entries(actions).map(([label, action]) =>
    createButton(label, () => runOrNotify(action, event, reload), { className: "quiet" }),
  );
  heading.replaceChildren(
    create("a", { href: "/manager", className: "back", "aria-label": "공연 관리로 돌아가기" }, icon("back")),
    createPoster(event),
    create("div", { className: "stack" }, [
      create("div", { className: "badges" }, createBadge(event)),
      create("h1", { tabIndex: -1 }, event.title),
      create("p", { className: "soft" }, `${event.artist} · ${event.place}`),
      create("p", { className: "soft small" }, [
        event.status === "DELETED"
          ? `${dayAndClock(event.restorableUntil)}까지 복구할 수 있어요.`
          : `예매 시작 ${dayAndClock(event.ticketingOpenTime)}`,
        " ",
        event.status === "LIVE" ? create("a", { href: `/events/${event.id}` }, "예매 페이지 보기") : "",
      ]),
    ]),
    create("div", { className: "row actions" }, buttons),
  );
  const sorted = event.eventDatetimes.toSorted((one, other) => Date.parse(one.datetime) - Date.parse(other.datetime));
  shows.replaceChildren(...sorted.map(item => createShowRow(managed, item)));
}

managed.addEventListener("change", showEvent);
openManaged("공연 관리", "desk", async () => {
  await managed.load();
  if (location.hash === "#copied") {
    notify("공연을 복사했어요.");
    history.replaceState(null, "", location.pathname);
  }
  return [heading, create("section", { className: "stack" }, [create("h2", {}, "회차"), shows])];
});
