// Seats of a show as its manager sees and changes them: who has them, and the manager's choice.

import { seatName } from "../format.js";
import { pathOfShow } from "../service/client.js";
import { createSender, readPages, sendAsManager } from "../service/manager.js";
import { decodeBits, readAvailability } from "../service/shows.js";

// At most so many seats can be blocked, and sold, in one request.
export const MAX_CHOSEN = 500;
export const MAX_SOLD = 100;
const POLL_MILLISECONDS = 5_000;

/**
 * Sends `change` when numbers, seats or the choice have changed, `sales` after a sale here, and `poll` when it is time to
 * read again.
 */
export class ShowDesk extends EventTarget {
  /**
   * Numbers that were read last.
   * @type {SalesSummary}
   */
  summary;
  /**
   * Seats that were read last; the service does not tell those of a draft.
   * @type {Availability | undefined}
   */
  availability;
  /**
   * Blocked seats by their labels, as they were read last.
   * @type {Schemas["Block"][]}
   */
  blocks = [];
  /**
   * Tells which seats of an area are blocked, by the ids of the areas.
   * @type {Map<string, ((index: number) => boolean)[]>}
   */
  blocked = new Map();
  /** All of them as text, to notice changes. */
  loaded = "";
  /**
   * Chosen seats by their ids.
   * @type {Map<string, Omit<HeldSeat, "areaId"> & { isBlocked: boolean }>}
   */
  chosen = new Map();
  /**
   * Ids of sold seats, as far as the numbers do not tell them.
   * @type {Set<string>}
   */
  sold = new Set();

  /**
   * @param {Hall} hall
   * @param {Show} show
   */
  constructor(hall, show) {
    super();
    this.hall = hall;
    this.event = hall.event;
    this.show = show;
    this.path = pathOfShow(hall.event.id, show.id);
    this.postSale = createSender(`${this.path}/sales`);
  }

  /** Sum of the prices, which have at most two decimals. */
  get amount() {
    return Math.round([...this.chosen.values()].reduce((sum, { price }) => sum + price, 0) * 100) / 100;
  }

  /**
   * @param {string} method
   * @param {string} path
   * @param {object} [fields]
   */
  send(method, path, fields) {
    return sendAsManager(method, this.path + path, { fields });
  }

  /** Reads the numbers and the seats. The service tells nobody which seats of a draft are held or sold. */
  async load() {
    const [{ data: summary }, { data: blocks }, availability] = await Promise.all([
      this.send("GET", "/summary"),
      this.send("GET", "/blocks"),
      this.event.status === "DRAFT" ? undefined : readAvailability(this.event.id, this.show.id),
    ]);
    const loaded = JSON.stringify([summary, blocks, availability]);
    if (loaded === this.loaded) return;
    this.sold = await this.readSold(summary);
    this.loaded = loaded;
    this.summary = summary;
    this.blocks = blocks.blocks;
    const areas = Map.groupBy(
      blocks.blocks.flatMap(block => block.areas),
      ({ id }) => id,
    );
    this.blocked = new Map([...areas].map(([id, areas]) => [id, areas.map(({ blocked }) => decodeBits(blocked))]));
    this.availability = availability;
    this.dispatchEvent(new Event("change"));
  }

  /**
   * Returns the ids of sold seats, unless the numbers of each area tell it: a stadium has thousands of sales.
   * @param {SalesSummary} summary
   */
  async readSold({ areas }) {
    const isMixed = areas.some(
      ({ sold, held, seats }) => sold > 0 && (this.event.status === "DRAFT" ? sold < seats : held > 0),
    );
    /** @type {Set<string>} */
    const sold = new Set();
    if (!isMixed) return sold;
    for await (const { seats } of readPages(`${this.path}/sales?limit=500`)) seats.forEach(({ id }) => sold.add(id));
    return sold;
  }

  async poll() {
    for (;;) {
      await new Promise(resolve => {
        setTimeout(resolve, POLL_MILLISECONDS);
      });
      if (document.hidden) continue;
      await this.load().catch(() => {});
      this.dispatchEvent(new Event("poll"));
    }
  }

