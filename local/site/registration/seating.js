// Rows and numbers of seats whose places are known.

/**
 * Gives each point `{cx, cy}` a row and a number: rows from top to bottom, numbers from left to right, both from 1. The
 * angle is that of the rows, in radians. Points of one row differ less than `tolerance`.
 */
export function numberSeats(points, angle, tolerance) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = ({ cx, cy }) => cx * cos + cy * sin, across = ({ cx, cy }) => cy * cos - cx * sin;
  const rows = [];
  let last = -Infinity;
  for (const point of points.toSorted((one, other) => across(one) - across(other))) {
    if (across(point) - last > tolerance) rows.push([]);
    rows.at(-1).push(point);
    last = across(point);
  }
  return rows.flatMap((row, index) => row.sort((one, other) => along(one) - along(other))
    .map((point, before) => ({ ...point, row: index + 1, number: before + 1 })));
}
