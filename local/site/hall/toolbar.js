// Ways into the hall besides pointing at it: prices as a filter, and areas by their names; and its legend.

import { create, createButton } from "../dom.js";
import { won } from "../format.js";

/** Buttons of the prices, with their colours and free seats; the pressed one filters. */
export class PriceFilter {
  /**
   * @param {Hall} hall
   * @param {(price: number | undefined) => void} onChange
   */
  constructor(hall, onChange) {
    this.hall = hall;
    /** @type {number | undefined} */
    this.price = undefined;
    this.counts = hall.prices.map(() => create("span", { className: "soft" }));
    this.buttons = hall.prices.map((price, index) =>
      createButton(
        [hall.paint(create("i"), price), won(price), this.counts[index]],
        () => {
          this.toggle(price);
          onChange(this.price);
        },
        { className: "quiet chip", ariaPressed: "false" },
      ),
    );
    this.element = create("div", { className: "prices", role: "group", "aria-label": "가격" }, this.buttons);
  }

  toggle(price) {
    this.price = this.price === price ? undefined : price;
    for (const [index, button] of this.buttons.entries())
      button.ariaPressed = String(this.hall.prices[index] === this.price);
  }

  /** @param {Availability} availability */
  update({ areas }) {
    for (const [index, price] of this.hall.prices.entries()) {
      const free = areas.reduce(
        (sum, area, number) => sum + (this.hall.areas[number].price === price ? area.free : 0),
        0,
      );
      this.counts[index].textContent = free > 0 ? `${free.toLocaleString("ko-KR")}석` : "매진";
    }
  }
}

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
    if (area >= 0 && input.value.trim()) open(area);
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