  /**
   * Returns the state of a seat.
   * @type {StateOf}
   */
  stateOf(area, index, id) {
    if (this.chosen.has(id)) return "chosen";
    const { id: areaId, held, sold, seats } = this.summary.areas[area];
    if (this.blocked.get(areaId)?.some(isBlocked => isBlocked(index))) return "blocked";
    if (this.sold.has(id)) return "sold";
    if (!this.availability) return sold === seats && seats > 0 ? "sold" : "free";
    if (!this.availability.areas[area].isTaken(index)) return "free";
    return held === 0 ? "sold" : "held";
  }

  /**
   * Chooses a seat, or takes it back. Returns the reason if that is not possible.
   * @param {number} area
   * @param {number} index
   * @param {Seat} seat
   */
  toggle(area, index, seat) {
    const state = this.stateOf(area, index, seat.id);
    if (state === "sold") return "판매된 좌석이에요. 판매 내역에서 주문을 취소할 수 있어요.";
    if (state === "held") return "회원이 선점한 좌석이에요.";
    if (state === "chosen") this.chosen.delete(seat.id);
    else if (this.chosen.size === MAX_CHOSEN) return `한 번에 ${MAX_CHOSEN}석까지 고를 수 있어요.`;
    else this.chooseSeat(area, seat, state);
    this.dispatchEvent(new Event("change"));
    return undefined;
  }

  /**
   * @param {number} area
   * @param {Seat} seat
   * @param {SeatState} state
   */
  chooseSeat(area, { id, row, number, kind }, state) {
    const { label: areaLabel, price } = this.hall.areas[area];
    this.chosen.set(id, { id, areaLabel, price, row, number, kind, isBlocked: state === "blocked" });
  }

  /** Chooses the seats of an area that are neither sold nor held, as many as can be chosen. */
  async chooseArea(area) {
    for (const [index, seat] of (await this.hall.seatsOf(area)).entries()) {
      const state = this.stateOf(area, index, seat.id);
      if (this.chosen.size < MAX_CHOSEN && ["free", "blocked"].includes(state)) this.chooseSeat(area, seat, state);
    }
    this.dispatchEvent(new Event("change"));
  }

  clearChosen() {
    this.chosen.clear();
    this.dispatchEvent(new Event("change"));
  }

  /** Blocks the chosen seats; an empty label leaves theirs. */
  blockChosen = label =>
    this.changeChosen(async seatIds => (await this.send("POST", "/blocks", { seatIds, label })).data.blocked);

  freeChosen = () =>
    this.changeChosen(async seatIds => (await this.send("POST", "/blocks/removal", { seatIds })).data.free);

  /** Frees all seats with a label, and returns their number. */
  async freeLabel(label) {
    const { data } = await this.send("POST", "/blocks/removal", { label });
    await this.load();
    return data.free;
  }

  async sellChosen(orderId, amount) {
    await this.changeChosen(seatIds => this.postSale({ orderId, seatIds, amount }));
    this.dispatchEvent(new Event("sales"));
  }

  /** @param {Sale} sale */
  async cancelSale({ id, orderId }) {
    await this.send("POST", `/holds/${id}/cancellation`, { orderId });
    await this.load();
  }

  /**
   * Changes the chosen seats, all or none. Seats that others have leave the choice; the error names them.
   * @param {(seatIds: string[]) => Promise<any>} request
   */
  async changeChosen(request) {
    try {
      const result = await request([...this.chosen.keys()]);
      this.chosen.clear();
      return result;
    } catch (error) {
      if (error.code !== "H_001") throw error;
      const ids = error.errors.map(({ value }) => value);
      const lost = [...this.chosen.values()].filter(({ id }) => ids.includes(id));
      for (const { id } of lost) this.chosen.delete(id);
      throw Object.assign(error, {
        message: `선점되거나 판매된 좌석이 있어서 선택에서 뺐어요.\n${lost.map(seatName).join("\n")}`,
        errors: [],
      });
    } finally {
      this.loaded = "";
      await this.load().catch(() => {});
    }
  }
}
