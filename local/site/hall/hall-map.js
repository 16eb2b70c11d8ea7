// The hall with its areas and seats: overview, zoom, and the choice of seats in place.

import { create, createButton, createSvg, icon } from "../dom.js";
import { AreaLayer, LEGIBLE_PIXELS } from "./area-layer.js";
import { boundsOf, meets } from "./geometry.js";
import { MiniMap } from "./mini-map.js";
import { SeatLayer, seatIndexOf } from "./seat-layer.js";
import { Viewport } from "./viewport.js";

// Pixels between neighbours in an area that is opened, and as many as zooming allows
const OPEN_PIXELS = 28;
const MAX_PIXELS = 64;

/**
 * Element that shows a hall. It sends `area` when an area is opened, `seat` when a seat is chosen, and `reach` when the
 * keyboard reaches a seat, with `{area, index, seat}` in `detail`.
 */
export class HallMap extends HTMLElement {
  /** @type {Hall} */
  hall;
  /** @type {StateOf} */
  stateOf;
  /** @type {SVGSVGElement} */
  svg;
  /** @type {HTMLElement} */
  frame;
  /** @type {AreaLayer} */
  areas;
  /** @type {SeatLayer} */
  seats;
  /** @type {MiniMap} */
  mini;
  /** @type {Viewport} */
  view;
  /** Buttons for the page to place, since none may lie on seats. */
  zoom = this.createButtons();
  /**
   * Index of the area whose seats can be chosen.
   * @type {number | undefined}
   */
  openArea;

  /**
   * Shows a hall; `stateOf` returns the state of a seat.
   * @param {Hall} hall
   * @param {StateOf} stateOf
   */
  show(hall, stateOf) {
    this.hall = hall;
    this.stateOf = stateOf;
    const [x, y, width, height] = hall.viewBox;
    this.svg = createSvg("svg", {
      viewBox: `${x} ${y} ${width} ${height}`,
      class: "overlay",
      role: "group",
      "aria-label": "구역과 좌석",
    });
    const drawing = create("img", { className: "drawing", alt: "", src: hall.drawing, draggable: false });
    const stage = create("div", { className: "stage" }, [drawing, this.svg]);
    this.frame = create(
      "div",
      {
        className: "frame",
        tabIndex: 0,
        role: "group",
        "aria-label": "좌석 배치도. 화살표 키로 움직이고 더하기와 빼기 키로 확대하거나 축소하세요.",
      },
      stage,
    );
    this.areas = new AreaLayer(hall, this.svg);
    this.seats = new SeatLayer(this.svg, this.frame, {
      choose: index => this.choose(index),
      focus: seat => this.sendSeat("reach", seat),
    });
    this.mini = new MiniMap(hall);
    this.replaceChildren(this.frame, this.mini.element);
    const maxPixels = MAX_PIXELS / Math.min(...hall.areas.map(({ gap }) => gap));
    this.view = new Viewport(this.frame, stage, hall.viewBox, maxPixels, () => this.draw());
    this.frame.addEventListener("click", event => this.tap(event));
    this.frame.addEventListener("focusin", event => this.reveal(event));
  }

  createButtons() {
    const button = (name, label, action) =>
      createButton(icon(name), action, { className: "round", "aria-label": label });
    return create("div", { className: "zoom", role: "group", "aria-label": "확대와 축소" }, [
      button("plus", "확대", () => this.view.zoomIn()),
      button("minus", "축소", () => this.view.zoomOut()),
      button("whole", "전체 보기", () => this.close()),
    ]);
  }

  /**
   * Shows new availability and choices, and emphasizes seats.
   * @param {{ areas: { free: number, seats: number }[] }} availability
   * @param {Emphasis} emphasis
   */
  update(availability, emphasis = {}) {
    this.areas.update(availability.areas, emphasis);
    this.seats.kind = emphasis.kind;
    this.draw();
  }

  draw() {
    if (!this.view.pixels) return;
    const visible = this.visiblePart();
    // Strokes have the same width at each scale.
    this.svg.style.setProperty("--pixel", `${1 / this.view.pixels}px`);
    const { openArea } = this;
    if (openArea !== undefined)
      this.seats.draw(visible, this.view.pixels, (index, id) => this.stateOf(openArea, index, id));
    this.areas.draw(this.view, visible, openArea, this.stateOf);
    this.mini.showWindow(visible, this.view.scale > 1.2);
  }

  /** Returns the part of the drawing that is in the window. */
  visiblePart() {
    const { x, y, pixels, frameWidth, frameHeight } = this.view;
    const [left, top] = this.hall.viewBox;
    return { x: left - x / pixels, y: top - y / pixels, width: frameWidth / pixels, height: frameHeight / pixels };
  }

