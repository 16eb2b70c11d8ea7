// Panel beside the hall: the chosen seats, and what can be done with them.

import { create, createButton } from "../dom.js";
import { notify } from "../elements/toast.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { seatName, won } from "../format.js";
import { MAX_SOLD } from "./show-desk.js";

const NAMED = 8;
const OFF = { POSTPONED: "연기된 회차라서 판매할 수 없어요.", CANCELLED: "취소된 회차라서 판매할 수 없어요." };

/**
 * Shows the choice in an element; `runAction` runs the action of a button and shows its error.
 * @param {ShowDesk} desk
 * @param {RunAction} runAction
 */
export function showChoice(element, desk, runAction) {
  const focused = element.contains(document.activeElement);
  const { chosen } = desk;
  const seats = [...chosen.values()];
  const isEmpty = seats.length === 0;
  const isBlocked = seats.some(seat => seat.isBlocked);
  const reason =
    OFF[desk.show.status] ??
    (seats.length > MAX_SOLD ? `현장 판매는 한 번에 ${MAX_SOLD}석까지 할 수 있어요.` : undefined);
  const button = (label, action, properties) => createButton(label, action, { disabled: isEmpty, ...properties });
  const free = () => runAction(async () => notify(`막아 둔 ${await desk.freeChosen()}석을 풀었어요.`));
  element.replaceChildren(
    create("h2", { tabIndex: -1 }, "선택한 좌석"),
    isEmpty
      ? create("p", { className: "soft hint" }, "구역을 누르고 좌석을 골라 주세요. 막은 좌석도 고를 수 있어요.")
      : createNames(seats),
    create("p", { className: "total" }, [
      create("span", {}, `${seats.length}석`),
      create("strong", {}, won(desk.amount)),
    ]),
    button("현장 판매", () => sell(desk), { disabled: isEmpty || reason !== undefined }),
    create("p", { className: "soft small" }, reason),
    create("div", { className: "row" }, [
      button("판매 막기", () => block(desk), { className: "quiet" }),
      button("막기 해제", free, { className: "quiet", disabled: !isBlocked }),
    ]),
    button("선택 비우기", () => desk.clearChosen(), { className: "plain" }),
  );
  if (focused) element.querySelector("h2").focus();
}

/**
 * Creates the names of seats by their rows: `1층 A구역 3열 2, 3, 4번`.
 * @param {Omit<HeldSeat, "areaId">[]} seats
 */
export function createNames(seats) {
  const rows = [...Map.groupBy(seats, seat => seatName({ ...seat, number: "" })).values()];
  const rest = rows.slice(NAMED).flat().length;
  return create("ul", { className: "seat-names" }, [
    ...rows.slice(0, NAMED).map(row => {
      const numbers = row
        .map(({ number }) => number)
        .sort((one, other) => one - other)
        .join(", ");
      return create("li", {}, seatName({ ...row[0], number: numbers }));
    }),
    rest > 0 ? create("li", { className: "soft" }, `외 ${rest}석`) : "",
  ]);
}

/** @param {ShowDesk} desk */
function block(desk) {
  openFormDialog({
    title: "판매 막기",
    text: `${desk.chosen.size}석을 예매할 수 없게 막아요.`,
    fields: [
      {
        name: "label",
        label: "이름 (선택)",
        type: "optional",
        autocomplete: "off",
        note: "‘보도진’, ‘후원사’처럼 누구의 좌석인지 적어 두세요. 방문자에게는 보이지 않아요.",
      },
    ],
    button: `${desk.chosen.size}석 막기`,
    submit: ({ label }) => desk.blockChosen(label.read()),
    done: blocked => notify(`${blocked}석의 판매를 막았어요.`),
  });
}

/** @param {ShowDesk} desk */
function sell(desk) {
  const { amount, chosen } = desk;
  const blocked = [...chosen.values()].filter(seat => seat.isBlocked).length;
  // Orders have only ASCII characters.
  const time = new Date(Date.now() + 9 * 3_600_000).toISOString().replace(/\D/g, "").slice(2, 14);
  openFormDialog({
    title: "현장 판매",
    text: [
      `${chosen.size}석을 ${won(amount)}에 판매해요. 결제는 현장에서 받아 주세요.`,
      ...(blocked > 0 ? [`그중 ${blocked}석은 판매를 막아 둔 좌석이에요.`] : []),
    ],
    fields: [
      {
        name: "orderId",
        label: "주문 번호",
        autocomplete: "off",
        spellcheck: false,
        note: "영문자, 숫자, 기호로 100자까지 쓸 수 있어요. 취소할 때 필요해요.",
      },
    ],
    values: { orderId: `box-${time}` },
    button: `${won(amount)} 판매하기`,
    submit: ({ orderId }) => desk.sellChosen(orderId.read(), amount),
    done: () => notify("현장 판매를 마쳤어요."),
  });
}
