// Preview of the mail to the buyers of a show, as `shared/api/src/notice_mail.rs` writes it.

import { create } from "../dom.js";
import { dayAndClock } from "../format.js";

const OFF = { POSTPONED: "연기된 공연", CANCELLED: "취소된 공연" };
const OTHER = ["공연 안내", "예매하신 공연에 대해 안내드립니다."];
/** Kind and sentence by the statuses before and after, and `moved` with another time. @type {Record<string, string[]>} */
const CHANGES = {
  "SCHEDULED CANCELLED": ["공연 취소", "예매하신 공연이 취소되었습니다."],
  "POSTPONED CANCELLED": ["공연 취소", "예매하신 공연이 취소되었습니다."],
  "SCHEDULED POSTPONED": ["공연 연기", "예매하신 공연이 연기되었습니다."],
  "SCHEDULED SCHEDULED moved": ["공연 일시 변경", "예매하신 공연의 일시가 변경되었습니다."],
  "POSTPONED SCHEDULED": ["공연 진행", "연기되었던 공연이 예정대로 진행됩니다."],
  "POSTPONED SCHEDULED moved": ["공연 일시 확정", "연기되었던 공연의 새 일시가 정해졌습니다."],
  "CANCELLED SCHEDULED": ["공연 진행", "취소되었던 공연이 예정대로 진행됩니다."],
  "CANCELLED SCHEDULED moved": ["공연 진행", "취소되었던 공연이 새로운 일시에 진행됩니다."],
};

/**
 * Creates a preview that follows the fields of its dialog. Without a status the show keeps its own.
 * @param {EventSummary} event
 * @param {Show} show
 * @param {Show["status"] | "SCHEDULED"} [status]
 */
export function createMailPreview({ title, place }, show, status) {
  const mail = create("div", { className: "mail" });
  const preview = create("details", {}, [create("summary", {}, "메일 미리 보기"), mail]);
  const update = () => {
    const dialog = preview.closest("dialog");
    const text = dialog?.querySelector("textarea")?.value ?? "";
    const time = dialog?.querySelector("input[type=datetime-local]");
    const moved = time instanceof HTMLInputElement && time.value ? `${time.value}+09:00` : show.datetime;
    const isMoved = Date.parse(moved) !== Date.parse(show.datetime);
    const before = show.status ?? "SCHEDULED";
    const change = [before, status ?? before, isMoved && "moved"].filter(Boolean).join(" ");
    const [kind, sentence] = CHANGES[change] ?? OTHER;
    const facts = [
      `공연: ${title}`,
      isMoved
        ? `변경 전: ${dayAndClock(show.datetime)}\n변경 후: ${dayAndClock(moved)}`
        : `${kind === "공연 연기" ? "원래 일시" : "일시"}: ${dayAndClock(show.datetime)}`,
      `장소: ${place}`,
      before !== "SCHEDULED" && before === (status ?? before) && `상태: ${OFF[before]}`,
    ].filter(Boolean);
    const paragraphs = [sentence, facts.join("\n"), text.trim()].filter(Boolean);
    mail.replaceChildren(
      create("strong", {}, `[${kind}] ${title}`),
      ...paragraphs.map(paragraph => create("p", {}, paragraph)),
      create("p", { className: "soft" }, "예매 내역 보기"),
    );
  };
  preview.addEventListener("toggle", () => {
    update();
    preview.closest("dialog")?.addEventListener("input", update);
  });
  return preview;
}
