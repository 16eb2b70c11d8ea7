// Choice of the best free seats: how many, where, and whether they may be apart. The service picks and holds them.

import { create, focusFirst } from "../dom.js";
import { openFormDialog } from "../forms/form-dialog.js";
import { withMessage } from "../forms/form.js";
import { areaName, won } from "../format.js";

const USUAL = 2;

/**
 * Opens the choice. `start` is where the visitor already looks: an area or a price, or neither.
 * @param {Booking} booking
 * @param {{ area?: number, price?: number }} start
 * @param {RunAction} runAction
 */
export function openBestSeats(booking, start, runAction) {
  const counts = createCounts(booking.limit);
  const where = createWhere(booking, start);
  const apart = create("input", { type: "checkbox" });
  const dialog = openFormDialog({
    title: "자동으로 고르기",
    button: "좌석 잡기",
    async submit() {
      const wish = {
        count: Number(checkedIn(counts)?.value),
        where: where.value,
        adjacent: !apart.checked,
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
      create("label", { className: "apart" }, [apart, "떨어져 앉아도 괜찮아요"]),
    );
  checkedIn(counts)?.focus();
}

/**
 * @param {HTMLElement} counts
 * @returns {HTMLInputElement | null}
 */
const checkedIn = counts => counts.querySelector(":checked");

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
 * Creates the choice of a place: everywhere, a price, or an area. Those without a free seat are left out.
 * @param {Booking} booking
 * @param {{ area?: number, price?: number }} start
 */
function createWhere({ hall, availability }, { area, price }) {
  const free = hall.areas.map((_, index) => availability.areas[index].free);
  const option = (value, name, count, isChosen) =>
    count > 0 ? new Option(`${name} · ${count.toLocaleString("ko-KR")}석 남음`, value, isChosen, isChosen) : "";
  const freeOf = price => hall.areas.reduce((sum, area, index) => sum + (area.price === price ? free[index] : 0), 0);
  return create("select", { id: "best-where" }, [
    new Option("어디든", ""),
    create(
      "optgroup",
      { label: "가격" },
      hall.prices.map(each => option(each, won(each), freeOf(each), area === undefined && each === price)),
    ),
    create(
      "optgroup",
      { label: "구역" },
      hall.areas.map((each, index) =>
        option(each.id, `${areaName(each.label)} ${won(each.price)}`, free[index], index === area),
      ),
    ),
  ]);
}

/**
 * Says what else to try when there are no such seats.
 * @param {Booking} booking
 * @param {{ count: number, where: string, adjacent: boolean }} wish
 * @param {(area: HallArea) => boolean} isWanted
 */
function adviceOf({ hall, availability }, { count, where, adjacent }, isWanted) {
  const others = where ? "다른 구역을 고르거나 좌석 수를 줄여 보세요." : "좌석 수를 줄여 보세요.";
  const hasEnough = hall.areas.some((area, index) => isWanted(area) && availability.areas[index].free >= count);
  if (adjacent && count > 1 && hasEnough)
    return `나란히 앉을 ${count}석이 없어요. ‘떨어져 앉아도 괜찮아요’를 선택하거나, ${others}`;
  return `${where ? "고른 곳에는" : "한 구역에"} ${count}석이 남아 있지 않아요. ${others}`;
}
