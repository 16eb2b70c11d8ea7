// A visitor's choice of seats in a show, the last availability, and the hold.

import { KINDS } from "../hall/kinds.js";
import { Holds, isLive, onChangeElsewhere, secondsLeft, tellTabs } from "../service/holds.js";
import { sessionEvents } from "../service/session.js";
import { readAvailability, saleOf } from "../service/shows.js";

/** Seats of a show that the deployment allows a member. */
const MAX_SEATS = Number(document.querySelector("meta[name=max-seats]")?.getAttribute("content") ?? 4);
const MAX_AREAS = 50;
const POLL_MILLISECONDS = 2_000;
/** Time for which a cache may keep the availability, as its `Cache-Control` says. */
const CACHE_MILLISECONDS = 1_000;
const NOT_OPEN = {
  ended: "예매가 끝난 공연이에요.",
  closed: "예매가 마감된 회차예요.",
  upcoming: "아직 예매를 시작하지 않았어요.",
  postponed: "연기된 회차라서 예매할 수 없어요.",
  cancelled: "취소된 회차라서 예매할 수 없어요.",
};

/**
 * Booking of one show. It sends `change` whenever there is something new to show, `answer` when the visitor chooses
 * otherwise or tries again, `held` with a hold whose seats the service chose, `lost` with the seats that others took from
 * the choice, and `failure` with an error of the polling, or without one after it has ended.
 */
export class Booking extends EventTarget {
  /**
   * @param {Hall} hall
   * @param {Show} show
   */
  constructor(hall, show) {
    super();
    this.hall = hall;
    this.event = hall.event;
    this.show = show;
    this.holds = new Holds(hall.event.id, show.id);
    /** @type {Availability} */
    this.availability = { areas: [], free: 0, seats: 0 };
    /** Chosen seats by their ids. @type {Map<string, ChosenSeat>} */
    this.chosen = new Map();
    /** Ids of seats that others took from the choice; the availability may not have them yet. @type {Set<string>} */
    this.lost = new Set();
    this.lostAt = 0;
    /** Live holds of the member. @type {Hold[]} */
    this.own = [];
    /** Hold that is shown. @type {Hold | undefined} */
    this.hold = undefined;
    /** Ids of the seats of all own holds. @type {Set<string>} */
    this.mine = new Set();
    this.changes = 0;
    onChangeElsewhere(() => this.readHolds());
    sessionEvents.addEventListener("change", () => this.readHolds());
  }

  /** Returns the state of sale of the show; seats can be held while it is `open`. */
  get sale() {
    return saleOf(this.event, [this.show]);
  }

  /** Returns the number of seats of the show that the member has bought. */
  get bought() {
    return this.own.reduce((sum, { status, seats }) => sum + (status === "CONFIRMED" ? seats.length : 0), 0);
  }

  /** Returns how many seats of the show a member may have. */
  get maxSeats() {
    return Math.min(MAX_SEATS, this.event.maxSeats ?? MAX_SEATS);
  }

  /** Returns how many seats the member can choose. */
  get limit() {
    return Math.max(0, this.maxSeats - this.bought);
  }

  get amount() {
    return [...this.chosen.values()].reduce((sum, { price }) => sum + price, 0);
  }

  /** Returns why the chosen seats cannot be held, or nothing if they can. */
  get obstacle() {
    const seats = [...this.chosen.values()];
    const hasWheelchair = area => seats.some(seat => seat.kind === "WHEELCHAIR" && seat.area === area);
    const isAlone = seats.some(({ kind, area }) => kind === "COMPANION" && !hasWheelchair(area));
    return isAlone ? "동반석은 같은 구역의 휠체어석과 함께 선택해 주세요." : "";
  }

  /**
   * Returns the number of free seats of an area that the service can choose. Seats of kinds are for those who ask.
   * @param {number} area
   * @param {SeatKind[]} [kinds]
   */
  freeFor(area, kinds = []) {
    const free = kind => this.hall.freeOf(area, kind, this.availability).length;
    if (kinds.includes("WHEELCHAIR")) return free("WHEELCHAIR") && free("WHEELCHAIR") + free("COMPANION");
    const others = KINDS.filter(kind => !kinds.includes(kind)).reduce((sum, kind) => sum + free(kind), 0);
    return this.availability.areas[area].free - others;
  }

  /**
   * Returns the state of a seat.
   * @type {StateOf}
   */
  stateOf(area, index, id) {
    if (this.mine.has(id)) return "mine";
    if (this.chosen.has(id)) return "chosen";
    return this.availability.areas[area].isTaken(index) || this.lost.has(id) ? "taken" : "free";
  }

  /**
   * Chooses a seat, or takes it back. Returns the reason if that is not possible.
   * @param {number} area
   * @param {number} index
   * @param {Seat} seat
   */
  toggle(area, index, { id, row, number, kind }) {
    const state = this.stateOf(area, index, id);
    if (this.sale !== "open") return NOT_OPEN[this.sale];
    if (this.hold)
      return this.hold.status === "HELD"
        ? "다른 좌석을 고르려면 먼저 선점을 취소해 주세요."
        : "‘다른 좌석 예매하기’를 먼저 눌러 주세요.";
    if (state === "mine") return "이미 예매한 좌석이에요.";
    if (state === "taken") return "다른 분이 먼저 선택한 좌석이에요.";
    if (state === "chosen") this.chosen.delete(id);
    else if (this.chosen.size >= this.limit) return this.describeLimit();
    else {
      const { label: areaLabel, price } = this.hall.areas[area];
      this.chosen.set(id, { id, area, index, areaLabel, price, row, number, kind });
    }
    this.sendAnswer();
    this.sendChange();
    return undefined;
  }

