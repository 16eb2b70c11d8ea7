// Outlines of areas: the convex hull around their seats.

const DIRECTIONS = Array.from({ length: 8 }, (_, eighth) => [
  Math.cos((eighth * Math.PI) / 4),
  Math.sin((eighth * Math.PI) / 4),
]);

export const round = number => Math.round(number * 100) / 100;

/** Returns path data that surrounds seats at a distance. */
export function outlineAround(seats, distance) {
  const points = seats.flatMap(({ cx, cy }) =>
    DIRECTIONS.map(([x, y]) => [round(cx + x * distance), round(cy + y * distance)]),
  );
  return points.length > 0 ? `M${hullOf(points).join("L")}Z` : "";
}

/** Andrew's monotone chain. */
function hullOf(points) {
  const sorted = points.toSorted((one, other) => one[0] - other[0] || one[1] - other[1]);
  const isTurn = (a, b, c) => (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]) > 0;
  const half = list =>
    list
      .reduce((chain, point) => {
        while (chain.length > 1 && !isTurn(chain.at(-2), chain.at(-1), point)) chain.pop();
        chain.push(point);
        return chain;
      }, [])
      .slice(0, -1);
  return [...half(sorted), ...half(sorted.toReversed())];
}

/** Returns the usual distance of neighbours in rows. */
export function gapOf(seats) {
  const gaps = seats.slice(1).map(({ cx, cy }, before) => Math.hypot(cx - seats[before].cx, cy - seats[before].cy));
  return gaps.sort((one, other) => one - other)[gaps.length >> 1] || 20;
}

/** Returns the rectangle `[x, y, width, height]` that has seats in it. */
export function boundsOf(seats) {
  const ends = name =>
    seats.reduce(
      ([least, most], seat) => [Math.min(least, seat[name]), Math.max(most, seat[name])],
      [Infinity, -Infinity],
    );
  const [left, right] = ends("cx");
  const [top, bottom] = ends("cy");
  const margin = gapOf(seats) * 2;
  return seats.length > 0
    ? [left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin]
    : [0, 0, 1, 1];
}

const escape = text => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`);

/** Returns the text as an SVG element with attributes. */
export function markup(tag, attributes, text = "") {
  const list = Object.entries(attributes)
    .map(([name, value]) => ` ${name}="${escape(String(value))}"`)
    .join("");
  return `<${tag}${list}>${escape(text)}</${tag}>`;
}

/** Returns the drawing of an area. */
export const areaMapOf = (outline, attributes = {}) =>
  `<g>${markup("path", { class: "area-data", d: outline, ...attributes, fill: "#64748b", "fill-opacity": ".12" })}</g>`;
