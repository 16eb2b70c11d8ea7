// Seats of the open area, which pointers, keys and screen readers can choose: a square for a wheelchair place, and a
// circle for any other.

import { createSvg, focusFirst } from "../dom.js";
import { placeName, won } from "../format.js";
import { contains } from "./geometry.js";
import { Signs } from "./kinds.js";

/** @type {Record<SeatState, string>} */
const STATES = {
  free: "선택 가능",
  chosen: "선택함",
  mine: "내 좌석",
  taken: "선택 불가",
  // States that only a manager sees
  sold: "판매됨",
  held: "선점됨",
  blocked: "판매 막음",
};
const IS_CLOSED = ["taken", "mine", "sold", "held"];
// Marks with a size, because colours must not be the only sign: a check, a ring, a cross, the hands of a clock and a
// bar.
/** @type {Record<Exclude<SeatState, "free">, (r: number) => string>} */
const MARKS = {
  chosen: r => `m${-r} 0l${r * 0.7} ${r * 0.8}l${r * 1.3} ${-r * 1.6}`,
  mine: r => `m${-r} 0a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0`,
  taken: r => `m${-r} ${-r}l${2 * r} ${2 * r}m${-2 * r} 0l${2 * r} ${-2 * r}`,
  sold: r => MARKS.taken(r),
  held: r => `m0 ${-r}v${r}h${r}`,
  blocked: r => `m${-r} 0h${2 * r}`,
};
const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
// Pixels between neighbours from which the numbers of seats are legible
const NUMBER_PIXELS = 33;
// Of a larger area only the seats in the window become shapes, because the browser would need too long for all.
const MAX_SHAPES = 1_500;

/** @param {SeatState} state */
export const isOwned = state => state === "chosen" || state === "mine";

export class SeatLayer {
  /**
   * `choose` is called with the index of a seat, `focus` when the keyboard reaches one. The frame listens, because an
   * SVG element that listens to the focus can itself be reached with Tab.
   * @param {SVGSVGElement} svg
   * @param {HTMLElement} frame
   * @param {{ choose: (index: number) => void, focus: (seat: Seat) => void }} listeners
   */
  constructor(svg, frame, { choose, focus }) {
    this.choose = choose;
    this.focus = focus;
    /** @type {Seat[]} */
    this.seats = [];
    /** Shapes by the indexes of their seats. @type {Map<number, SVGElement>} */
    this.shapes = new Map();
    this.price = 0;
    this.gap = 0;
    /** Kind that is emphasized. @type {SeatKind | undefined} */
    this.kind = undefined;
    this.signs = new Signs([], 0);
    this.group = createSvg("g", { class: "seats", role: "group" });
    this.rows = createSvg("g", { class: "rows", "aria-hidden": "true" });
    this.numbers = createSvg("g", { class: "numbers-of-seats", "aria-hidden": "true" });
    this.marks = Object.fromEntries(
      Object.keys(MARKS).map(state => [state, createSvg("path", { class: "mark", "data-state": state })]),
    );
    svg.append(this.rows, this.group);
    frame.addEventListener("focusin", ({ target }) => {
      const index = seatIndexOf(target);
      if (index !== undefined) this.makeReachable(index);
    });
    frame.addEventListener("keydown", event => {
      const index = seatIndexOf(event.target);
      if (index !== undefined) this.moveFocus(index, event);
    });
  }

  /**
   * @param {HallArea} area
   * @param {Seat[]} seats
   * @param {Seat[]} others Seats of areas beside it
   * @param {Hall["paint"]} paint
   */
  open({ label, price, gap, kinds }, seats, others, paint) {
    this.seats = seats;
    this.price = price;
    this.gap = gap;
    this.shapes.clear();
    this.signs = new Signs(/** @type {SeatKind[]} */ (Object.keys(kinds)), this.radius);
    this.group.replaceChildren(...Object.values(this.marks), ...this.signs.paths, this.numbers);
    this.group.setAttribute("aria-label", `${label}구역 좌석`);
    paint(this.group, price);
    this.rows.replaceChildren(...this.rowLabels([...seats, ...others]));
  }

  close() {
    this.seats = [];
    this.shapes.clear();
    this.group.replaceChildren();
    this.rows.replaceChildren();
  }

  /**
   * Returns a label for each row where it lies on no seat: before the first one or after the last one. Between two areas
   * it is small, and left out without room.
   * @param {Seat[]} near
   */
  rowLabels(near) {
    const { gap, radius } = this;
    const rows = Map.groupBy(this.seats, ({ row }) => row);
    return [...rows].flatMap(([row, seats]) => {
      const sorted = seats.toSorted((one, other) => one.number - other.number);
      const ends = [sorted, sorted.toReversed()];
      const places = [1.05, 0.78]
        .map(part => part * gap)
        .flatMap(distance =>
          ends.map(([end, next = { cx: end.cx + 1, cy: end.cy }]) => {
            const part = distance / (Math.hypot(end.cx - next.cx, end.cy - next.cy) || 1);
            return {
              x: end.cx + (end.cx - next.cx) * part,
              y: end.cy + (end.cy - next.cy) * part,
              size: distance * 0.38,
            };
          }),
        );
      const free = places.find(({ x, y, size }) => {
        const width = (size * (1 + 0.62 * String(row).length)) / 2 + radius;
        return near.every(({ cx, cy }) => Math.abs(cx - x) > width || Math.abs(cy - y) > size / 2 + radius);
      });
      return free ? createSvg("text", { x: free.x, y: free.y, "font-size": free.size }, `${row}열`) : [];
    });
  }

