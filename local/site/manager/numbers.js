// Numbers of a show: seats by their state as a bar, and by area as a table.

import { create } from "../dom.js";
import { won } from "../format.js";

const STATES = { sold: "판매", held: "선점", blocked: "막음", free: "남음" };
const count = number => number.toLocaleString("ko-KR");

/**
 * Creates the bar of a summary, with its numbers and the revenue.
 * @param {SalesSummary} summary
 */
export function createBar(summary) {
  const states = Object.keys(STATES);
  const parts = states
    .filter(state => summary[state] > 0)
    .map(state => {
      const part = create("i", { dataset: { seats: state } });
      part.style.setProperty("--share", summary[state]);
      return part;
    });
  const numbers = states.map(state =>
    create("li", { dataset: { seats: state } }, [STATES[state], " ", create("strong", {}, count(summary[state]))]),
  );
  return create("div", { className: "numbers" }, [
    create("div", { className: "seat-bar", "aria-hidden": "true" }, parts),
    create("ul", { className: "small" }, numbers),
    create("p", { className: "revenue" }, ["매출 ", create("strong", {}, won(summary.revenue))]),
  ]);
}

/**
 * Creates the table of the areas. It scrolls in itself, so the keyboard can reach it.
 * @param {SalesSummary} summary
 */
export function createTable({ areas }) {
  const head = ["구역", "가격", ...Object.values(STATES), "매출"].map(text => create("th", { scope: "col" }, text));
  const rows = areas.map(area =>
    create("tr", {}, [
      create("th", { scope: "row" }, area.label),
      create("td", {}, won(area.price)),
      ...Object.keys(STATES).map(state => create("td", {}, count(area[state]))),
      create("td", {}, won(area.revenue)),
    ]),
  );
  const table = create("table", {}, [create("thead", {}, create("tr", {}, head)), create("tbody", {}, rows)]);
  return create("div", { className: "table-frame", tabIndex: 0, role: "region", "aria-label": "구역별 현황" }, table);
}
