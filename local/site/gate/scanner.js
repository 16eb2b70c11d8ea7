// Ways to scan: the camera, where the browser reads QR codes, and a field for scanners that type.

import { create, createButton } from "../dom.js";
import { notify } from "../elements/toast.js";

const NO_CAMERA =
  "이 브라우저는 카메라로 QR 코드를 읽지 못해요. 안드로이드 휴대폰의 Chrome을 쓰거나, 바코드 스캐너를 연결해 주세요.";
const FRAME_MILLISECONDS = 150;
const SAME_MILLISECONDS = 3_000;

/**
 * Creates the camera and the field. `scanned` receives each text; the camera waits while `isPaused`.
 * @param {(text: string) => unknown} scanned
 * @param {() => boolean} isPaused
 */
export function createScanner(scanned, isPaused) {
  // A keyboard on the screen would cover the camera; scanners type and fingers paste without it.
  const field = create("input", { id: "code", autocomplete: "off", inputMode: "none", spellcheck: false });
  const form = create("form", { className: "code" }, [
    create("label", { htmlFor: "code" }, "티켓 코드"),
    field,
    create("button", { type: "submit", className: "quiet" }, "확인"),
  ]);
  form.addEventListener("submit", event => {
    event.preventDefault();
    const text = field.value;
    field.value = "";
    if (text.trim()) scanned(text);
  });
  // A scanner types into the field, wherever the last tap was.
  document.addEventListener("keydown", ({ key }) => {
    if (key.length === 1 && key !== " " && !document.querySelector("dialog[open]")) field.focus();
  });
  return create("div", { className: "stack" }, [
    "BarcodeDetector" in window && navigator.mediaDevices
      ? createCamera(scanned, isPaused)
      : create("p", { className: "soft small" }, NO_CAMERA),
    form,
  ]);
}

function createCamera(scanned, isPaused) {
  const video = create("video", { muted: true, playsInline: true, hidden: true, "aria-label": "카메라" });
  const button = createButton("카메라로 찍기", start);
  async function start() {
    try {
      video.srcObject = await navigator.mediaDevices.getUserMedia({ video: { facingMode: "environment" } });
      await video.play();
      video.hidden = false;
      button.hidden = true;
      // Phones would turn their screens off.
      navigator.wakeLock?.request("screen").catch(() => {});
      await read();
    } catch {
      notify("카메라를 쓸 수 없어요. 브라우저에서 카메라를 허용해 주세요.");
      button.hidden = false;
    }
  }

  /** Reads the pictures. A code that stays in view is scanned once. */
  async function read() {
    const detector = new window.BarcodeDetector({ formats: ["qr_code"] });
    for (let last = { text: "", at: 0 }; ;) {
      await new Promise(resolve => {
        setTimeout(resolve, FRAME_MILLISECONDS);
      });
      if (document.hidden) continue;
      const [code] = await detector.detect(video).catch(() => []);
      if (!code) continue;
      const isSame = code.rawValue === last.text && Date.now() - last.at < SAME_MILLISECONDS;
      if (!isSame && isPaused()) continue;
      last = { text: code.rawValue, at: Date.now() };
      if (!isSame) await scanned(code.rawValue);
    }
  }
  return create("div", { className: "camera" }, [video, button]);
}