  /**
   * Makes shapes for the seats in a rectangle, or for all if they are few, and shows their states.
   * @param {Rectangle} visible
   * @param {number} pixels Pixels of the screen for a unit of the drawing
   * @param {(index: number, id: string) => SeatState} stateOf
   */
  draw(visible, pixels, stateOf) {
    if (this.seats.length === 0) return;
    const isWhole = this.seats.length <= MAX_SHAPES;
    for (const [index, seat] of this.seats.entries()) {
      const isShown = isWhole || (contains(visible, seat) && this.shapes.size < MAX_SHAPES);
      const shape = this.shapes.get(index);
      if (isShown && !shape) this.add(index);
      else if (!isShown && shape && shape !== document.activeElement) {
        shape.remove();
        this.shapes.delete(index);
      }
    }
    const shapes = [...this.shapes.values()];
    if (!shapes.some(shape => shape.tabIndex === 0)) shapes[0]?.setAttribute("tabindex", "0");
    this.showStates(stateOf);
    const isLarge = this.gap * pixels >= NUMBER_PIXELS;
    const numbered = this.seats.filter(
      (seat, index) =>
        isLarge && !seat.kind && contains(visible, seat) && this.shapes.get(index)?.dataset.state === "free",
    );
    const texts = numbered.map(({ cx, cy, number }) =>
      createSvg("text", { x: cx, y: cy, "font-size": this.gap * 0.34 }, String(number)),
    );
    this.numbers.replaceChildren(...texts);
  }

  add(index) {
    const { cx, cy, kind } = this.seats[index];
    const r = this.radius;
    const attributes = { role: "checkbox", tabindex: -1, "data-seat": index };
    const shape =
      kind === "WHEELCHAIR"
        ? createSvg("rect", { x: cx - r, y: cy - r, width: 2 * r, height: 2 * r, rx: r / 6, ...attributes })
        : createSvg("circle", { cx, cy, r, ...attributes });
    this.shapes.set(index, shape);
    this.group.insertBefore(shape, this.marks.chosen);
  }

  get radius() {
    return this.gap * 0.42;
  }

  /** @param {(index: number, id: string) => SeatState} stateOf */
  showStates(stateOf) {
    const paths = Object.fromEntries(Object.keys(MARKS).map(state => [state, ""]));
    /** @type {Seat[]} */
    const free = [];
    for (const [index, shape] of this.shapes) {
      const seat = this.seats[index];
      const { id, cx, cy, kind } = seat;
      const state = stateOf(index, id);
      if (state !== "free") paths[state] += `M${cx} ${cy}${MARKS[state](this.radius / 2)}`;
      else if (kind) free.push(seat);
      shape.classList.toggle("other", this.kind !== undefined && kind !== this.kind);
      if (shape.dataset.state === state) continue;
      shape.dataset.state = state;
      shape.setAttribute("aria-label", `${placeName(seat)}, ${won(this.price)}, ${STATES[state]}`);
      shape.setAttribute("aria-checked", String(isOwned(state)));
      shape.setAttribute("aria-disabled", String(IS_CLOSED.includes(state)));
    }
    for (const [state, mark] of Object.entries(this.marks)) mark.setAttribute("d", paths[state]);
    this.signs.draw(free);
  }

  /** Only one seat can be reached with Tab; the arrow keys move from there. */
  makeReachable(index) {
    for (const other of this.group.querySelectorAll("[tabindex='0']")) other.setAttribute("tabindex", "-1");
    this.shapes.get(index)?.setAttribute("tabindex", "0");
    this.focus(this.seats[index]);
  }

  /**
   * @param {number} index
   * @param {KeyboardEvent} event
   */
  moveFocus(index, event) {
    const direction = DIRECTIONS[event.key];
    if (direction) this.shapes.get(this.nearest(index, direction))?.focus({ preventScroll: true });
    else if (event.key === "Enter" || event.key === " ") this.choose(index);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Returns the index of the nearest seat in a direction, or else of the seat itself. The distance aside counts double,
   * so that it stays in a row.
   * @param {number} from
   * @param {Point} direction
   */
  nearest(from, [dx, dy]) {
    let nearest = from;
    let least = Infinity;
    for (const index of this.shapes.keys()) {
      const x = this.seats[index].cx - this.seats[from].cx;
      const y = this.seats[index].cy - this.seats[from].cy;
      const ahead = x * dx + y * dy;
      const aside = Math.abs(x * dy) + Math.abs(y * dx);
      const distance = ahead + 2 * aside;
      if (ahead > 0 && aside <= ahead && distance < least) [nearest, least] = [index, distance];
    }
    return nearest;
  }

  focusFirst() {
    focusFirst(this.group, "[tabindex='0']", { preventScroll: true });
  }

  /** Returns the index of the seat at a point of the drawing, if there is one. */
  indexAt(x, y) {
    const index = this.seats.findIndex(({ cx, cy }) => Math.hypot(cx - x, cy - y) < this.gap / 2);
    return index >= 0 ? index : undefined;
  }
}

/**
 * Returns the index of the seat of a shape; undefined for any other element.
 * @param {EventTarget | null} target
 */
export function seatIndexOf(target) {
  const seat = /** @type {SVGElement} */ (target).dataset.seat;
  return seat === undefined ? undefined : Number(seat);
}
