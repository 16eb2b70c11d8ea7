// A visitor's choice of seats in a show, the last availability, and the hold.

import { Holds, secondsLeft } from "../service/holds.js";
import { sessionEvents } from "../service/session.js";
import { readAvailability, saleOf } from "../service/shows.js";

export const MAX_CHOSEN = 4;
const POLL_MILLISECONDS = 2_000;
const NOT_OPEN = {
  ended: "예매가 끝난 공연이에요.", upcoming: "아직 예매를 시작하지 않았어요.",
  postponed: "연기된 회차라서 예매할 수 없어요.", cancelled: "취소된 회차라서 예매할 수 없어요.",
};

/**
 * Booking of one show. It sends `change` whenever there is something new to show, `lost` with the seats that others
 * took from the choice, and `failure` with an error of the polling, or without one after it has ended.
 */
export class Booking extends EventTarget {
  constructor(hall, showId) {
    super();
    const { event } = hall;
    Object.assign(this, { hall, event, showId, show: event.eventDatetimes.find(({ id }) => id === showId) });
    this.holds = new Holds(event.id, showId);
    this.chosen = new Map();
    this.lost = new Set();
    this.hold = undefined;
    this.holds.onChangeElsewhere(() => this.readHold());
    sessionEvents.addEventListener("change", () => this.readHold());
  }

  /** Returns the state of sale of the show; seats can be held while it is `open`. */
  get sale() {
    return saleOf(this.event, [this.show]);
  }

  get amount() {
    return [...this.chosen.values()].reduce((sum, { price }) => sum + price, 0);
  }

  /** Returns the state of a seat: free, chosen, mine or taken. */
  stateOf(area, index, id) {
    if (this.hold && this.hold.status !== "EXPIRED" && this.hold.seats.some(seat => seat.id === id)) return "mine";
    if (this.chosen.has(id)) return "chosen";
    return this.availability.areas[area].isTaken(index) || this.lost.has(id) ? "taken" : "free";
  }

  /** Chooses a seat, or takes it back. Returns the reason if that is not possible. */
  toggle(area, index, { id, row, number }) {
    const state = this.stateOf(area, index, id);
    if (this.sale !== "open") return NOT_OPEN[this.sale];
    if (this.hold) return this.hold.status === "HELD" ? "다른 좌석을 고르려면 먼저 선점을 취소해 주세요." : "‘다른 좌석 예매하기’를 먼저 눌러 주세요.";
    if (state === "taken") return "다른 분이 먼저 선택한 좌석이에요.";
    if (state === "chosen") this.chosen.delete(id);
    else if (this.chosen.size === MAX_CHOSEN) return `한 번에 ${MAX_CHOSEN}석까지 고를 수 있어요.`;
    else {
      const { label: areaLabel, price } = this.hall.areas[area];
      this.chosen.set(id, { id, area, index, areaLabel, price, row, number });
    }
    this.changed();
    return undefined;
  }

  remove(id) {
    this.chosen.delete(id);
    this.changed();
  }

  /** Reads what is free. Seats that others took leave the choice, unless an attempt without a response may have them. */
  async load() {
    const availability = await readAvailability(this.event.id, this.showId);
    const before = JSON.stringify(this.availability);
    this.availability = availability;
    const lost = this.holds.attempt ? [] : [...this.chosen.values()].filter(({ area, index }) => availability.areas[area].isTaken(index));
    for (const { id } of lost) this.chosen.delete(id);
    if (before !== JSON.stringify(availability)) this.changed();
    if (lost.length > 0) this.dispatchEvent(new CustomEvent("lost", { detail: lost }));
  }

  /** Reads the availability every two seconds while somebody looks at the page. */
  async poll() {
    for (;;) {
      await new Promise(resolve => { setTimeout(resolve, POLL_MILLISECONDS); });
      if (document.hidden) continue;
      let failure;
      try {
        await this.load();
        if (this.hold?.status === "HELD" && secondsLeft(this.hold) === 0) await this.readHold();
      } catch (error) {
        failure = error;
      }
      this.dispatchEvent(new CustomEvent("failure", { detail: failure }));
    }
  }

  async readHold() {
    this.setHold(await this.holds.read().catch(() => this.hold));
  }

  setHold(hold) {
    this.hold = hold;
    this.changed();
  }

  /** Holds the chosen seats. Seats that others took leave the choice; the error tells which. */
  async holdChosen() {
    try {
      const hold = await this.holds.create([...this.chosen.keys()]);
      this.chosen.clear();
      this.setHold(hold);
    } catch (error) {
      if (error.code === "H_001") this.drop(error.errors.map(({ value }) => value));
      throw error;
    } finally {
      await this.load().catch(() => {});
    }
  }

  drop(ids) {
    const lost = ids.map(id => this.chosen.get(id)).filter(Boolean);
    for (const { id } of lost) {
      this.chosen.delete(id);
      this.lost.add(id);
    }
    this.changed();
    this.dispatchEvent(new CustomEvent("lost", { detail: lost }));
  }

  async release() {
    await this.holds.release(this.hold);
    this.setHold(undefined);
    await this.load();
  }

  /** Forgets a hold that is over or bought, to choose other seats. */
  chooseAgain() {
    this.holds.forget();
    this.setHold(undefined);
  }

  changed() {
    this.dispatchEvent(new Event("change"));
  }
}
