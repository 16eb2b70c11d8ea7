// Calendar with a button for each day that can be chosen, one month at a time.

import { create, createButton, icon } from "../dom.js";

const WEEKDAYS = ["일", "월", "화", "수", "목", "금", "토"];
const STEPS = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 };

/**
 * Creates a calendar that shows the month of a day first. `days` are the days to choose from in their order, such as
 * `2026-11-28`; months without any are left out. `createDay` returns the button of a day, once its month is shown. In a
 * month, Tab leads to one day, and the arrow keys to the others.
 * @param {string[]} days
 * @param {string} first
 * @param {(day: string) => HTMLButtonElement} createDay
 */
export function createCalendar(days, first, createDay) {
  const months = [...new Set(days.map(monthOf))];
  const title = create("h3", { id: "month", "aria-live": "polite" });
  const weeks = create("tbody");
  const earlier = createMove("이전 달", -1);
  const later = createMove("다음 달", 1);
  /** Buttons of the days whose month has been shown. @type {Map<string, HTMLButtonElement>} */
  const buttons = new Map();
  let month = monthOf(first);

  function createMove(label, step) {
    const move = () => show(months[months.indexOf(month) + step]);
    return createButton(icon("back"), move, { className: "round", "aria-label": label });
  }

  /** @param {string} shown */
  function show(shown) {
    month = shown;
    const [year, number] = shown.split("-").map(Number);
    title.textContent = `${year}년 ${number}월`;
    earlier.disabled = shown === months[0];
    later.disabled = shown === months.at(-1);
    const blanks = Array.from({ length: new Date(Date.UTC(year, number - 1)).getUTCDay() }, () => create("td"));
    const length = new Date(Date.UTC(year, number, 0)).getUTCDate();
    const cells = Array.from({ length }, (_, index) => createCell(`${shown}-${String(index + 1).padStart(2, "0")}`));
    const rows = Map.groupBy([...blanks, ...cells].entries(), ([index]) => Math.floor(index / 7)).values();
    weeks.replaceChildren(
      ...rows.map(row =>
        create(
          "tr",
          {},
          row.map(([, cell]) => cell),
        ),
      ),
    );
    const inMonth = [...weeks.querySelectorAll("button")];
    keepInTabOrder(inMonth.find(({ ariaPressed }) => ariaPressed === "true") ?? inMonth[0]);
  }

  function createCell(day) {
    if (!days.includes(day)) return create("td", { className: "soft" }, Number(day.slice(8)));
    const button = buttons.get(day) ?? createDay(day);
    buttons.set(day, button);
    return create("td", {}, button);
  }

  function keepInTabOrder(chosen) {
    for (const button of weeks.querySelectorAll("button")) button.tabIndex = button === chosen ? 0 : -1;
  }

  weeks.addEventListener("focusin", ({ target }) => keepInTabOrder(target));
  weeks.addEventListener("keydown", event => {
    const step = STEPS[event.key];
    if (!step) return;
    event.preventDefault();
    const cells = [...weeks.querySelectorAll("td")];
    let index = cells.findIndex(cell => cell.contains(document.activeElement)) + step;
    while (cells[index] && !cells[index].firstElementChild) index += step;
    cells[index]?.querySelector("button")?.focus();
  });
  show(month);
  return create("div", { className: "calendar" }, [
    create("div", { className: "row" }, [earlier, title, later]),
    create("table", { role: "grid", "aria-labelledby": title.id }, [
      create(
        "thead",
        {},
        create(
          "tr",
          {},
          WEEKDAYS.map(name => create("th", { scope: "col" }, name)),
        ),
      ),
      weeks,
    ]),
  ]);
}

/** @param {string} day */
const monthOf = day => day.slice(0, 7);
