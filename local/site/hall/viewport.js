// Zoom and movement of a drawing by pointers, wheel, buttons and keys.

const SETTLED_MILLISECONDS = 160;
const FLIGHT_MILLISECONDS = 320;
const STEP = 1.6;
const KEY_PIXELS = 80;
const WIDE_PIXELS = 600;
const INSET_PIXELS = 150;
const KEYS = { ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

/**
 * Window on a stage. The stage has the size in which the whole drawing fits into the frame; `scale` multiplies it.
 * While it moves, the browser only moves pictures of it (`will-change`); it draws again when the movement has settled.
 */
export class Viewport {
  /**
   * @param {HTMLElement} frame
   * @param {HTMLElement} stage
   * @param {ViewBox} viewBox
   * @param {number} maxPixels Pixels of the screen for a unit of the drawing, at the largest scale
   * @param {() => void} onSettle
   */
  constructor(frame, stage, [, , width, height], maxPixels, onSettle) {
    this.frame = frame;
    this.stage = stage;
    this.aspect = width / height;
    this.units = width;
    this.maxPixels = maxPixels;
    this.onSettle = onSettle;
    this.x = 0;
    this.y = 0;
    this.scale = 1;
    /** Position before it was limited to the frame, to which a larger frame returns. @type {Position} */
    this.wanted = { x: 0, y: 0, scale: 1 };
    // Sizes of the frame and of the stage, zero until the frame is in the page
    this.frameWidth = 0;
    this.frameHeight = 0;
    this.width = 0;
    /** @type {{ start: Position, target: Position } | undefined} */
    this.flight = undefined;
    /** @type {Map<number, Point>} */
    this.pointers = new Map();
    this.hasMoved = false;
    this.timer = 0;
    new ResizeObserver(() => this.resize()).observe(frame);
    this.resize();
    frame.addEventListener("wheel", event => this.wheel(event), { passive: false });
    frame.addEventListener("pointerdown", event => this.press(event));
    frame.addEventListener("pointermove", event => this.drag(event));
    frame.addEventListener("pointerup", event => this.lift(event));
    frame.addEventListener("pointercancel", event => this.lift(event));
    frame.addEventListener("keydown", event => this.key(event));
  }

  resize() {
    const { clientWidth, clientHeight } = this.frame;
    if (clientWidth === 0 || clientHeight === 0) return;
    const frameWidth = this.frameWidth || clientWidth;
    const frameHeight = this.frameHeight || clientHeight;
    const width = Math.min(clientWidth, clientHeight * this.aspect);
    const ratio = width / (this.width || width);
    // The middle stays, also where a flight begins and ends.
    for (const position of [this.wanted, ...(this.flight ? [this.flight.start, this.flight.target] : [])]) {
      position.x = clientWidth / 2 - (frameWidth / 2 - position.x) * ratio;
      position.y = clientHeight / 2 - (frameHeight / 2 - position.y) * ratio;
    }
    this.frameWidth = clientWidth;
    this.frameHeight = clientHeight;
    this.width = width;
    this.stage.style.width = `${this.width}px`;
    this.stage.style.height = `${this.width / this.aspect}px`;
    this.place(this.wanted);
  }

  /** Pixels of the screen for a unit of the drawing. */
  get pixels() {
    return (this.width / this.units) * this.scale;
  }

  /** Largest scale, at which a unit has `maxPixels`. The width is unknown until the frame is in the page. */
  get maxScale() {
    return Math.max(1, this.maxPixels / (this.width / this.units));
  }

  /** @param {WheelEvent} event */
  wheel(event) {
    event.preventDefault();
    const { left, top } = this.frame.getBoundingClientRect();
    this.zoom(
      Math.exp(-event.deltaY * (event.deltaMode === 1 ? 0.05 : 0.002)),
      event.clientX - left,
      event.clientY - top,
    );
  }

  /** Zooms around a point of the frame, by default its middle. */
  zoom(factor, x = this.frameWidth / 2, y = this.frameHeight / 2) {
    const scale = Math.min(this.maxScale, Math.max(1, this.scale * factor));
    const ratio = scale / this.scale;
    this.moveTo({ scale, x: x - (x - this.x) * ratio, y: y - (y - this.y) * ratio });
  }

  zoomIn() {
    this.zoom(STEP);
  }
  zoomOut() {
    this.zoom(1 / STEP);
  }
  showWhole() {
    this.fly({ x: 0, y: 0, scale: 1 });
  }

  /**
   * Flies to a rectangle of the drawing.
   * @param {Rectangle} bounds
   * @param {ViewBox} viewBox
   */
  showBounds({ x, y, width, height }, [left, top]) {
    // The frame may just have got another size.
    this.resize();
    const unit = this.width / this.units;
    // The small map lies over the left side of a wide window.
    const inset = this.frameWidth > WIDE_PIXELS ? INSET_PIXELS : 0;
    const free = this.frameWidth - inset;
    const scale = Math.min(
      this.maxScale,
      Math.max(1, 0.95 * Math.min(free / (width * unit), this.frameHeight / (height * unit))),
    );
    const middle = (start, length) => (start + length / 2) * unit * scale;
    this.fly({
      scale,
      x: inset + free / 2 - middle(x - left, width),
      y: this.frameHeight / 2 - middle(y - top, height),
    });
  }

  /**
   * Moves as little as shows a point of the drawing with some space around it. A flight decides itself what it shows.
   * @param {Point} point
   * @param {number} space
   * @param {ViewBox} viewBox
   */
  reveal([x, y], space, [left, top]) {
    if (this.flight) return;
    const moved = (/** @type {number} */ offset, /** @type {number} */ length, /** @type {number} */ frame) => {
      const margin = Math.min(space * this.pixels, frame / 3);
      const place = offset + length * this.pixels;
      return offset + Math.max(0, margin - place) - Math.max(0, place + margin - frame);
    };
    const target = { x: moved(this.x, x - left, this.frameWidth), y: moved(this.y, y - top, this.frameHeight) };
    if (target.x !== this.x || target.y !== this.y) this.moveTo({ ...target, scale: this.scale });
  }

  /** @param {Position} target */
  fly(target) {
    const start = { x: this.x, y: this.y, scale: this.scale };
    const begin = performance.now();
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    const flight = (this.flight = { start, target });
    const step = now => {
      if (this.flight !== flight) return;
      const time = isStill ? 1 : Math.min(1, Math.max(0, now - begin) / FLIGHT_MILLISECONDS);
      const part = 1 - (1 - time) ** 3;
      const between = (/** @type {keyof Position} */ name) => start[name] + (target[name] - start[name]) * part;
      this.place({ x: between("x"), y: between("y"), scale: between("scale") });
      if (time < 1) requestAnimationFrame(step);
      else this.flight = undefined;
    };
    requestAnimationFrame(step);
  }

  /** @param {Position} target */
  moveTo(target) {
    this.flight = undefined;
    this.place(target);
  }

  /** @param {Position} position */
  place({ x, y, scale }) {
    this.wanted = { x, y, scale };
    this.scale = scale;
    // The drawing stays in the middle while it is smaller than the frame. Otherwise its edges come a third into it.
    const keep = (offset, size, frame) =>
      size <= frame ? (frame - size) / 2 : Math.min(frame / 3, Math.max((frame * 2) / 3 - size, offset));
    this.x = keep(x, this.width * scale, this.frameWidth);
    this.y = keep(y, (this.width / this.aspect) * scale, this.frameHeight);
    this.stage.style.transform = `translate(${this.x}px, ${this.y}px) scale(${scale})`;
    this.stage.style.willChange = "transform";
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.stage.style.willChange = "";
      this.onSettle();
    }, SETTLED_MILLISECONDS);
  }

  /** @param {PointerEvent} event */
  press(event) {
    this.pointers.set(event.pointerId, [event.clientX, event.clientY]);
    if (this.pointers.size === 1) this.hasMoved = false;
  }

  /** @param {PointerEvent} event */
  drag(event) {
    const pressed = this.pointers.get(event.pointerId);
    if (!pressed) return;
    const before = this.grip();
    /** @type {Point} */
    const moved = [event.clientX, event.clientY];
    // A finger that taps moves a little.
    if (!this.hasMoved && this.pointers.size === 1 && Math.hypot(moved[0] - pressed[0], moved[1] - pressed[1]) < 6)
      return;
    if (!this.hasMoved) this.frame.setPointerCapture(event.pointerId);
    this.hasMoved = true;
    this.pointers.set(event.pointerId, moved);
    const after = this.grip();
    this.moveTo({ x: this.x + after.x - before.x, y: this.y + after.y - before.y, scale: this.scale });
    if (before.spread > 0) this.zoom(after.spread / before.spread, after.x, after.y);
  }

  /** Returns the middle of the pressed pointers in the frame, and their distance. */
  grip() {
    const { left, top } = this.frame.getBoundingClientRect();
    const points = [...this.pointers.values()];
    const first = points[0];
    const last = points[points.length - 1];
    return {
      x: (first[0] + last[0]) / 2 - left,
      y: (first[1] + last[1]) / 2 - top,
      spread: Math.hypot(first[0] - last[0], first[1] - last[1]),
    };
  }

  /** @param {PointerEvent} event */
  lift(event) {
    this.pointers.delete(event.pointerId);
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (event.target !== this.frame) return;
    const direction = KEYS[event.key];
    if (direction)
      this.moveTo({ x: this.x + direction[0] * KEY_PIXELS, y: this.y + direction[1] * KEY_PIXELS, scale: this.scale });
    else if (event.key === "+" || event.key === "=") this.zoomIn();
    else if (event.key === "-") this.zoomOut();
    else if (event.key === "0") this.showWhole();
    else return;
    event.preventDefault();
  }
}
