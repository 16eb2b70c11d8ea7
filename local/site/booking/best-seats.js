// Choice of the best free seats: how many, of which kinds, where, and whether they may be apart. The service picks and
// holds them.

import { create, focusFirst } from "../dom.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { withMessage } from "../forms/form.js";
import { areaName, won } from "../format.js";

const USUAL = 2;

/**
 * Opens the choice. `start` is what the visitor already looks at: an area, a price and a kind of seats, or none of them.
 * @param {Booking} booking
 * @param {{ area?: number, price?: number, kind?: SeatKind }} start
 * @param {RunAction} runAction
 */
export function openBestSeats(booking, start, runAction) {
  const { kinds } = booking.hall;
  const counts = createCounts(booking.limit);
  const where = create("select", { id: "best-where" });
  const apart = create("input", { type: "checkbox" });
  const isForWheelchair = start.kind === "WHEELCHAIR" || start.kind === "COMPANION";
  const wheelchair = create("input", { type: "checkbox", name: "wheelchair", checked: isForWheelchair });
  const restricted = create("input", { type: "checkbox", checked: start.kind === "RESTRICTED_VIEW" });
  /** @returns {SeatKind[] | undefined} */
  const readKinds = () => {
    if (wheelchair.checked) return ["WHEELCHAIR", "COMPANION"];
    return restricted.checked ? ["RESTRICTED_VIEW"] : undefined;
  };
  const showPlaces = chosen => where.replaceChildren(...createPlaces(booking, readKinds(), chosen));
  for (const input of [wheelchair, restricted]) input.addEventListener("change", () => showPlaces(where.value));
  showPlaces(start.area === undefined ? String(start.price ?? "") : booking.hall.areas[start.area].id);
  const dialog = openFormDialog({
    title: "자동으로 고르기",
    button: "좌석 잡기",
    async submit() {
      const wish = {
        count: Number(checkedIn(counts)?.value),
        where: where.value,
        adjacent: !apart.checked,
        kinds: readKinds(),
      };
      const isWanted = (/** @type {HallArea} */ area) =>
        !wish.where || [area.id, String(area.price)].includes(wish.where);
      const hold = () =>
        booking.holdBest({ ...wish, isWanted }).catch(withMessage("H_006", adviceOf(booking, wish, isWanted)));
      await hold().catch(error => {
        if (!error.code?.startsWith("AS_")) throw error;
        dialog.close();
        runAction(hold);
      });
    },
    done: () => focusFirst(document, ".booking h2"),
  });
  dialog.classList.add("sheet");
  dialog
    .querySelector("form")
    ?.prepend(
      counts,
      create("div", {}, [create("label", { htmlFor: where.id }, "어디에 앉을까요?"), where]),
      kinds.includes("WHEELCHAIR")
        ? createCheck(
            "",
            wheelchair,
            "휠체어석이 필요해요",
            "함께 오는 분은 동반석에 앉아요. 모두 합한 좌석 수를 골라 주세요.",
          )
        : "",
      kinds.includes("RESTRICTED_VIEW") ? createCheck("restricted", restricted, "시야제한석도 괜찮아요") : "",
      createCheck("apart", apart, "떨어져 앉아도 괜찮아요"),
    );
  checkedIn(counts)?.focus();
}

/**
 * @param {HTMLElement} counts
 * @returns {HTMLInputElement | null}
 */
const checkedIn = counts => counts.querySelector(":checked");

/**
 * @param {string} className
 * @param {HTMLInputElement} input
 * @param {string} text
 */
const createCheck = (className, input, text, note = "") =>
  create("label", { className: `check ${className}` }, [
    input,
    create("span", {}, [text, note && create("span", { className: "note" }, note)]),
  ]);

function createCounts(limit) {
  const choice = count =>
    create("label", {}, [
      create("input", { type: "radio", name: "count", value: count, checked: count === Math.min(USUAL, limit) }),
      create("span", {}, `${count}석`),
    ]);
  return create("fieldset", { className: "counts" }, [
    create("legend", {}, "몇 석이 필요하세요?"),
    create(
      "div",
      {},
      Array.from({ length: limit }, (_, index) => choice(index + 1)),
    ),
  ]);
}

/**
 * Creates the choices of a place: everywhere, a price, or an area. Those without such a free seat are left out.
 * @param {Booking} booking
 * @param {SeatKind[] | undefined} kinds
 * @param {string} chosen
 */
function createPlaces(booking, kinds, chosen) {
  const { hall } = booking;
  const free = hall.areas.map((_, index) => booking.freeFor(index, kinds));
  const option = (value, name, count) => {
    const isChosen = value === chosen;
    return count > 0 ? new Option(`${name} · ${count.toLocaleString("ko-KR")}석 남음`, value, isChosen, isChosen) : "";
  };
  const freeOf = price => hall.areas.reduce((sum, area, index) => sum + (area.price === price ? free[index] : 0), 0);
  return [
    new Option("어디든", ""),
    create(
      "optgroup",
      { label: "가격" },
      hall.prices.map(price => option(String(price), won(price), freeOf(price))),
    ),
    create(
      "optgroup",
      { label: "구역" },
      hall.areas.map(({ id, label, price }, index) => option(id, `${areaName(label)} ${won(price)}`, free[index])),
    ),
  ];
}

/**
 * Says what else to try when there are no such seats.
 * @param {Booking} booking
 * @param {Wish} wish
 * @param {(area: HallArea) => boolean} isWanted
 */
function adviceOf(booking, { count, where, adjacent, kinds }, isWanted) {
  const place = where ? "고른 곳에는" : "한 구역에";
  const isForWheelchair = kinds?.includes("WHEELCHAIR");
  const free = booking.hall.areas.map((area, index) => (isWanted(area) ? booking.freeFor(index, kinds) : 0));
  const most = Math.max(0, ...free);
  const couldUseRestricted =
    !kinds &&
    booking.hall.areas.some(
      (area, index) => isWanted(area) && booking.freeFor(index, ["RESTRICTED_VIEW"]) > free[index],
    );
  const others = waysOf([
    where && ["다른 구역을 고르거나", "다른 구역을 골라 보세요."],
    count > 1 && ["좌석 수를 줄이거나", "좌석 수를 줄여 보세요."],
    couldUseRestricted && ["‘시야제한석도 괜찮아요’를 선택하거나", "‘시야제한석도 괜찮아요’를 선택해 보세요."],
  ]);
  if (isForWheelchair && most === 0)
    return "빈 휠체어석이 없어요. 다른 분이 취소할 수 있으니 나중에 다시 확인해 주세요.";
  if (adjacent && count > 1 && most >= count) {
    const group = isForWheelchair ? `휠체어석과 나란히 비어 있는 동반석 ${count - 1}석` : `나란히 앉을 ${count}석`;
    return `${group}이 없어요. ‘떨어져 앉아도 괜찮아요’를 선택하거나, ${others}`;
  }
  const seats = isForWheelchair ? `휠체어석과 동반석을 합해 ${count}석` : `${count}석`;
  return `${place} ${seats}이 남아 있지 않아요. ${others}`;
}

/**
 * Joins what one can try, each in the form before another and at the end.
 * @param {(false | "" | string[])[]} ways
 */
function waysOf(ways) {
  const possible = ways.flatMap(way => (way ? [way] : []));
  if (possible.length === 0) return "나중에 다시 확인해 주세요.";
  return possible.map(([before, last], index) => (index < possible.length - 1 ? before : last)).join(" ");
}