  describeLimit() {
    if (this.bought === 0) return `한 번에 ${this.maxSeats}석까지 고를 수 있어요.`;
    return `한 회차에 ${this.maxSeats}석까지 예매할 수 있어요. 이미 ${this.bought}석을 예매했어요.`;
  }

  remove(id) {
    this.chosen.delete(id);
    this.sendAnswer();
    this.sendChange();
  }

  /** Reads what is free. Seats that others took leave the choice, unless a lost response may have been about them. */
  async loadAvailability() {
    const askedAt = performance.now();
    const availability = await readAvailability(this.event.id, this.show.id);
    const before = JSON.stringify([this.availability, ...this.lost]);
    this.availability = availability;
    if (askedAt - this.lostAt > CACHE_MILLISECONDS) this.lost.clear();
    const lost = this.holds.attempt
      ? []
      : [...this.chosen.values()].filter(({ area, index }) => availability.areas[area].isTaken(index));
    for (const { id } of lost) this.chosen.delete(id);
    if (before !== JSON.stringify([availability, ...this.lost])) this.sendChange();
    if (lost.length > 0) this.dispatchEvent(new CustomEvent("lost", { detail: lost }));
  }

  /** Reads the availability every two seconds while somebody looks at the page. */
  async poll() {
    for (;;) {
      await new Promise(resolve => {
        setTimeout(resolve, POLL_MILLISECONDS);
      });
      if (document.hidden) continue;
      let failure;
      try {
        await this.loadAvailability();
        if (this.hold?.status === "HELD" && secondsLeft(this.hold) === 0) await this.readHolds();
      } catch (error) {
        failure = error;
      }
      this.dispatchEvent(new CustomEvent("failure", { detail: failure }));
    }
  }

  /** Reads the member's holds again, and what has become of the one that is shown. */
  async readHolds() {
    const { changes, hold } = this;
    const found = await this.holds.read(hold).catch(() => undefined);
    // A change that was made meanwhile may be missing.
    if (changes !== this.changes) await this.readHolds();
    else if (found)
      this.setHolds(
        found.filter(isLive),
        found.find(({ id, status }) => id === hold?.id && (status === "HELD" || status === "EXPIRED")),
      );
  }

  /**
   * Takes the live holds of the show, and the hold to show: the given one, or one that is to be paid.
   * @param {Hold[]} own
   */
  setHolds(own, hold = own.find(({ status }) => status === "HELD")) {
    this.changes++;
    this.own = own;
    this.hold = hold;
    this.mine = new Set(own.flatMap(({ seats }) => seats.map(({ id }) => id)));
    this.sendChange();
  }

  /**
   * Takes a new state of a hold, and lets other tabs know.
   * @param {Hold} hold
   */
  replaceHold(hold) {
    const others = this.own.filter(({ id }) => id !== hold.id);
    if (isLive(hold)) this.setHolds([hold, ...others], hold);
    else this.setHolds(others);
    tellTabs();
  }

  /** Holds the chosen seats. Seats that others took leave the choice; the error tells which. */
  holdChosen() {
    return this.requestHold({ seatIds: [...this.chosen.keys()] });
  }

  /**
   * Holds the best free seats of the areas that `isWanted` accepts. Those with enough seats are tried first, then the
   * dearest ones, then those near the middle. Not all visitors ask for the same area first.
   * @param {Wish & { isWanted: (area: HallArea) => boolean }} wish
   */
  async holdBest({ isWanted, ...wish }) {
    const { count, adjacent, kinds } = wish;
    const [left, , width] = this.hall.viewBox;
    const distanceOf = (/** @type {Rectangle} */ { x, width: own }) =>
      (Math.abs(x + own / 2 - left - width / 2) + own) * (0.5 + Math.random());
    const areas = this.hall.areas.map((area, index) => ({
      ...area,
      distance: distanceOf(area.bounds),
      lacks: Number(this.freeFor(index, kinds) < count),
    }));
    const areaIds = areas
      .filter(isWanted)
      .sort((one, other) => one.lacks - other.lacks || other.price - one.price || one.distance - other.distance)
      .slice(0, MAX_AREAS)
      .map(({ id }) => id);
    const hold = await this.requestHold({ count, areaIds, adjacent, kinds }, wish);
    this.dispatchEvent(new CustomEvent("held", { detail: hold }));
  }

  /**
   * @param {Schemas["HoldRequest"]} fields
   * @param {object} [wish]
   */
  async requestHold(fields, wish) {
    this.sendAnswer();
    try {
      const hold = await this.holds.create(fields, wish);
      this.chosen.clear();
      this.replaceHold(hold);
      return hold;
    } catch (error) {
      if (error.code === "H_001") this.loseSeats(error.errors.map(({ value }) => value));
      if (error.code?.startsWith("H_")) await this.readHolds();
      throw error;
    } finally {
      await this.loadAvailability().catch(() => {});
    }
  }

  /** @param {string[]} ids */
  loseSeats(ids) {
    const lost = [...this.chosen.values()].filter(({ id }) => ids.includes(id));
    for (const { id } of lost) {
      this.chosen.delete(id);
      this.lost.add(id);
    }
    this.lostAt = performance.now();
    this.sendChange();
    this.dispatchEvent(new CustomEvent("lost", { detail: lost }));
  }

  /** @param {Hold} hold */
  async release(hold) {
    await this.holds.release(hold);
    this.replaceHold({ ...hold, status: "RELEASED" });
    await this.loadAvailability();
  }

  /** Leaves a hold that is over, to choose other seats. */
  chooseAgain() {
    this.sendAnswer();
    this.setHolds(this.own);
  }

  sendAnswer() {
    this.dispatchEvent(new Event("answer"));
  }

  sendChange() {
    this.dispatchEvent(new Event("change"));
  }
}
