// Drawings of halls from Inkscape and Illustrator: their circles are seats, and their groups are areas. Names tell kinds
// of seats.

import { boundsOf, gapOf } from "../hall/geometry.js";
import { areaMapOf, outlineAround, round } from "./outline.js";
import { numberSeats } from "./seating.js";

const INKSCAPE = "http://www.inkscape.org/namespaces/inkscape";
const HIDDEN = "[display=none], [data-style*='display:none'], [data-style*='display: none']";
const NEVER_DRAWN = `defs, clipPath, mask, pattern, marker, symbol, ${HIDDEN}`;
// Names that tools give to groups, such as `g1234`
const GENERATED_NAME = /^(g|group|layer|svg|path)?[-_]?\d+([-_]\d+)*_?$/i;
// Names of kinds without spaces, hyphens, and the numbers that tools add to equal names
/** @type {Map<string, SeatKind>} */
const KINDS = new Map([
  ["휠체어석", "WHEELCHAIR"],
  ["wheelchair", "WHEELCHAIR"],
  ["동반석", "COMPANION"],
  ["휠체어동반석", "COMPANION"],
  ["companion", "COMPANION"],
  ["시야제한석", "RESTRICTED_VIEW"],
  ["restrictedview", "RESTRICTED_VIEW"],
]);
const ROOT = /<svg\b(?:"[^"]*"|'[^']*'|[^"'>])*>/y;
const CIRCLE = /<([^\s/>]+)(?:"[^"]*"|'[^']*'|[^"'>])*?(?:\/>|>[^]*?<\/\1\s*>)/y;
const linesOf = text => text.replace(/[^\n]/g, "");

/**
 * Reads the text of a file. The elements of its document are only read, and never part of a page.
 * @param {string} source
 *
 * @typedef {Place & { begin: number, radius: number, group: Element | null }} Circle
 */
export function readDrawing(source) {
  const parsed = parseDrawing(source);
  const root = parsed.documentElement;
  if (root.nodeName !== "svg" || parsed.querySelector("parsererror"))
    throw new Error("SVG 파일이 아니거나 파일이 손상됐어요.");
  const matrixOf = createMatrices(root);
  /** @type {Map<Element, Circle[]>} */
  const groups = new Map();
  for (const circle of parsed.querySelectorAll("circle, ellipse")) {
    if (circle.closest(NEVER_DRAWN)) continue;
    const group = groupOf(circle, root);
    const circles = groups.get(group) ?? [];
    const begin = beginOf(circle);
    circles.push({ begin, ...rowAndKindOf(circle), ...placeOf(circle, matrixOf(circle)) });
    groups.set(group, circles);
  }
  const areas = [...groups].map(([group, circles]) => createArea(group, circles, matrixOf, group === root));
  return { source, begin: beginOf(root), viewBox: viewBoxOf(root, areas), areas };
}

/**
 * Parses a drawing. Its root and its circles get an attribute with the index at which they begin in the source. Styles
 * and handlers get other names, because the policy of the page would report them as violations.
 */
export function parseDrawing(source) {
  const text = source
    .replace(/<(?:svg|(?:[^\s/>]+:)?(?:circle|ellipse))(?=[\s/>])/g, (tag, index) => `${tag} data-begin="${index}"`)
    .replace(/\s(style|on\w+)\s*=/g, " data-$1=")
    .replace(/(<\/?)style\b/g, "$1desc");
  return new DOMParser().parseFromString(text.trimStart(), "image/svg+xml");
}

/** @param {Element} element */
const beginOf = element => Number(element.getAttribute("data-begin"));

/**
 * Returns the coordinates of a drawing; if it has none, a rectangle around the seats.
 * @param {Element} root
 * @param {{ seats: Place[] }[]} areas
 * @returns {ViewBox}
 */
export function viewBoxOf(root, areas) {
  const numbers = (root.getAttribute("viewBox") ?? "")
    .trim()
    .split(/[\s,]+/)
    .map(Number);
  if (numbers.length === 4 && numbers.every(Number.isFinite)) return numbers;
  const [width, height] = ["width", "height"].map(name => parseFloat(root.getAttribute(name) ?? ""));
  if (width > 0 && height > 0) return [0, 0, width, height];
  const seats = areas.flatMap(area => area.seats);
  return Object.values(boundsOf(seats, 2 * gapOf(seats)));
}

/**
 * Returns a function that returns the matrix from an element to the drawing.
 * @param {Element} root
 */
function createMatrices(root) {
  /** @type {Map<Element | null, DOMMatrix>} */
  const matrices = new Map([[root, new DOMMatrix()]]);
  /**
   * @param {Element | null} element
   * @returns {DOMMatrix}
   */
  return function matrixOf(element) {
    const known = matrices.get(element);
    if (known) return known;
    const own = element instanceof SVGGraphicsElement ? element.transform.baseVal.consolidate()?.matrix : undefined;
    const outer = matrixOf(element?.parentElement ?? null);
    const matrix = own ? outer.multiply(DOMMatrix.fromMatrix(own)) : outer;
    matrices.set(element, matrix);
    return matrix;
  };
}

/**
 * @param {Element} circle
 * @param {DOMMatrix} matrix
 */
function placeOf(circle, matrix) {
  const value = name => parseFloat(circle.getAttribute(name) ?? "") || 0;
  const { x, y } = new DOMPoint(value("cx"), value("cy")).matrixTransform(matrix);
  const size = Math.sqrt(Math.abs(matrix.a * matrix.d - matrix.b * matrix.c));
  return { cx: round(x), cy: round(y), radius: (value("r") || value("ry") || value("rx")) * size };
}

