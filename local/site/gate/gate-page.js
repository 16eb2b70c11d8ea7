// Page `/gate#token=…&event=…&show=…`: admits people at a gate. The token stays on this device, and leaves the address.

import { byId, create, createButton } from "../dom.js";
import { createNotice } from "../elements/states.js";
import { notify } from "../elements/toast.js";
import { createShowNotice, createStatus } from "../events/show-status.js";
import { dayAndClock, seatName } from "../format.js";
import { keepPage } from "./offline.js";
import { createScanner } from "./scanner.js";
import { Scans } from "./scans.js";
import { createVerdict, describe } from "./verdict.js";

const POLL_MILLISECONDS = 10_000;
const main = byId("main");

/**
 * Returns the gate of the address, or the one that this device opened last.
 * @returns {OpenGate | null}
 */
function readGate() {
  const fragment = new URLSearchParams(location.hash.slice(1));
  const [token, eventId, showId] = ["token", "event", "show"].map(name => fragment.get(name));
  if (token && eventId && showId) {
    history.replaceState(null, "", location.pathname);
    const open = { token, eventId, showId };
    try {
      localStorage.setItem("gate", JSON.stringify(open));
    } catch {
      notify("이 기기에 저장할 공간이 없어서 다시 열면 링크가 필요해요.");
    }
    return open;
  }
  return JSON.parse(localStorage.getItem("gate") ?? "null");
}

/**
 * Shows a gate.
 * @param {Scans} scans
 * @param {Scans[]} others those of other shows, whose rejected scans must be looked at, too
 */
function showGate(scans, others) {
  const heading = create("header", { className: "stack" });
  const count = create("p", { className: "count" });
  const connection = create("p", { className: "connection", role: "status" });
  const failure = create("p", { className: "error", role: "alert" });
  const last = create("div", { className: "row last" });
  const rejected = create("section", { className: "stack rejected" });
  const verdict = createVerdict();
  let shown = "";
  let queue = Promise.resolve();

  function update() {
    const { gate, waiting, rejected: own, last: admission, failure: reason = "" } = scans.kept;
    const foreign = others.flatMap(({ kept }) =>
      kept.rejected.map(result => ({ ...result, show: kept.gate?.datetime })),
    );
    const list = [...own, ...foreign];
    const text = [
      scans.isOffline ? "오프라인이에요. 표는 계속 확인할 수 있어요." : "",
      waiting.length > 0 ? `보낼 입장 ${waiting.length}건` : "",
    ];
    connection.textContent = text.filter(Boolean).join(" ");
    failure.textContent = reason;
    count.replaceChildren(
      ...(gate ? [create("strong", {}, number(gate.admitted + waiting.length)), ` / ${number(gate.sold)}명 입장`] : []),
    );
    const state = JSON.stringify([gate?.title, gate?.name, gate?.datetime, gate?.status, admission, list]);
    if (state === shown) return;
    shown = state;
    heading.replaceChildren(...createHeading(gate));
    last.replaceChildren(...createLast(admission));
    rejected.replaceChildren(...createRejected(list));
  }

  /** @param {KeptScans["last"]} admission */
  function createLast(admission) {
    if (!admission) return [];
    const name = admission.seat ? seatName(admission.seat) : "좌석";
    return [create("span", {}, `마지막 입장: ${name}`), createButton("되돌리기", takeBack, { className: "quiet" })];
  }

  async function takeBack() {
    try {
      const seat = await scans.takeBack();
      notify(`${seat ? `${seatName(seat)} ` : ""}입장을 되돌렸어요.`);
    } catch (error) {
      notify(error.message);
    }
  }

  /** @param {Verdict[]} list */
  function createRejected(list) {
    if (list.length === 0) return [];
    const listed = [scans, ...others].filter(({ kept }) => kept.rejected.length > 0);
    const clear = () => listed.forEach(of => of.keep(kept => kept.rejected.splice(0)));
    return [
      create("h2", {}, "오프라인에서 들여보냈지만 확인이 필요한 표"),
      create(
        "ul",
        {},
        list.map(result => create("li", {}, describe(result))),
      ),
      createButton("목록 비우기", clear, { className: "quiet" }),
    ];
  }

  /** Scans one text after another, so that the last result is that of the last text. */
  function scan(text) {
    queue = queue.then(async () => {
      const failed = error => /** @type {Verdict} */ ({ result: "UNKNOWN", reason: error.message });
      verdict.show(await scans.scan(text).catch(failed));
    });
    return queue;
  }

  const scanner = createScanner(scan, () => !verdict.element.hidden);
  main.replaceChildren(
    create("div", { className: "gate stack" }, [heading, count, connection, failure, scanner, last, rejected]),
    verdict.element,
  );
  scanner.querySelector("input")?.focus();
  for (const of of [scans, ...others]) of.addEventListener("change", update);
  update();
}

/** @param {Schemas["GateOfShow"] | undefined} gate */
function createHeading(gate) {
  if (!gate) return [create("h1", {}, "입장 확인")];
  const { name, title, place, datetime, status, notice } = gate;
  return [
    create("p", { className: "soft" }, name),
    create("h1", {}, title),
    create("p", { className: "soft" }, `${dayAndClock(datetime)} · ${place}`),
    createStatus(status, "공연 "),
    createShowNotice({ notice }),
  ].flatMap(element => element || []);
}

const number = value => value.toLocaleString("ko-KR");

const gate = readGate();
if (gate) {
  const scans = new Scans(gate);
  const others = scans.others();
  const load = () => {
    const sending = others.filter(({ kept }) => kept.waiting.length > 0);
    return Promise.allSettled([scans, ...sending].map(of => of.load()));
  };
  showGate(scans, others);
  load()
    .then(() => keepPage(scans.cacheOfSeats))
    .catch(() => {});
  for (const { key, kept } of others) {
    const isDone = [kept.waiting, kept.rejected, Object.keys(kept.undecided)].every(list => list.length === 0);
    if (isDone) localStorage.removeItem(key);
  }
  const timer = setInterval(() => !document.hidden && load(), POLL_MILLISECONDS);
  const listeners = new AbortController();
  // Two tabs would overwrite what the other keeps, so the newest goes on. Browsers have locks only on HTTPS and localhost.
  navigator.locks
    ?.request("gate", { steal: true }, () => new Promise(() => {}))
    .catch(() => {
      clearInterval(timer);
      listeners.abort();
      const reload = createButton("여기서 계속하기", () => location.reload());
      main.replaceChildren();
      main.append(createNotice("ticket", "다른 탭에서 입장을 확인하고 있어요", reload));
    });
  addEventListener("online", load, { signal: listeners.signal });
  document.addEventListener("visibilitychange", () => !document.hidden && load(), { signal: listeners.signal });
} else {
  const text = "관리자에게 받은 게이트 링크를 열어 주세요.";
  main.replaceChildren(createNotice("ticket", "게이트를 알 수 없어요", create("p", { className: "soft" }, text)));
}
// Another link for the page that is open changes only the fragment.
addEventListener("hashchange", () => location.reload());
