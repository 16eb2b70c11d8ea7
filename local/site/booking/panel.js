// Panel beside the hall, or bar at the bottom of a phone: the choice, the sum and the button; then the hold.

import { create, createButton, focusFirst, icon, updateChildren } from "../dom.js";
import { seatName, won } from "../format.js";
import { pathOfOrder, tellTabs } from "../service/holds.js";
import { confirmHold } from "../service/orders.js";
import { askToRelease } from "./cancel.js";
import { createCountdown } from "./countdown.js";

const DOUBLE_TAP_MILLISECONDS = 500;

/**
 * Shows a booking in an element, and returns a function that updates it. What stays keeps its elements, and so the focus.
 * `runAction` runs the action of a button and shows its error; `openBest` offers seats that the service chooses.
 * @param {HTMLElement} element
 * @param {Booking} booking
 * @param {RunAction} runAction
 * @param {(event: Event) => void} openBest
 */
export function createPanel(element, booking, runAction, openBest) {
  const updateChoice = createChoice(booking, runAction, openBest);
  let shown = "";
  /** @type {Node[]} */
  let parts = [];
  return () => {
    const { hold, chosen } = booking;
    const hadFocus = element.contains(document.activeElement);
    if (hold && shown !== hold.id + hold.status) parts = createHold(booking, hold, runAction);
    shown = hold ? hold.id + hold.status : "";
    updateChildren(element, hold ? parts : updateChoice());
    element.classList.toggle("empty", !hold && chosen.size === 0);
    if (hadFocus && !element.querySelector(":focus:not(:disabled)")) focusFirst(element, "h2");
  };
}

const createTitle = text => create("h2", { tabIndex: -1 }, text);

/**
 * @param {HeldSeat | ChosenSeat} seat
 * @param {(id: string) => void} [remove]
 */
const createSeat = (seat, remove) =>
  create("li", {}, [
    create("span", {}, seatName(seat)),
    create("span", { className: "soft" }, won(seat.price)),
    remove &&
      createButton(icon("close"), () => remove(seat.id), {
        className: "plain",
        "aria-label": `${seatName(seat)} 선택 취소`,
      }),
  ]);

/**
 * @param {unknown[]} seats
 * @param {number} amount
 */
const createTotal = (seats, amount) => [create("span", {}, `${seats.length}석`), create("strong", {}, won(amount))];

/**
 * Creates the choice. The function that it returns updates its elements, and returns those to show.
 * @param {Booking} booking
 * @param {RunAction} runAction
 * @param {(event: Event) => void} openBest
 */
function createChoice(booking, runAction, openBest) {
  const title = createTitle("선택한 좌석");
  const mineText = new Text();
  const mine = create("p", { className: "mine" }, [mineText, create("a", { href: "/tickets" }, "내 예매 보기")]);
  const hint = create("p", { className: "soft hint" });
  const best = createButton("자동으로 고르기", openBest, { className: "quiet best" });
  const list = create("ul", { className: "chosen" });
  const total = create("p", { className: "total" });
  const button = createButton("예매하기", ({ currentTarget }) => runAction(() => booking.holdChosen(), currentTarget));
  /** Items of the chosen seats by their ids. @type {Map<string, HTMLElement>} */
  let items = new Map();
  const remove = id => booking.remove(id);
  return () => {
    const { bought, limit, sale, amount, obstacle } = booking;
    const seats = [...booking.chosen.values()];
    const hasSeats = seats.length > 0;
    items = new Map(seats.map(seat => [seat.id, items.get(seat.id) ?? createSeat(seat, remove)]));
    updateChildren(list, [...items.values()]);
    total.replaceChildren(...createTotal(seats, amount));
    button.disabled = !hasSeats || obstacle !== "";
    mineText.data = `이 회차를 ${bought}석 예매했어요. `;
    hint.textContent =
      sale !== "open"
        ? "지금은 좌석만 둘러볼 수 있어요."
        : limit === 0
          ? booking.describeLimit()
          : "배치도에서 좌석을 직접 고르거나, 좋은 자리를 바로 잡아 보세요.";
    const isChoosing = hasSeats || sale !== "open";
    return [title, bought > 0 && mine, hasSeats ? list : hint, ...(isChoosing ? [total, button] : [limit > 0 && best])];
  };
}

/**
 * Pays for a hold, and leaves for the page of its order. Until then the action is in progress, so that the second tap of
 * a double tap does nothing, here or on that page.
 * @param {Hold} hold
 */
async function pay(hold) {
  const pause = new Promise(resolve => {
    setTimeout(resolve, DOUBLE_TAP_MILLISECONDS);
  });
  await Promise.all([confirmHold(hold), pause]);
  tellTabs();
  location.replace(pathOfOrder(hold));
  await new Promise(() => {});
}

/**
 * @param {Booking} booking
 * @param {Hold} hold
 * @param {RunAction} runAction
 */
function createHold(booking, hold, runAction) {
  const { status, seats, amount } = hold;
  const again = createButton("다른 좌석 예매하기", () => booking.chooseAgain(), { className: "quiet" });
  const askAndRelease = ({ currentTarget }) =>
    currentTarget.ariaBusy !== "true" &&
    askToRelease(hold, () => runAction(() => booking.release(hold), currentTarget));
  const release = createButton("선점 취소", askAndRelease, { className: "quiet" });
  const parts = {
    HELD: ["좌석을 잡아 뒀어요", createCountdown(hold), release],
    EXPIRED: [
      "시간이 지나 좌석이 풀렸어요",
      create("p", { className: "soft" }, "이미 결제했다면, 좌석이 남아 있는 동안에는 확정할 수 있어요."),
      again,
    ],
  };
  const [heading, fact, action] = parts[status];
  const order = create("section", { className: "play" }, [
    create("h3", {}, "연습용 결제"),
    create("p", { className: "soft small" }, "실제로는 결제 서비스가 하는 일이에요. 돈은 오가지 않아요."),
    createButton("결제하기(연습)", ({ currentTarget }) => runAction(() => pay(hold), currentTarget)),
  ]);
  return [
    createTitle(heading),
    fact,
    create(
      "ul",
      { className: "chosen" },
      seats.map(seat => createSeat(seat)),
    ),
    create("p", { className: "total" }, createTotal(seats, amount)),
    order,
    action,
  ];
}
