// Kinds of generated seats, as a manager writes them: `10열 1, 3번 휠체어석, 1~10열 20번 시야제한석`.

import { KIND_NAMES } from "../format.js";

const NUMBERS = "\\d+(?:\\s*[~-]\\s*\\d+)?(?:\\s*,\\s*\\d+(?:\\s*[~-]\\s*\\d+)?)*";
const PART = new RegExp(
  `(${NUMBERS})\\s*열\\s*(${NUMBERS})\\s*번\\s*(${Object.values(KIND_NAMES).join("|")})[\\s,]*`,
  "g",
);
const KINDS = /** @type {[SeatKind, string][]} */ (Object.entries(KIND_NAMES));

/**
 * @param {string} text
 * @returns {{ rows: number[][], numbers: number[][], kind: SeatKind | undefined }[]}
 */
const parse = text =>
  [...text.matchAll(PART)].map(([, rows, numbers, name]) => ({
    rows: rangesOf(rows),
    numbers: rangesOf(numbers),
    kind: KINDS.find(([, korean]) => korean === name)?.[0],
  }));

/** Returns the first and the last number of each part of a list such as `1, 3~5`. */
const rangesOf = list =>
  list.split(",").map(part => {
    const [first, last = first] = part.split(/[~-]/).map(Number);
    return [first, last];
  });

const contains = (ranges, number) => ranges.some(([first, last]) => number >= first && number <= last);

/**
 * Returns a function that returns the kind of a seat by its row and number. A later part of the text counts more.
 * @param {string} text
 * @returns {(row: number, number: number) => SeatKind | undefined}
 */
export function kindsOf(text) {
  const parts = parse(text).reverse();
  return (row, number) => parts.find(part => contains(part.rows, row) && contains(part.numbers, number))?.kind;
}

/** Returns the reason if a text is wrong or names a seat that an area of rows does not have. */
export function faultOf(text, { rows, perRow }) {
  if (text.replace(PART, "").trim()) return "‘10열 1, 3번 휠체어석’처럼 적어 주세요.";
  const isWithin = (ranges, most) => ranges.every(([first, last]) => first >= 1 && first <= last && last <= most);
  const isRight = parse(text).every(part => isWithin(part.rows, rows) && isWithin(part.numbers, perRow));
  return isRight ? "" : `이 구역에는 ${rows}열 ${perRow}번까지 있어요.`;
}
