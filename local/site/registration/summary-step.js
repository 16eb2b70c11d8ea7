// Last step: everything at a glance, and whether visitors see the event at once.

import { create } from "../dom.js";
import { dayAndClock, won } from "../format.js";
import { createPreview } from "./preview.js";

const CHOICES = {
  draft: ["비공개로 등록", "관리자만 볼 수 있어요. 준비를 마친 뒤 공연 관리에서 공개하세요."],
  published: ["바로 공개", "등록하자마자 누구나 볼 수 있어요."],
};

export function createSummaryStep(content, schedule, venue) {
  const list = create("dl", { className: "facts" });
  const pictures = create("div", { className: "stack" });
  const choices = Object.entries(CHOICES).map(([value, [text, note]]) =>
    create("label", { className: "choice" }, [
      create("input", { type: "radio", name: "publication", value, checked: value === "draft" }),
      create("span", {}, [text, create("span", { className: "note" }, note)]),
    ]),
  );
  const element = create("div", { className: "summary" }, [
    create("div", { className: "stack" }, [list, create("fieldset", {}, [create("legend", {}, "공개"), ...choices])]),
    pictures,
  ]);

  function open() {
    const hall = venue.readHall();
    const poster = content.poster();
    const areas = hall?.areas.map(
      ({ label, price, seats }) =>
        `${label} · ${typeof price === "number" ? won(price) : price} · ${seats.length.toLocaleString("ko-KR")}석`,
    );
    const facts = [
      ...Object.values({ ...content.fields, ...schedule.fields }).map(factOf),
      ["구역", areas?.join("\n")],
    ];
    list.replaceChildren(
      ...facts
        .filter(([, text]) => text !== null)
        .flatMap(([term, text]) => [
          create("dt", {}, term),
          create("dd", { className: text ? "" : "error" }, text || "아직 없어요"),
        ]),
    );
    pictures.replaceChildren();
    if (hall) pictures.append(createPreview(hall));
    if (poster) pictures.append(create("img", { className: "poster", src: poster, alt: "포스터" }));
  }

  const isPublished = () => element.querySelector("[value=published]:checked") !== null;
  return { title: "확인", element, open, clearErrors() {}, showMissing() {}, showError: () => false, isPublished };
}

/**
 * Returns the label and the text of a field; null for an optional one that is empty.
 * @param {any} field
 */
function factOf(field) {
  const { label, input } = field;
  const term = label.textContent ?? label;
  if (!input) return [term, field.read().filter(Boolean).map(dayAndClock).join("\n")];
  if (input.type === "file") return [term, input.files[0] ? null : ""];
  const text = input.type === "datetime-local" ? input.value && dayAndClock(`${input.value}+09:00`) : input.value;
  return term.includes("(선택)") ? [term.replace(" (선택)", ""), text.trim() || null] : [term, text.trim()];
}
