// Scans of a gate. The service decides them; without it the signature does, and what was admitted on this device. Such
// scans wait in `localStorage`, which all tabs share, and are sent later.

import { createKey, pathOfEvent, pathOfShow, send } from "../service/client.js";
import { PREFIX as CACHE } from "./offline.js";
import { isSigned, readCode } from "./ticket-code.js";

const PREFIX = "gate-";
const KEY = /^gate-[0-9a-f-]{36}$/;
const MAX_BATCH = 50;
// People wait for a scan; what is sent later has more time.
const SCAN_MILLISECONDS = 5_000;
const MILLISECONDS = 20_000;

/** Tells if the service did not decide a request; it may have received it. @param {ServiceError} error */
const isLost = ({ status }) => !status || status === 429 || status >= 500;

/** Sends `change` when the numbers, the connection or the lists have changed. */
export class Scans extends EventTarget {
  /** Seats by their ids, to name them without the service. @type {Map<string, Schemas["ScannedSeat"]> | undefined} */
  seats;
  isOffline = false;
  /** @type {Promise<Set<string>> | undefined} */
  sending;

  /** @param {OpenGate} open */
  constructor(open) {
    super();
    this.open = open;
    this.path = pathOfShow(open.eventId, open.showId);
    this.key = `${PREFIX}${open.showId}`;
    this.cacheOfSeats = `${CACHE}${open.eventId}`;
    this.keep(() => {});
  }

  /** Returns the scans of other shows on this device. @returns {Scans[]} */
  others() {
    const keys = Object.keys(localStorage).filter(key => KEY.test(key) && key !== this.key);
    return keys.map(key => new Scans(JSON.parse(localStorage[key]).open));
  }

  /** @returns {KeptScans} */
  get kept() {
    const empty = { keys: [], waiting: [], rejected: [], decided: {}, undecided: {} };
    return { ...empty, ...JSON.parse(localStorage.getItem(this.key) ?? "{}"), open: this.open };
  }

  /**
   * Changes what is kept. Returns false, and changes nothing, if the device has no room for it.
   * @param {(kept: KeptScans) => void} edit
   */
  keep(edit) {
    const { kept } = this;
    edit(kept);
    try {
      localStorage.setItem(this.key, JSON.stringify(kept));
    } catch {
      return false;
    }
    this.dispatchEvent(new Event("change"));
    return true;
  }

  /** @param {(kept: KeptScans) => void} edit */
  keepOrThrow(edit) {
    if (!this.keep(edit)) throw new Error("이 기기에 저장할 공간이 없어요.");
  }

  /** Reads the gate, and what is needed without a connection. Then sends what waits. */
  async load() {
    if (!this.seats) await this.readKeptSeats().catch(() => {});
    try {
      await this.readGate();
      if (this.kept.waiting.length > 0) {
        await this.sendWaiting();
        await this.readGate();
      }
      await this.prepare().catch(() => {});
    } catch (error) {
      this.fail(error);
    }
  }

  async readGate() {
    const { data: gate } = await this.request("GET", `/gates/${this.open.token.split(".")[0]}`);
    this.isOffline = false;
    this.keep(kept => Object.assign(kept, { gate, failure: undefined }));
  }

  /** Reads the keys, and once the names of the seats. Nobody can read those of a draft. */
  async prepare() {
    const { keys } = await (await fetch("/.well-known/jwks.json")).json();
    this.keep(kept => (kept.keys = keys.filter(({ kid }) => kid.startsWith("ticket-"))));
    if (this.seats) return;
    const detail = await send("GET", `${pathOfEvent(this.open.eventId)}/detail`).catch(error => {
      if (error.status !== 404) throw error;
    });
    this.seats = new Map();
    for (const { label, seats } of detail?.data.areas ?? [])
      for (const seat of seats) this.seats.set(seat.id, { ...seat, areaLabel: label });
    if (detail) await this.keepSeats();
  }

  /** Keeps the names of the seats, which never change. Browsers have caches only on HTTPS and localhost. */
  async keepSeats() {
    const cache = await globalThis.caches?.open(this.cacheOfSeats);
    await cache?.put(pathOfEvent(this.open.eventId), new Response(JSON.stringify([...(this.seats ?? [])])));
  }

  async readKeptSeats() {
    const options = { cacheName: this.cacheOfSeats };
    const kept = await globalThis.caches?.match(pathOfEvent(this.open.eventId), options);
    if (kept) this.seats = new Map(await kept.json());
  }

  /**
   * Decides a scan.
   * @param {string} text
   * @returns {Promise<Verdict>}
   */
  async scan(text) {
    const ticket = readCode(text);
    const waiting = this.kept.waiting.find(({ id }) => id === ticket?.id);
    if (ticket && waiting) return this.createRepetition(ticket, waiting.scannedAt);
    const undecided = ticket && this.kept.undecided[ticket.id];
    const scan = { code: text, scanId: undecided ?? createKey() };
    let isTried = Boolean(undecided);
    if (!this.isOffline) {
      try {
        if (ticket) this.keep(kept => (kept.undecided[ticket.id] = scan.scanId));
        const [result] = (await this.request("POST", "/admissions", { scans: [scan] }, SCAN_MILLISECONDS)).data;
        if (ticket) this.remember(ticket, result, Boolean(undecided));
        return result;
      } catch (error) {
        this.fail(error);
        isTried = true;
      }
    }
    return this.decide(scan, ticket, isTried);
  }

