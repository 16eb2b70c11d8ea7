// Search and filters of the list. The address of the page keeps them through a reload.

import { create, icon } from "../dom.js";
import { startOfDay } from "../format.js";

const TYPING_MILLISECONDS = 300;
const MAX_WORDS = 50;
// While somebody types a year, the field already has a day of the first century; it does not count.
const DAYS = { min: "2000-01-01", max: "2999-12-31" };
const TICKETING = { "": "전체", upcoming: "예매 예정", open: "예매 중" };
/** @typedef {ReturnType<typeof readFilters>} Filters */

const SORT = { show: "공연 임박순", recent: "최근 등록순", ticketing: "예매 시작순" };

/**
 * Creates the form, and calls `search` with the filters of the address, and again after each change.
 * @param {(filters: Filters) => void} search
 */
export function createFilters(search) {
  const form = createForm();
  const { q, ticketing, from, to, sort } = inputsOf(form);
  const details = /** @type {HTMLDetailsElement} */ (form.querySelector("details"));
  const showFilters = () => {
    const parameters = new URLSearchParams(location.search);
    const choose = (/** @type {HTMLSelectElement} */ select, /** @type {string | null} */ value) => {
      const options = [...select.options];
      select.value = (options.find(option => option.value === value) ?? options[0]).value;
    };
    q.value = (parameters.get("q") ?? "").slice(0, MAX_WORDS);
    choose(ticketing, parameters.get("ticketing"));
    choose(sort, parameters.get("sort"));
    from.value = parameters.get("from") ?? "";
    to.value = parameters.get("to") ?? "";
    details.open = matchMedia("(min-width: 48rem)").matches || Boolean(ticketing.value || from.value || to.value);
  };
  let timer;
  let last;
  const searchIfChanged = () => {
    clearTimeout(timer);
    const filters = readFilters(form);
    const parameters = `${parametersOf(filters)}`;
    if (parameters === last) return;
    last = parameters;
    history.replaceState(null, "", parameters ? `/?${parameters}` : "/");
    search(filters);
  };
  form.addEventListener("submit", event => {
    event.preventDefault();
    searchIfChanged();
  });
  form.addEventListener("input", ({ target }) => {
    clearTimeout(timer);
    timer = setTimeout(searchIfChanged, target instanceof HTMLSelectElement ? 0 : TYPING_MILLISECONDS);
  });
  // The fields are empty only after the listeners of this event.
  form.addEventListener("reset", () =>
    setTimeout(() => {
      searchIfChanged();
      q.focus();
    }),
  );
  showFilters();
  queueMicrotask(searchIfChanged);
  return form;
}

/**
 * @param {HTMLFormElement} form
 * @returns {{
 *   q: HTMLInputElement,
 *   ticketing: HTMLSelectElement,
 *   from: HTMLInputElement,
 *   to: HTMLInputElement,
 *   sort: HTMLSelectElement,
 * }}
 */
const inputsOf = form => /** @type {any} */ (form.elements);

function createForm() {
  const words = create("input", {
    id: "q",
    type: "search",
    name: "q",
    maxLength: MAX_WORDS,
    autocomplete: "off",
    placeholder: "공연, 출연자, 장소 (초성도 돼요)",
    "aria-label": "공연 검색",
  });
  const select = (name, options) =>
    create(
      "select",
      { id: name, name },
      Object.entries(options).map(([value, text]) => new Option(text, value)),
    );
  const date = name => create("input", { id: name, type: "date", name, ...DAYS });
  const field = (label, input) => create("div", {}, [create("label", { htmlFor: input.id }, label), input]);
  const fields = create("div", { className: "fields" }, [
    field("예매", select("ticketing", TICKETING)),
    field("공연일부터", date("from")),
    field("공연일까지", date("to")),
    field("정렬", select("sort", SORT)),
  ]);
  return create("form", { className: "search", role: "search", noValidate: true }, [
    create("div", { className: "words" }, [icon("search"), words]),
    create("details", { className: "filters" }, [create("summary", {}, [icon("filter"), "조건"]), fields]),
  ]);
}

/**
 * Returns the filters. `isReversed` tells that the last day is before the first, so that no event can have a show.
 * @param {HTMLFormElement} form
 */
function readFilters(form) {
  const { q, ticketing, from, to, sort } = inputsOf(form);
  const dayOf = (/** @type {HTMLInputElement} */ input) => (input.validity.valid ? input.value : "");
  const filters = { q: q.value.trim(), ticketing: ticketing.value, from: dayOf(from), to: dayOf(to), sort: sort.value };
  return {
    ...filters,
    isFiltered: Boolean(filters.q || filters.ticketing || filters.from || filters.to),
    isReversed: Boolean(filters.from && filters.to) && filters.from > filters.to,
  };
}

/** @param {Filters} filters */
function parametersOf({ q, ticketing, from, to, sort }) {
  const given = { q, ticketing, from, to, sort: sort === "show" ? "" : sort };
  return new URLSearchParams(Object.entries(given).filter(([, value]) => value));
}

/**
 * Returns the lists of a search, one after the other. The order by show has no events that are over or off, except
 * those with a show after a chosen day. So a list follows from which the page takes only these.
 * @param {Filters} filters
 * @param {number} limit
 * @returns {{ path: string, isOfRest?: boolean }[]}
 */
export function listsOf({ q, ticketing, from, to, sort }, limit) {
  const end = to && startOfDay(to, 1);
  const path = parameters => {
    const given = Object.entries({ limit, q, ticketing, ...parameters }).filter(([, value]) => value);
    return `/api/v1/events?${new URLSearchParams(given)}`;
  };
  const lists = [{ path: path({ from: from && startOfDay(from), to: end, sort: sort === "recent" ? "" : sort }) }];
  if (sort === "show" && !from && !ticketing) lists.push({ path: path({ to: end }), isOfRest: true });
  return lists;
}