  /** Opens an area: shows its seats, and flies there unless they are legible. */
  async open(index, { isFlying = true } = {}) {
    const area = this.hall.areas[index];
    const { areas } = this.hall;
    const near = [...areas.keys()].filter(other => other !== index && meets(areas[other].bounds, area.bounds));
    const [seats, ...others] = await Promise.all([index, ...near].map(each => this.hall.seatsOf(each)));
    this.openArea = index;
    this.seats.open(area, seats, others.flat(), this.hall.paint);
    this.areas.markOpen(index);
    this.draw();
    if (isFlying) {
      // With space for the labels of rows at its sides
      const x = area.bounds.x - area.gap;
      const width = area.bounds.width + 2 * area.gap;
      const { y, height } = area.bounds;
      // An area that is wider than the window at a legible scale is shown at its middle.
      const most = {
        width: (this.view.frameWidth * area.gap) / OPEN_PIXELS,
        height: (this.view.frameHeight * area.gap) / OPEN_PIXELS,
      };
      const shown = {
        width: Math.min(width, Math.max(most.width, 1)),
        height: Math.min(height, Math.max(most.height, 1)),
      };
      this.view.showBounds(
        { x: x + (width - shown.width) / 2, y: y + (height - shown.height) / 2, ...shown },
        this.hall.viewBox,
      );
    }
    this.dispatchEvent(new CustomEvent("area", { detail: { area: index } }));
  }

  /**
   * Opens an area, and flies to seats, with neighbours around them.
   * @param {number} index
   * @param {Seat[]} seats
   */
  async openAt(index, seats) {
    await this.open(index, { isFlying: false });
    const space = 4 * this.hall.areas[index].gap;
    this.view.showBounds(boundsOf(seats, space), this.hall.viewBox);
  }

  /**
   * Flies to the seats of a hold, and opens the area of the first.
   * @param {Pick<Hold, "seats">} hold
   */
  async showHold({ seats }) {
    const areas = seats.map(({ areaId }) => this.hall.areas.findIndex(({ id }) => id === areaId));
    const lists = await Promise.all(areas.map(area => this.hall.seatsOf(area)));
    const held = seats.flatMap(({ id }, index) => lists[index].filter(seat => seat.id === id));
    await this.openAt(areas[0], held);
  }

  /**
   * Opens an area with free seats of a kind, preferably the open one, and flies to them. Tab reaches the first.
   * @param {SeatKind} kind
   * @param {Availability} [availability]
   */
  async openKind(kind, availability) {
    const { areas } = this.hall;
    const own = [...areas.keys()].filter(area => areas[area].kinds[kind]);
    const open = own.filter(area => area === this.openArea);
    const isFree = area => this.hall.freeOf(area, kind, availability).length > 0;
    const area = [...open, ...own].find(isFree) ?? own[0];
    const free = this.hall.freeOf(area, kind, availability);
    const indexes = free.length > 0 ? free : (areas[area].kinds[kind] ?? []);
    const seats = await this.hall.seatsOf(area);
    await this.openAt(
      area,
      indexes.map(index => seats[index]),
    );
    this.seats.makeReachable(indexes[0]);
  }

  focusSeats() {
    this.seats.focusFirst();
  }

  /** Shows the whole hall. */
  close() {
    this.openArea = undefined;
    this.seats.close();
    this.areas.markOpen(undefined);
    this.view.showWhole();
    this.dispatchEvent(new CustomEvent("area", { detail: {} }));
  }

  /**
   * Shows the seat that the keyboard has reached. A pressed seat is in view, and must stay under the pointer.
   * @param {FocusEvent} event
   */
  reveal({ target }) {
    const index = seatIndexOf(target);
    if (index === undefined || !(/** @type {Element} */ (target).matches(":focus-visible"))) return;
    const { cx, cy } = this.seats.seats[index];
    this.view.reveal([cx, cy], 2 * this.seats.gap, this.hall.viewBox);
  }

  /** @param {MouseEvent} event */
  async tap(event) {
    if (this.view.hasMoved) return;
    const [x, y] = this.pointOf(event);
    const pressed = seatIndexOf(event.target);
    if (pressed !== undefined) return this.choose(pressed);
    const outline = /** @type {Element} */ (event.target).closest("[data-area]");
    const area = outline ? Number(outline.getAttribute("data-area")) : this.areaAt(x, y);
    if (area < 0) return;
    const isLegible = this.hall.areas[area].gap * this.view.pixels >= LEGIBLE_PIXELS;
    if (area !== this.openArea) await this.open(area, { isFlying: !isLegible });
    const seat = isLegible ? this.seats.indexAt(x, y) : undefined;
    if (seat !== undefined) this.choose(seat);
  }

  /** @param {MouseEvent} event */
  pointOf({ clientX, clientY }) {
    const { left, top } = this.frame.getBoundingClientRect();
    const visible = this.visiblePart();
    return [visible.x + (clientX - left) / this.view.pixels, visible.y + (clientY - top) / this.view.pixels];
  }

  /** Returns the area whose seats surround a point, for drawings without outlines; -1 if there is none. */
  areaAt(x, y) {
    return this.hall.areas.findIndex(
      ({ bounds: b }) => x >= b.x && y >= b.y && x <= b.x + b.width && y <= b.y + b.height,
    );
  }

  choose(index) {
    this.sendSeat("seat", this.seats.seats[index], index);
  }

  /**
   * @param {"seat" | "reach"} type
   * @param {Seat} seat
   * @param {number} [index]
   */
  sendSeat(type, seat, index) {
    this.dispatchEvent(new CustomEvent(type, { detail: { area: this.openArea, index, seat } }));
  }
}

customElements.define("hall-map", HallMap);
