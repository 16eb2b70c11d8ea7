// Steps of fields: the content of an event, and its times.

import { create } from "../dom.js";
import { createField } from "../forms/field.js";
import { showReason } from "../forms/form.js";
import * as eventFields from "../manager/event-fields.js";

const POSTER_BYTES = 4 * 1_024 * 1_024;
const TOO_LARGE = "4MiB보다 큰 이미지예요. 더 작은 이미지를 골라 주세요.";
const NO_IMAGE = "이미지로 열 수 없는 파일이에요. 다른 파일을 골라 주세요.";
const CONTENT = [
  eventFields.TITLE,
  eventFields.ARTIST,
  eventFields.PLACE,
  eventFields.ADDRESS,
  { ...eventFields.GENRE, note: "콘서트, 뮤지컬, 연극처럼 적어 주세요." },
  eventFields.AGE_RATING,
  eventFields.RUNNING_MINUTES,
  eventFields.DESCRIPTION,
  eventFields.POSTER,
];
const SCHEDULE = [
  { ...eventFields.EVENT_OPEN_TIME, note: "공연을 알리기 시작하는 시각이에요. 모든 시각은 한국 시간이에요." },
  eventFields.TICKETING_OPEN_TIME,
  eventFields.SHOWS,
  eventFields.TICKETING_CLOSE_MINUTES,
  eventFields.MAX_SEATS,
];

export function createContentStep() {
  const step = createFieldsStep("내용", CONTENT);
  const poster = step.fields.thumbnail;
  const image = create("img", { className: "poster", alt: "고른 포스터", hidden: true });
  poster.element.append(image);
  poster.input.addEventListener("change", () => {
    const reader = new FileReader();
    const file = poster.read();
    image.hidden = !file.size;
    reader.addEventListener("load", () => {
      image.src = String(reader.result);
    });
    if (file.size) reader.readAsDataURL(file);
    poster.showError("");
    if (file.size > POSTER_BYTES) poster.showError(TOO_LARGE);
  });
  image.addEventListener("error", () => {
    image.hidden = true;
    poster.showError(NO_IMAGE);
  });
  return {
    ...step,
    poster: () => (image.hidden ? undefined : image.src),
    showMissing() {
      step.showMissing();
      if (poster.read().size && image.complete && image.naturalWidth === 0) poster.showError(NO_IMAGE);
    },
  };
}

export function createScheduleStep() {
  const step = createFieldsStep("일정", SCHEDULE);
  step.fields.eventDatetimes.setValue([""]);
  return step;
}

/**
 * @param {string} title
 * @param {FieldOptions[]} list
 */
function createFieldsStep(title, list) {
  const fields = Object.fromEntries(list.map(({ name, ...options }) => [name, createField(options)]));
  for (const [name, { element }] of Object.entries(fields)) element.dataset.name = name;
  return {
    title,
    fields,
    element: create(
      "div",
      { className: "step-fields" },
      Object.values(fields).map(({ element }) => element),
    ),
    clearErrors: () => Object.values(fields).forEach(field => field.showError("")),
    showMissing() {
      for (const { name, type = "" } of list) {
        if (!String(type).startsWith("optional")) checkFilled(fields[name]);
        else if (type === "optional-number" && /\D/.test(fields[name].input.value.trim()))
          fields[name].showError("숫자로 입력해 주세요.");
      }
    },
    /** Shows a reason of the service, and tells if it belongs to this step. */
    showError: (path, reason) => showReason(fields, path, reason),
  };
}

function checkFilled(field) {
  const value = field.read();
  if (Array.isArray(value))
    value.forEach((each, index) => !each && field.showError("일시를 입력해 주세요.", String(index)));
  if (value?.length === 0 || String(value).trim() === "") field.showError("입력해 주세요.");
  if (value instanceof Blob && value.size === 0) field.showError("포스터를 골라 주세요.");
  if (value instanceof Blob && value.size > POSTER_BYTES) field.showError(TOO_LARGE);
}