  /**
   * Decides a scan without the service. What this device cannot know, such as a cancelled order, turns out later.
   * @returns {Promise<Verdict>}
   */
  async decide(scan, ticket, isTried) {
    const { keys, gate, failure, decided } = this.kept;
    if (failure) return { result: "UNKNOWN", reason: failure };
    if (keys.length === 0 || !crypto.subtle) return { result: "UNKNOWN" };
    if (!ticket || !(await isSigned(ticket, keys))) return { result: "INVALID" };
    if (ticket.eventId !== this.open.eventId) return { result: "WRONG_SHOW" };
    if (ticket.showId !== this.open.showId) return { result: "WRONG_SHOW", reason: "다른 회차의 표예요." };
    const seat = this.seats?.get(ticket.seatId);
    if (gate?.status) return { result: "SHOW_OFF", seat };
    const known = decided[ticket.id] ?? decided[ticket.holdId];
    if (known) return { ...known, seat };
    const scannedAt = new Date().toISOString();
    const isKept = this.keep(kept => {
      kept.waiting.push({ ...scan, scannedAt, id: ticket.id, seat, isTried });
      admit(kept, ticket, seat, scannedAt);
    });
    if (!isKept) return { result: "UNKNOWN", reason: "이 기기에 저장할 공간이 없어요. 다른 기기로 확인해 주세요." };
    return { result: "ADMITTED", seat, isOffline: true };
  }

  /** @returns {Verdict} */
  createRepetition({ seatId }, admittedAt) {
    return { result: "ALREADY_ADMITTED", seat: this.seats?.get(seatId), admittedAt, gate: this.kept.gate?.name };
  }

  /**
   * Keeps the result of the service for a ticket that it does not admit any more; orders are cancelled with all seats.
   * @param {{ id: string, holdId: string, seatId: string }} ticket
   * @param {Verdict} verdict
   * @param {boolean} isRepetition
   */
  remember(ticket, { result, seat, admittedAt, gate }, isRepetition) {
    const isKept = this.keep(kept => {
      // Any other result does not say if the first scan was admitted.
      if (!isRepetition || ["ADMITTED", "ALREADY_ADMITTED", "NOT_SOLD"].includes(result))
        delete kept.undecided[ticket.id];
      if (result === "NOT_SOLD") kept.decided[ticket.holdId] = { result };
      else if (result === "ALREADY_ADMITTED") kept.decided[ticket.id] = { result, admittedAt, gate };
      else if (result === "ADMITTED" && admittedAt) {
        admit(kept, ticket, seat, admittedAt);
        if (kept.gate) kept.gate.admitted++;
      }
    });
    if (isKept || result !== "ADMITTED") return;
    // Without room for it, nothing is the last admission.
    this.keep(kept => {
      delete kept.undecided[ticket.id];
      delete kept.last;
    });
  }

  /**
   * Takes the admission back that is the last one now, and returns its seat. One that cannot have reached the service is
   * only forgotten. One that the service rejected is not taken back, since somebody else may have been admitted for the
   * seat.
   */
  async takeBack() {
    const { last } = this.kept;
    if (!last) throw new Error("되돌릴 입장이 없어요.");
    const { id, seatId, seat } = last;
    const findWaiting = () => this.kept.waiting.find(scan => scan.id === id);
    let rejected = await this.sending;
    if (findWaiting()?.isTried) rejected = await this.sendWaiting();
    if (rejected?.has(id)) throw new Error("되돌릴 수 없는 입장이에요. 확인이 필요한 표 목록을 봐 주세요.");
    const isSent = !findWaiting();
    if (isSent) await this.request("POST", "/admissions/removal", { seatId });
    this.keep(kept => {
      if (kept.last?.id === id) delete kept.last;
      if (isSent && kept.gate) kept.gate.admitted--;
      kept.waiting = kept.waiting.filter(scan => scan.id !== id);
      delete kept.decided[id];
    });
    return seat;
  }

  /** Sends what waits, one batch after another, and returns the ids of the tickets that the service rejected. */
  sendWaiting() {
    this.sending ??= this.sendBatches().finally(() => {
      this.sending = undefined;
    });
    return this.sending;
  }

  async sendBatches() {
    const rejected = new Set();
    for (let batch; (batch = this.kept.waiting.slice(0, MAX_BATCH)).length > 0;) {
      const sent = new Set(batch.map(({ scanId }) => scanId));
      this.keepOrThrow(({ waiting }) =>
        waiting.filter(({ scanId }) => sent.has(scanId)).forEach(scan => (scan.isTried = true)),
      );
      const scans = batch.map(({ code, scanId, scannedAt }) => ({ code, scanId, scannedAt }));
      /** @type {{ data: Verdict[] }} */
      const { data } = await this.request("POST", "/admissions", { scans });
      this.keepOrThrow(kept => {
        kept.waiting = kept.waiting.filter(({ scanId }) => !sent.has(scanId));
        for (const [index, result] of data.entries()) {
          if (result.result === "ADMITTED") continue;
          rejected.add(batch[index].id);
          kept.rejected.push({ ...result, seat: result.seat ?? batch[index].seat });
          if (kept.last?.id === batch[index].id) delete kept.last;
        }
      });
    }
    return rejected;
  }

  /** @param {ServiceError} error */
  fail(error) {
    this.isOffline = isLost(error);
    this.dispatchEvent(new Event("change"));
    if (this.isOffline) return;
    if (error.status === 401) this.keep(kept => (kept.failure = error.message));
    throw error;
  }

  request(method, path, fields, milliseconds = MILLISECONDS) {
    const headers = { Authorization: `Bearer ${this.open.token}` };
    return send(method, this.path + path, { fields, headers, signal: AbortSignal.timeout(milliseconds) });
  }
}

/**
 * Adds an admission at this gate to what is kept.
 * @param {KeptScans} kept
 */
function admit(kept, { id, seatId }, seat, admittedAt) {
  delete kept.undecided[id];
  kept.last = { id, seatId, seat };
  kept.decided[id] = { result: "ALREADY_ADMITTED", admittedAt, gate: kept.gate?.name };
}
