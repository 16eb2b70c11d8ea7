// Changes of a show by its manager: postpone, move, call off, bring back, and tell visitors about it.

import { focusFirst } from "../dom.js";
import { notify } from "../elements/toast.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { readAll } from "../forms/form.js";
import { dayAndClock } from "../format.js";
import { pathOfShow } from "../service/client.js";
import { createMailPreview } from "./mail-preview.js";

export const NOTICE = {
  name: "notice",
  label: "안내문 (선택)",
  type: "textarea",
  rows: 4,
  note: "예매 페이지와 예매자의 ‘내 예매’에 보여요. 500자까지 쓸 수 있고, 비우면 안내문이 사라져요.",
};
export const NOTIFY = {
  name: "notifyBuyers",
  label: "예매한 회원에게 메일로 알리기",
  type: "checkbox",
  note: "바뀐 내용, 공연과 장소, 안내문, ‘내 예매’로 가는 링크를 보내요.",
};
const TIME = {
  name: "datetime",
  label: "새 일시",
  type: "time",
  note: "한국 시간이에요. 예매한 좌석은 그대로 옮겨져요.",
};

const ACTIONS = {
  연기: {
    status: "POSTPONED",
    text: "새 일시를 정할 때까지 예매할 수 없어요. 이미 판매한 좌석은 새 일시로 그대로 옮겨져요.",
    done: "회차를 연기했어요.",
  },
  "일시 변경": {
    status: "SCHEDULED",
    text: "바꾼 일시로 예매를 받아요. 안내문도 확인해 주세요.",
    fields: [TIME],
    done: "회차의 일시를 바꿨어요.",
  },
  취소: {
    status: "CANCELLED",
    text: "더는 예매할 수 없어요. 이미 판매한 좌석은 자동으로 취소되지 않으니, 판매 내역에서 주문별로 취소해 주세요.",
    danger: true,
    done: "회차를 취소했어요.",
  },
  "다시 진행": {
    status: "SCHEDULED",
    text: "원래 일시에 다시 예매를 받아요. 안내문도 확인해 주세요.",
    done: "회차를 다시 진행해요.",
  },
  "안내문 수정": { done: "안내문을 고쳤어요." },
};

const AVAILABLE = {
  SCHEDULED: ["연기", "일시 변경", "취소", "안내문 수정"],
  POSTPONED: ["일시 변경", "다시 진행", "취소", "안내문 수정"],
  CANCELLED: ["다시 진행", "일시 변경", "안내문 수정"],
};

/**
 * Returns the names of what can be done with a show.
 * @param {Show} show
 */
export const actionsOf = ({ status }) => AVAILABLE[status ?? "SCHEDULED"];

/**
 * Opens the form of an action.
 * @param {ManagedEvent} managed
 * @param {Show} show
 * @param {string} name
 */
export function changeShow(managed, show, name) {
  const { status, text, fields = [], danger, done } = ACTIONS[name];
  openFormDialog({
    title: name === "안내문 수정" ? name : `회차 ${name}`,
    text: [
      `${dayAndClock(show.datetime)} 회차예요.`,
      ...(text ? [text] : []),
      ...(managed.event.status === "LIVE" ? [createMailPreview(managed.event, show, status)] : []),
    ],
    fields: [...fields, NOTICE, ...(managed.event.status === "LIVE" ? [NOTIFY] : [])],
    values: { datetime: show.datetime, notice: show.notice ?? "", notifyBuyers: status !== undefined },
    button:
      { 취소: "회차 취소하기", 연기: "연기하기", "일시 변경": "일시 바꾸기", "다시 진행": "다시 진행하기" }[name] ??
      "저장하기",
    danger,
    submit: form =>
      managed.edit("PATCH", pathOfShow(managed.id, show.id), { ...(status && { status }), ...readAll(form) }),
    done() {
      notify(done);
      // The button that opened the form has been replaced.
      focusFirst(document, `[data-show="${show.id}"] .actions a`);
    },
  });
}
