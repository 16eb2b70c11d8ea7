// Shapes around seats. The worker of the hall uses them, too.

/**
 * Returns the usual distance of neighbours in rows.
 * @param {Place[]} seats
 */
export function gapOf(seats) {
  const gaps = seats.slice(1).map(({ cx, cy }, before) => Math.hypot(cx - seats[before].cx, cy - seats[before].cy));
  return gaps.sort((one, other) => one - other)[gaps.length >> 1] || 20;
}

/**
 * Returns the rectangle around seats, with a margin at each side.
 * @param {Place[]} seats
 * @param {number} margin
 * @returns {Rectangle}
 */
export function boundsOf(seats, margin) {
  const [left, right] = extent(seats.map(({ cx }) => cx));
  const [top, bottom] = extent(seats.map(({ cy }) => cy));
  return { x: left - margin, y: top - margin, width: right - left + 2 * margin, height: bottom - top + 2 * margin };
}

/**
 * Tells if the middle of a seat lies in a rectangle.
 * @param {Rectangle} rectangle
 * @param {Place} seat
 */
export const contains = ({ x, y, width, height }, { cx, cy }) =>
  cx >= x && cy >= y && cx <= x + width && cy <= y + height;

/**
 * Tells if two rectangles have a part in common.
 * @param {Rectangle} one
 * @param {Rectangle} other
 */
export function meets(one, other) {
  return (
    one.x < other.x + other.width &&
    other.x < one.x + one.width &&
    one.y < other.y + other.height &&
    other.y < one.y + one.height
  );
}

/**
 * Returns the least and the greatest number; zeros if there is none.
 * @param {number[]} numbers
 */
function extent(numbers) {
  const [first = 0] = numbers;
  return numbers.reduce(([least, most], number) => [Math.min(least, number), Math.max(most, number)], [first, first]);
}

/**
 * Returns the path of the convex hull of points.
 * @param {Point[]} points
 */
export function pathAround(points) {
  return points.length > 0 ? `M${hullOf(points).join("L")}Z` : "";
}

/**
 * Andrew's monotone chain.
 * @param {Point[]} points
 */
function hullOf(points) {
  const sorted = points.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]);
  const isTurn = (/** @type {Point} */ a, /** @type {Point} */ b, /** @type {Point} */ c) =>
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
  const half = (/** @type {Point[]} */ list) => {
    /** @type {Point[]} */
    const chain = [];
    for (const point of list) {
      while (chain.length > 1 && !isTurn(chain[chain.length - 2], chain[chain.length - 1], point)) chain.pop();
      chain.push(point);
    }
    return chain;
  };
  return [...half(sorted), ...half(sorted.toReversed())];
}
