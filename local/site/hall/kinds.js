// Signs of the kinds of seats. Together with the square of a wheelchair place they tell kinds apart without colours.

import { createSvg } from "../dom.js";

const HEAD = "m-.16 -.68q.1 0 .1 .1t-.1 .1t-.1 -.1t.1 -.1";
// For a seat of the radius 1. The commands are relative and no arcs, so that each number can be scaled.
/** @type {Record<SeatKind, string>} */
const SIGNS = {
  // Head, back and legs, and the wheel
  WHEELCHAIR: `${HEAD}m0 .46v.36h.44l.22 .42m-.94 -.46q-.14 .12 -.14 .32c0 .22 .18 .38 .4 .38c.18 0 .34 -.1 .4 -.28`,
  // Head and shoulders
  COMPANION: `m.16 0${HEAD}m-.42 1.02c0 -.56 .84 -.56 .84 0z`,
  // The right half of the seat
  RESTRICTED_VIEW: "m0 -.76c1 0 1 1.52 0 1.52z",
};
const LINE_WIDTH = 0.26;

/** Kinds in the order in which pages show them. */
export const KINDS = /** @type {SeatKind[]} */ (Object.keys(SIGNS));

/** Signs of seats with one radius, as one path for each kind. */
export class Signs {
  /**
   * @param {SeatKind[]} kinds
   * @param {number} radius
   */
  constructor(kinds, radius) {
    this.radius = radius;
    this.paths = kinds.map(kind =>
      createSvg("path", { class: "sign", "data-kind": kind, "stroke-width": radius * LINE_WIDTH }),
    );
  }

  /** @param {Place[]} seats */
  draw(seats) {
    for (const path of this.paths) {
      const own = seats.filter(({ kind }) => kind === path.dataset.kind);
      path.setAttribute("d", own.map(seat => signOf(seat, this.radius)).join(""));
    }
  }
}

/**
 * @param {Place} seat
 * @param {number} radius
 */
function signOf({ kind, cx, cy }, radius) {
  const scale = number => ` ${Math.round(Number(number) * radius * 100) / 100}`;
  return `M${cx} ${cy}${SIGNS[/** @type {SeatKind} */ (kind)].replace(/-?[\d.]+/g, scale)}`;
}

/** Seats as dots with the signs of their kinds. The dot of a wheelchair place is a square. */
export class Dots {
  /**
   * @param {SeatKind[]} kinds
   * @param {number} width
   */
  constructor(kinds, width) {
    const path = className => createSvg("path", { class: className, "stroke-width": width });
    this.round = path("dots");
    this.square = path("dots square");
    this.signs = new Signs(kinds, width / 2);
    this.elements = kinds.length > 0 ? [this.round, this.square, ...this.signs.paths] : [this.round];
  }

  /** @param {Place[]} seats */
  draw(seats) {
    const pathOf = (/** @type {Place[]} */ places) => places.map(({ cx, cy }) => `M${cx} ${cy}h0`).join("");
    if (this.elements.length === 1) {
      this.round.setAttribute("d", pathOf(seats));
      return;
    }
    this.round.setAttribute("d", pathOf(seats.filter(({ kind }) => kind !== "WHEELCHAIR")));
    this.square.setAttribute("d", pathOf(seats.filter(({ kind }) => kind === "WHEELCHAIR")));
    this.signs.draw(seats);
  }
}

/**
 * Creates the picture of a seat of a kind, for texts.
 * @param {SeatKind} kind
 */
export function createKindIcon(kind) {
  const dots = new Dots([kind], 18);
  dots.draw([{ cx: 10, cy: 10, kind }]);
  return createSvg("svg", { class: "kind", viewBox: "0 0 20 20", "aria-hidden": "true" }, dots.elements);
}
