// What a manager does with an event besides editing it: a new poster, publication, deletion and restoration.

import { openFormDialog } from "../forms/form-dialog.js";
import { notify } from "../elements/toast.js";
import { pathOfEvent, pathOfOwnEvent } from "../service/client.js";
import { sendAsManager } from "../service/manager.js";
import { POSTER } from "./event-fields.js";

const DAY = 86_400_000;
const RESTORABLE_DAYS = 30;
/** @param {OwnEvent} event */
export function replacePoster(event, done) {
  openFormDialog({
    title: "포스터 교체",
    text: `‘${event.title}’의 포스터를 바꿔요.`,
    fields: [{ ...POSTER, label: "새 포스터" }],
    button: "교체하기",
    submit(fields) {
      const body = new FormData();
      body.append("thumbnail", fields.thumbnail.read());
      return sendAsManager("PUT", `${pathOfEvent(event.id)}/thumbnail`, { body });
    },
    done({ data }) {
      done(data);
      notify("포스터를 바꿨어요.");
    },
  });
}

/** @param {OwnEvent} event */
export async function publishEvent(event, done) {
  const { data } = await sendAsManager("PATCH", pathOfEvent(event.id), { fields: { published: true } });
  done({ ...data, status: "LIVE" });
  notify("공연을 공개했어요.");
}

/** @param {OwnEvent} event */
export function deleteEvent(event, done) {
  openFormDialog({
    title: "공연 삭제",
    text: `‘${event.title}’ 공연을 삭제할까요? 목록에서 바로 사라지고, ${RESTORABLE_DAYS}일 안에 복구할 수 있어요.`,
    button: "삭제하기",
    danger: true,
    submit: () => sendAsManager("DELETE", pathOfEvent(event.id)),
    done() {
      const restorableUntil = new Date(Date.now() + RESTORABLE_DAYS * DAY).toISOString();
      done({ status: "DELETED", restorableUntil });
      notify("공연을 삭제했어요.");
    },
  });
}

/** @param {OwnEvent} event */
export async function restoreEvent(event, done) {
  const { data } = await sendAsManager("POST", `${pathOfEvent(event.id)}/restore`);
  // A draft is restored as a draft.
  const {
    data: { status },
  } = await sendAsManager("GET", pathOfOwnEvent(event.id));
  done({ ...data, status });
  notify("공연을 복구했어요.");
}
