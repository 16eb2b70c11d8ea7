// Rows and numbers of seats whose places are known.

/**
 * Gives each point `{cx, cy, group}` a row and a number: rows from top to bottom, numbers from left to right, both from
 * 1. The angle is that of the rows, in radians. Groups of one row each are the rows, which may be curved; otherwise the
 * points of a row differ less than `tolerance`.
 */
export function numberSeats(points, angle, tolerance) {
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const along = ({ cx, cy }) => cx * cos + cy * sin;
  const across = ({ cx, cy }) => cy * cos - cx * sin;
  const groups = [...Map.groupBy(points, ({ group }) => group).values()];
  const isRow = group => split(group, along, tolerance).length === group.length;
  const areRows = groups.length > 1 && groups.length < points.length && groups.every(isRow);
  const middle = row => row.reduce((sum, point) => sum + across(point), 0) / row.length;
  const rows = areRows ? groups.sort((one, other) => middle(one) - middle(other)) : split(points, across, tolerance);
  return rows.flatMap((row, index) =>
    row
      .toSorted((one, other) => along(one) - along(other))
      .map(({ cx, cy }, before) => ({ cx, cy, row: index + 1, number: before + 1 })),
  );
}

/** Sorts points by a value, and splits them where it increases by more than `tolerance`. */
function split(points, valueOf, tolerance) {
  const parts = [];
  let last = -Infinity;
  for (const point of points.toSorted((one, other) => valueOf(one) - valueOf(other))) {
    if (valueOf(point) - last > tolerance) parts.push([]);
    parts.at(-1).push(point);
    last = valueOf(point);
  }
  return parts;
}
