// Results of scans: a whole screen in green or red for two seconds, with a tone and vibration.

import { create } from "../dom.js";
import { clock, dayAndClock, seatName } from "../format.js";

const MILLISECONDS = 2_000;
/** @type {Record<Verdict["result"], string>} */
const WORDS = {
  ADMITTED: "입장",
  ALREADY_ADMITTED: "이미 입장",
  NOT_SOLD: "취소된 표",
  SHOW_OFF: "공연 취소·연기",
  WRONG_SHOW: "다른 회차",
  INVALID: "잘못된 코드",
  UNKNOWN: "확인 못 함",
};
/** @type {AudioContext | undefined} */
let audio;

/**
 * Returns the reason of a rejection.
 * @param {Verdict} verdict
 */
function reasonOf({ result, admittedAt, gate, datetime, isOffline, reason }) {
  if (reason) return reason;
  if (result === "ADMITTED") return isOffline ? "오프라인" : "";
  if (result === "ALREADY_ADMITTED") return [admittedAt && clock(admittedAt), gate].filter(Boolean).join(" · ");
  if (result === "WRONG_SHOW") return datetime ? `${dayAndClock(datetime)} 공연의 표예요.` : "다른 공연의 표예요.";
  if (result === "NOT_SOLD") return "예매가 취소됐어요.";
  if (result === "SHOW_OFF") return "지금은 입장할 수 없는 공연이에요.";
  return result === "INVALID" ? "이 서비스의 표가 아니에요." : "연결되면 다시 찍어 주세요.";
}

/**
 * Returns the seat of a result, its word and its reason as one line, and the time of the show if it is not that of the gate.
 * @param {Verdict & { show?: string }} verdict
 */
export const describe = verdict =>
  [
    verdict.show && dayAndClock(verdict.show),
    verdict.seat && seatName(verdict.seat),
    WORDS[verdict.result],
    reasonOf(verdict),
  ]
    .filter(Boolean)
    .join(" · ");

/** Creates the screen, which is hidden until it shows a result. */
export function createVerdict() {
  const element = create("div", { className: "verdict", role: "alert", hidden: true });
  let timer;
  const hide = () => {
    element.hidden = true;
  };
  element.addEventListener("click", hide);
  // The field keeps the focus.
  element.addEventListener("mousedown", event => event.preventDefault());
  /** @param {Verdict} verdict */
  function show(verdict) {
    const { result, seat } = verdict;
    const isAdmitted = result === "ADMITTED";
    element.hidden = false;
    element.dataset.admitted = String(isAdmitted);
    element.replaceChildren(
      create("strong", {}, WORDS[result]),
      create("p", {}, seat ? seatName(seat) : ""),
      create("p", {}, reasonOf(verdict)),
    );
    clearTimeout(timer);
    timer = setTimeout(hide, MILLISECONDS);
    signal(isAdmitted);
  }
  return { element, show };
}

/** Sounds and vibrates. Browsers allow it after a tap or a key. */
function signal(isAdmitted) {
  if (!navigator.userActivation?.hasBeenActive) return;
  navigator.vibrate?.(isAdmitted ? 100 : [200, 100, 200]);
  audio ??= new AudioContext();
  const tone = new OscillatorNode(audio, { frequency: isAdmitted ? 1_047 : 196, type: isAdmitted ? "sine" : "square" });
  tone.connect(new GainNode(audio, { gain: 0.3 })).connect(audio.destination);
  tone.start();
  tone.stop(audio.currentTime + (isAdmitted ? 0.15 : 0.5));
}
