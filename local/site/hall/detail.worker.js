// Reads the hall of an event beside the page, since the JSON of 66,000 seats has 9 MB. It keeps the seats, and sends
// those of an area when the page shows them.

import { boundsOf, gapOf, pathAround } from "./geometry.js";

// Margin around the seats of a hall without a drawing
const MARGIN = 40;
/** @type {Schemas["Area"][]} */
let areas = [];

self.addEventListener("message", async ({ data: { id, type, path, headers, area } }) => {
  try {
    const reply = type === "open" ? await open(path, headers) : areas[area].seats;
    self.postMessage({ id, reply });
  } catch (error) {
    self.postMessage({ id, failure: error.envelope ?? {}, status: error.status });
  }
});

/**
 * @param {string} path
 * @param {Record<string, string>} headers
 * @returns {Promise<HallData>}
 */
async function open(path, headers) {
  const response = await fetch(path, { headers, cache: "no-cache" });
  const envelope = await response.json();
  if (!response.ok) throw Object.assign(new Error(), { envelope, status: response.status });
  areas = envelope.data.areas;
  const { areas: _, totalMap, ...event } = envelope.data;
  const { drawing, viewBox } = compose(totalMap, areas);
  const described = areas.map(({ id, label, price, areaMap, seats }) => {
    const gap = gapOf(seats);
    return {
      id,
      label,
      price,
      count: seats.length,
      outline: outlineOf(areaMap, seats),
      gap,
      bounds: boundsOf(seats, gap),
      kinds: kindsOf(seats),
    };
  });
  return { event, drawing, viewBox, areas: described };
}

/**
 * Returns the indexes of the seats of each kind.
 * @param {Seat[]} seats
 */
function kindsOf(seats) {
  /** @type {HallArea["kinds"]} */
  const kinds = {};
  for (const [index, { kind }] of seats.entries()) if (kind) (kinds[kind] ??= []).push(index);
  return kinds;
}

/**
 * Joins the drawings of the hall and its areas to one image as `data:`. In an image, a drawing can neither run scripts
 * nor load anything, and its styles do not reach the page. Drawings with ids or classes become images of their own, so
 * that equal names of two drawings do not mix.
 * @param {string} totalMap
 * @param {Schemas["Area"][]} areas
 */
function compose(totalMap, areas) {
  const drawings = [totalMap, ...areas.map(({ areaMap }) => areaMap)].map(toElement);
  const given = /^<svg\b[^>]*?\sviewBox=["']([^"']+)["']/.exec(drawings[0])?.[1];
  const viewBox = given
    ? given
        .trim()
        .split(/[\s,]+/)
        .map(Number)
    : Object.values(
        boundsOf(
          areas.flatMap(({ seats }) => seats),
          MARGIN,
        ),
      );
  const [x, y, width, height] = viewBox;
  const root = content =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"` +
    ` viewBox="${viewBox.join(" ")}" width="${width}" height="${height}">${content}</svg>`;
  const image = content =>
    `<image x="${x}" y="${y}" width="${width}" height="${height}"` +
    ` href="data:image/svg+xml,${encodeURIComponent(root(content))}"/>`;
  const shown = drawings
    .filter(drawing => /^<(svg|g)\b/.test(drawing))
    .map(drawing =>
      /\s(id|class)=|<style/.test(drawing.replaceAll('class="area-data"', "")) ? image(drawing) : drawing,
    );
  return { viewBox, drawing: `data:image/svg+xml,${encodeURIComponent(root(shown.join("")))}` };
}

/**
 * Returns the root element of a drawing, as an element of XML: without what drawing tools write before it, and without
 * `&nbsp;`, which only HTML knows.
 * @param {string} drawing
 */
const toElement = drawing =>
  drawing.replace(/^(?:\s|<\?[^]*?\?>|<!--[^]*?-->|<!DOCTYPE[^>]*>)+/, "").replaceAll("&nbsp;", "&#160;");

/**
 * Returns the path of the class `area-data`, or else the convex hull of the seats.
 * @param {string} areaMap
 * @param {Seat[]} seats
 */
function outlineOf(areaMap, seats) {
  const path = areaMap.match(/<path\b[^>]*\bclass="[^"]*\barea-data\b[^>]*>/)?.[0];
  const outline = path && /\sd="([^"]+)"/.exec(path)?.[1];
  if (outline && !/\btransform=|<svg\b/.test(areaMap)) return outline;
  return pathAround(seats.map(({ cx, cy }) => [cx, cy]));
}
