// Rows and numbers of seats whose places are known.

/**
 * Gives each point a row and a number: rows from top to bottom, numbers from left to right, both from 1. The angle is
 * that of the rows, in radians. Groups of one row each are the rows, which may be curved; otherwise the points of a row
 * differ less than `tolerance`.
 * @param {GroupedPlace[]} points
 * @param {number} angle
 * @param {number} tolerance
 *
 * @typedef {Place & { group: unknown }} GroupedPlace
 */
export function numberSeats(points, angle, tolerance) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = (/** @type {Place} */ { cx, cy }) => cx * cos + cy * sin;
  const across = (/** @type {Place} */ { cx, cy }) => cy * cos - cx * sin;
  const groups = [...Map.groupBy(points, ({ group }) => group).values()];
  const isRow = (/** @type {GroupedPlace[]} */ group) => split(group, along, tolerance).length === group.length;
  const areRows = groups.length > 1 && groups.length < points.length && groups.every(isRow);
  const middle = (/** @type {GroupedPlace[]} */ row) => row.reduce((sum, point) => sum + across(point), 0) / row.length;
  const rows = areRows ? groups.sort((one, other) => middle(one) - middle(other)) : split(points, across, tolerance);
  return rows.flatMap((row, index) =>
    row
      .toSorted((one, other) => along(one) - along(other))
      .map(({ cx, cy, kind }, before) => ({ cx, cy, row: index + 1, number: before + 1, kind })),
  );
}

/**
 * Sorts points by a value, and splits them where it increases by more than `tolerance`.
 * @param {GroupedPlace[]} points
 * @param {(point: Place) => number} valueOf
 * @param {number} tolerance
 */
function split(points, valueOf, tolerance) {
  /** @type {GroupedPlace[][]} */
  const parts = [];
  let last = -Infinity;
  for (const point of points.toSorted((one, other) => valueOf(one) - valueOf(other))) {
    if (valueOf(point) - last > tolerance) parts.push([point]);
    else parts[parts.length - 1].push(point);
    last = valueOf(point);
  }
  return parts;
}