/** @param {Element} element */
const nameOf = element => element.getAttributeNS(INKSCAPE, "label") ?? element.getAttribute("data-name") ?? element.id;

/** Decodes a name. Illustrator writes `_x41_` for a character that an id cannot have, and `_` for a space. */
const decode = name =>
  name.replace(/_x([0-9A-F]{2,6})_/g, (_, code) => String.fromCodePoint(parseInt(code, 16))).replaceAll("_", " ");

/**
 * Returns the kind that the name of an element or one of its classes tells.
 * @param {Element} element
 */
function kindNamedBy(element) {
  const names = [nameOf(element), ...element.classList].map(name => decode(name).toLowerCase());
  return names.map(name => KINDS.get(name.replace(/[\s\d-]/g, ""))).find(Boolean);
}

/**
 * Returns the nearest group without the name of a kind, and the kind that the circle or a group around it tells.
 * @param {Element} circle
 */
function rowAndKindOf(circle) {
  /** @type {Element | null} */
  let group = circle.parentElement;
  while (group && kindNamedBy(group)) group = group.parentElement;
  let kind;
  for (let each = /** @type {Element | null} */ (circle); each && !kind; each = each.parentElement)
    kind = kindNamedBy(each);
  return { group, kind };
}

/**
 * Returns the nearest group or layer to which somebody gave a name, but not that of a kind, or else the outermost
 * group, or the drawing.
 * @param {Element} circle
 * @param {Element} root
 */
function groupOf(circle, root) {
  let group = root;
  for (let each = circle.parentElement; each && each !== root; each = each.parentElement) {
    if (each.localName !== "g") continue;
    if (nameOf(each) && !GENERATED_NAME.test(nameOf(each)) && !kindNamedBy(each)) return each;
    group = each;
  }
  return group;
}

/**
 * Returns the label of the area of a group.
 * @param {Element} group
 * @param {boolean} isWhole
 */
function labelOf(group, isWhole) {
  return isWhole
    ? "전체"
    : decode(nameOf(group))
        .trim()
        .replace(/\s*구역$/, "");
}

/**
 * @param {Element} group
 * @param {Circle[]} circles
 * @param {(element: Element) => DOMMatrix} matrixOf
 * @param {boolean} isWhole
 */
function createArea(group, circles, matrixOf, isWhole) {
  const radius = circles.map(circle => circle.radius).sort((one, other) => one - other)[circles.length >> 1];
  const { a, b } = matrixOf(group);
  const angle = Math.atan2(b, a);
  // Rows of a group that lies on its side go down the page.
  const seats = numberSeats(circles, Math.abs(angle) < 1 ? angle : 0, radius);
  const path = group.querySelector(isWhole ? ":scope > path.area-data" : "path.area-data");
  const { a: scale, b: skew, c, d, e, f } = path ? matrixOf(path) : new DOMMatrix();
  const isMoved = String([scale, skew, c, d, e, f]) !== "1,0,0,1,0,0";
  /** @type {Record<string, string>} */
  const attributes = isMoved ? { transform: `matrix(${[scale, skew, c, d, e, f]})` } : {};
  const outline = path?.getAttribute("d") ?? outlineAround(seats, radius * 1.6);
  const areaMap = areaMapOf(outline, attributes);
  const label = labelOf(group, isWhole);
  return { label, seats, begins: circles.map(({ begin }) => begin), outline, attributes, areaMap };
}

/**
 * Returns the drawing without the seats of areas. Each line keeps its number, so that the service's reasons lead to
 * lines of the file. Sizes in millimetres leave the root, because seats are in the coordinates of the `viewBox`.
 * @param {ReturnType<typeof readDrawing>} drawing
 * @param {{ begins: number[] }[]} areas
 */
export function withoutSeats({ source, begin: root, viewBox }, areas) {
  let result = "";
  let end = 0;
  for (const begin of areas.flatMap(({ begins }) => begins).sort((one, other) => one - other)) {
    if (begin < end) continue;
    const circle = tagAt(CIRCLE, source, begin);
    result += source.slice(end, begin) + linesOf(circle);
    end = begin + circle.length;
  }
  return plainRoot(result + source.slice(end), viewBox.join(" "), root);
}

/**
 * Returns a drawing that begins with its root, which has a `viewBox` and no size. Each line keeps its number.
 * @param {string} source
 * @param {string} viewBox
 * @param {number} begin Index of the root
 */
export function plainRoot(source, viewBox, begin = source.indexOf("<svg")) {
  if (begin < 0) return source;
  const prolog = source.slice(0, begin).replace(/<!--[^]*?-->|<\?[^]*?\?>|<!DOCTYPE[^>[]*>/g, linesOf);
  const root = tagAt(ROOT, source, begin);
  const sized = root.replace(/\s(width|height|x|y|viewBox)\s*=\s*("[^"]*"|'[^']*')/g, linesOf);
  return prolog + sized.replace("<svg", `<svg viewBox="${viewBox}"`) + source.slice(begin + root.length);
}

/**
 * @param {RegExp} pattern
 * @param {string} source
 * @param {number} index
 */
function tagAt(pattern, source, index) {
  pattern.lastIndex = index;
  return pattern.exec(source)?.[0] ?? "";
}
