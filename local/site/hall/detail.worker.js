// Reads the hall of an event beside the page, since the JSON of 66,000 seats has 9 MB. It keeps the seats, and sends
// those of an area when the page shows them.

let areas = [];

self.addEventListener("message", async ({ data: { request, type, path, headers, area } }) => {
  try {
    const reply = type === "open" ? await open(path, headers) : areas[area].seats;
    self.postMessage({ request, reply });
  } catch (error) {
    self.postMessage({ request, failure: error.envelope ?? {}, status: error.status });
  }
});

async function open(path, headers) {
  const response = await fetch(path, { headers, cache: "no-cache" });
  const envelope = await response.json();
  if (!response.ok) throw Object.assign(new Error(), { envelope, status: response.status });
  areas = envelope.data.areas;
  const { areas: _, totalMap, ...event } = envelope.data;
  const { drawing, viewBox } = compose(totalMap, areas);
  const described = areas.map(({ id, label, price, areaMap, seats }) => ({
    id,
    label,
    price,
    count: seats.length,
    outline: outlineOf(areaMap, seats),
    ...measure(seats),
  }));
  return { event, drawing, viewBox, areas: described };
}

/**
 * Joins the drawings of the hall and its areas to one image as `data:`. In an image, a drawing can neither run scripts
 * nor load anything, and its styles do not reach the page. Drawings with ids or classes become images of their own, so
 * that equal names of two drawings do not mix.
 */
function compose(totalMap, areas) {
  const isDrawing = /^\s*<(svg|g)\b/.test(totalMap);
  const viewBox = (isDrawing && /^\s*<svg\b[^>]*?\sviewBox=["']([^"']+)["']/.exec(totalMap)?.[1]) || boundsOf(areas);
  const [x, y, width, height] = viewBox.split(/[\s,]+/).map(Number);
  const root = content =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"` +
    ` viewBox="${viewBox}" width="${width}" height="${height}">${content}</svg>`;
  const image = content =>
    `<image x="${x}" y="${y}" width="${width}" height="${height}"` +
    ` href="data:image/svg+xml,${encodeURIComponent(root(content))}"/>`;
  const drawings = [isDrawing ? totalMap : "", ...areas.map(({ areaMap }) => areaMap)]
    .filter(drawing => /^\s*<(svg|g)\b/.test(drawing))
    .map(drawing =>
      /\s(id|class)=|<style/.test(drawing.replaceAll('class="area-data"', "")) ? image(drawing) : drawing,
    );
  return {
    viewBox: [x, y, width, height],
    drawing: `data:image/svg+xml,${encodeURIComponent(root(drawings.join("")))}`,
  };
}

function boundsOf(areas) {
  const seats = areas.flatMap(({ seats }) => seats);
  const [left, right] = extent(seats.map(({ cx }) => cx));
  const [top, bottom] = extent(seats.map(({ cy }) => cy));
  return [left - 40, top - 40, right - left + 80, bottom - top + 80].join(" ");
}

function extent(numbers) {
  return numbers
    .reduce(([least, most], number) => [Math.min(least, number), Math.max(most, number)], [Infinity, -Infinity])
    .map(number => (Number.isFinite(number) ? number : 0));
}

/** Returns the usual distance of neighbours, and the bounds of the seats with this distance around them. */
function measure(seats) {
  const gaps = seats.slice(1).map(({ cx, cy }, before) => Math.hypot(cx - seats[before].cx, cy - seats[before].cy));
  const gap = gaps.sort((one, other) => one - other)[gaps.length >> 1] || 20;
  const [left, right] = extent(seats.map(({ cx }) => cx));
  const [top, bottom] = extent(seats.map(({ cy }) => cy));
  return {
    gap,
    bounds: { x: left - gap, y: top - gap, width: right - left + 2 * gap, height: bottom - top + 2 * gap },
  };
}

/** Returns the path of the class `area-data`, or else the convex hull of the seats. */
function outlineOf(areaMap, seats) {
  const path = areaMap.match(/<path\b[^>]*\bclass="[^"]*\barea-data\b[^>]*>/)?.[0];
  const outline = path && /\sd="([^"]+)"/.exec(path)?.[1];
  if (outline && !/\btransform=|<svg\b/.test(areaMap)) return outline;
  return seats.length > 0
    ? `M${convexHull(seats)
        .map(({ cx, cy }) => `${cx} ${cy}`)
        .join("L")}Z`
    : "";
}

/** Andrew's monotone chain. */
function convexHull(seats) {
  const sorted = [...seats].sort((one, other) => one.cx - other.cx || one.cy - other.cy);
  const isTurn = (a, b, c) => (b.cx - a.cx) * (c.cy - a.cy) - (b.cy - a.cy) * (c.cx - a.cx) > 0;
  const half = points =>
    points.reduce((chain, point) => {
      while (chain.length > 1 && !isTurn(chain.at(-2), chain.at(-1), point)) chain.pop();
      chain.push(point);
      return chain;
    }, []);
  return [...half(sorted), ...half(sorted.reverse())];
}
