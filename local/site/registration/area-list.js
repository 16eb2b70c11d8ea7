// Areas of a hall with their labels, prices and numbers of seats, which a manager edits and removes.

import { create, createButton, icon } from "../dom.js";
import { createField } from "../forms/field.js";
import { faultOf } from "./row-kinds.js";

const FIELDS = [
  { name: "label", label: "구역 이름" },
  { name: "price", label: "가격(원)", inputMode: "numeric" },
];
const MOST_IN_ROW = 200;

/**
 * @typedef {object} Row
 * @property {object} area Area as it was given
 * @property {Fields} fields
 * @property {HTMLElement} count
 * @property {HTMLElement} element
 * @property {HTMLButtonElement} remover
 */

export class AreaList {
  /** @type {Row[]} */
  rows = [];

  /**
   * `fields` are those that an area has besides its label and price.
   * @param {() => void} onChange
   * @param {FieldOptions[]} fields
   */
  constructor(onChange, fields = []) {
    this.onChange = onChange;
    this.fields = [...FIELDS, ...fields];
    this.element = create("div", { className: `areas ${fields.length ? "generated" : ""}` });
    this.element.addEventListener("input", onChange);
  }

  /** @param {object[]} areas */
  setAreas(areas) {
    this.rows = [];
    this.element.replaceChildren();
    areas.forEach(area => this.add(area));
  }

  /** @param {Record<string, any>} area */
  add(area) {
    /** @type {Fields} */
    const fields = {};
    for (const { name, ...options } of this.fields) {
      fields[name] = createField(options);
      fields[name].setValue(String(area[name] ?? ""));
      fields[name].element.dataset.name = name;
    }
    const price = fields.price.input;
    const showPrice = () => {
      price.value = withCommas(price.value);
    };
    price.addEventListener("change", showPrice);
    showPrice();
    const count = create("p", { className: "small soft" });
    const remover = createButton(icon("close"), () => this.remove(row), { className: "plain" });
    const elements = Object.values(fields).map(field => field.element);
    const element = create("div", { role: "group" }, [...elements, count, remover]);
    const row = { area, fields, count, element, remover };
    this.rows.push(row);
    this.element.append(element);
    this.number();
    return row;
  }

  /** @param {Row} row */
  remove(row) {
    const index = this.rows.indexOf(row);
    this.rows.splice(index, 1);
    row.element.remove();
    this.number();
    this.onChange();
    (this.rows[index] ?? this.rows.at(-1))?.remover.focus();
  }

  number() {
    for (const [index, { element, remover, fields }] of this.rows.entries()) {
      element.setAttribute("aria-label", `구역 ${index + 1}`);
      remover.setAttribute("aria-label", `구역 ${index + 1} 삭제`);
      // The first area is beside no other.
      if (fields.position) fields.position.element.hidden = index === 0;
    }
  }

  /**
   * Returns the areas with what was typed.
   * @returns {any[]}
   */
  read() {
    return this.rows.map(({ area, fields }) => {
      const typed = Object.entries(fields).map(([name, { input }]) => [
        name,
        ["label", "kinds"].includes(name) ? input.value : numberOr(input.value),
      ]);
      return { ...area, ...Object.fromEntries(typed) };
    });
  }

  /** @param {DrawnArea[]} areas */
  showCounts(areas) {
    for (const [index, { seats }] of areas.entries()) {
      const rows = new Set(seats.map(({ row }) => row)).size;
      this.rows[index].count.textContent = `${rows}열 · ${seats.length.toLocaleString("ko-KR")}석`;
    }
  }

  clearErrors() {
    for (const { fields } of this.rows) for (const field of Object.values(fields)) field.showError("");
  }

  showMissing() {
    for (const [index, area] of this.read().entries()) {
      const { label, price, rows, perRow, kinds } = this.rows[index].fields;
      if (!area.label.trim()) label.showError("입력해 주세요.");
      if (area.price === "") price.showError("입력해 주세요.");
      else if (typeof area.price === "string") price.showError("숫자로 입력해 주세요.");
      if (rows && !isCount(area.rows)) rows.showError(`1부터 ${MOST_IN_ROW}까지예요.`);
      if (perRow && !isCount(area.perRow)) perRow.showError(`1부터 ${MOST_IN_ROW}까지예요.`);
      kinds?.showError(faultOf(area.kinds, area));
    }
  }
}

export const isCount = number => Number.isInteger(number) && number >= 1 && number <= MOST_IN_ROW;

function withCommas(text) {
  const number = numberOr(text);
  return typeof number === "number" ? number.toLocaleString("ko-KR") : number;
}

/** Returns the number in a text such as `132,000원`, or else the text. */
function numberOr(text) {
  const plain = text.replace(/[,\s]|원$/g, "");
  return /^\d+(\.\d+)?$/.test(plain) ? Number(plain) : text.trim();
}
