// Ways into the hall besides pointing at it: prices and kinds of seats as filters, areas by name; and its
// legend.

import { create, createButton } from "../dom.js";
import { notify } from "../elements/toast.js";
import { KIND_NAMES, won } from "../format.js";
import { createKindIcon } from "./kinds.js";

/**
 * Buttons of values, with what shows them and their free seats; the pressed one filters.
 * @template {number | SeatKind} Value
 */
class Filter {
  /**
   * `freeOf` returns the number of free seats with a value in an area.
   * @param {string} label
   * @param {Value[]} values
   * @param {(value: Value) => Child[]} createContent
   * @param {(availability: Availability, area: number, value: Value) => number} freeOf
   * @param {(value: Value | undefined) => void} onChange
   */
  constructor(label, values, createContent, freeOf, onChange) {
    this.values = values;
    this.freeOf = freeOf;
    /** @type {Value | undefined} */
    this.value = undefined;
    this.counts = values.map(() => create("span", { className: "soft" }));
    this.buttons = values.map((value, index) =>
      createButton(
        [...createContent(value), this.counts[index]],
        () => {
          this.toggle(value);
          onChange(this.value);
        },
        { className: "quiet chip", ariaPressed: "false" },
      ),
    );
    this.element = create(
      "div",
      { className: "chips", role: "group", "aria-label": label, hidden: values.length === 0 },
      this.buttons,
    );
  }

  /** @param {Value} value */
  toggle(value) {
    this.value = this.value === value ? undefined : value;
    for (const [index, button] of this.buttons.entries())
      button.ariaPressed = String(this.values[index] === this.value);
  }

  /** @param {Availability} availability */
  update(availability) {
    for (const [index, value] of this.values.entries()) {
      const free = availability.areas.reduce((sum, _, area) => sum + this.freeOf(availability, area, value), 0);
      this.counts[index].textContent = free > 0 ? `${free.toLocaleString("ko-KR")}석` : "매진";
    }
  }
}

/**
 * @param {Hall} hall
 * @param {(price: number | undefined) => void} onChange
 */
export const createPriceFilter = (hall, onChange) =>
  new Filter(
    "가격",
    hall.prices,
    price => [hall.paint(create("i"), price), won(price)],
    ({ areas }, area, price) => (hall.areas[area].price === price ? areas[area].free : 0),
    onChange,
  );

/**
 * Creates the filter of the kinds of seats, which is their legend, too. A hall without kinds has none to show.
 * @param {Hall} hall
 * @param {(kind: SeatKind | undefined) => void} onChange
 */
export const createKindFilter = (hall, onChange) =>
  new Filter(
    "좌석 종류",
    hall.kinds,
    kind => [createKindIcon(kind), KIND_NAMES[kind]],
    (availability, area, kind) => hall.freeOf(area, kind, availability).length,
    onChange,
  );

/**
 * Field that finds an area by its name while one types.
 * @param {Hall} hall
 * @param {(area: number) => void} open
 */
export function createAreaSearch(hall, open) {
  const options = hall.areas.map(({ label, price }) => create("option", { value: `${label}구역`, label: won(price) }));
  const list = create("datalist", { id: "area-names" }, options);
  const input = create("input", {
    id: "area-search",
    type: "search",
    placeholder: "구역 찾기",
    autocomplete: "off",
    "aria-label": "구역 찾기",
    list: "area-names",
  });
  const indexOf = text => {
    const name = text.trim().replace(/구역$/, "").trim();
    return name ? hall.areas.findIndex(({ label }) => label === name) : -1;
  };
  const openFound = isStarting => {
    const exact = indexOf(input.value);
    const area =
      exact >= 0 || !isStarting ? exact : hall.areas.findIndex(({ label }) => label.startsWith(input.value.trim()));
    if (!input.value.trim()) return;
    if (area >= 0) open(area);
    else if (isStarting) notify(`‘${input.value.trim()}’ 구역을 찾지 못했어요. 이름을 다시 확인해 주세요.`);
  };
  // A choice from the list is a change of the whole text; typing opens an area with Enter.
  input.addEventListener("input", event => {
    if (!(event instanceof InputEvent) || event.inputType === "insertReplacementText") openFound(false);
  });
  input.addEventListener("keydown", ({ key }) => {
    if (key === "Enter") openFound(true);
  });
  return create("div", { className: "area-search" }, [input, list]);
}

/**
 * Creates the list of the marks of seats by their states.
 * @param {Partial<Record<SeatState, string>>} texts
 */
export function createLegend(texts) {
  const items = Object.entries(texts).map(([state, text]) => create("li", { dataset: { state } }, text));
  return create("ul", { className: "legend", "aria-label": "좌석 표시" }, items);
}
