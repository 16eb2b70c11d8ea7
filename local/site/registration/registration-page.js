// Page `/manager/new`: registration of an event in steps.

import "../elements/site-header.js";
import { byId, create, createButton, focusFirst } from "../dom.js";
import { openDialog } from "../elements/dialog.js";
import { createNotice } from "../elements/states.js";
import { readAll } from "../forms/form.js";
import { createEntry } from "../manager/entry.js";
import { readManager, writeManager } from "../service/manager.js";
import { createContentStep, createScheduleStep } from "./fields-step.js";
import { register } from "./request.js";
import { createSummaryStep } from "./summary-step.js";
import { createVenueStep } from "./venue-step.js";

const FIELD_OF_CODE = { C_005: "thumbnail", C_007: "thumbnail", E_001: "eventDatetimes" };
const column = create("div", { className: "registration stack" });
byId("main").append(column);

function showSteps() {
  const content = createContentStep();
  const schedule = createScheduleStep();
  const venue = createVenueStep();
  const summary = createSummaryStep(content, schedule, venue);
  const steps = [content, schedule, venue, summary];
  const buttons = steps.map(({ title }, index) =>
    createButton([create("b", {}, index + 1), title], () => goToStep(index), { className: "plain" }),
  );
  const progress = create(
    "nav",
    { "aria-label": "등록 단계" },
    create(
      "ol",
      { className: "progress" },
      buttons.map(button => create("li", {}, button)),
    ),
  );
  const heading = create("h2", { tabIndex: -1 });
  const alert = create("p", { className: "error", role: "alert" });
  const back = createButton("이전", () => goToStep(current - 1), { className: "quiet" });
  const next = create("button", { type: "submit" });
  const form = create("form", { className: "stack", noValidate: true }, [
    heading,
    ...steps.map(({ element }) => element),
    alert,
    create("div", { className: "row moves" }, [back, next]),
  ]);
  let current = 0;

  function showStep(index) {
    current = index;
    for (const [number, { element }] of steps.entries()) {
      element.hidden = number !== index;
      if (number === index) buttons[number].setAttribute("aria-current", "step");
      else buttons[number].removeAttribute("aria-current");
    }
    steps[index].open?.();
    heading.textContent = `${index + 1}. ${steps[index].title}`;
    back.hidden = index === 0;
    next.textContent = index === steps.length - 1 ? "공연 등록하기" : "다음";
    scrollTo(0, 0);
    heading.focus({ preventScroll: true });
  }

  /** Shows a step, to which the browser's button for going back returns. */
  function goToStep(index) {
    history.pushState(index, "");
    alert.textContent = "";
    showStep(index);
  }

  /** Shows the first error of the current step, and returns its element if there is one. */
  function focusError() {
    const { element } = steps[current];
    const field = "[aria-invalid=true]";
    const found = element.querySelector(field) ?? element.querySelector(".error:not(:empty)");
    found?.scrollIntoView({ block: "center" });
    focusFirst(element, field, { preventScroll: true });
    return found;
  }

  async function submit(/** @type {Event} */ event) {
    event.preventDefault();
    if (form.ariaBusy === "true") return;
    if (current < steps.length - 1) {
      steps[current].clearErrors();
      steps[current].showMissing();
      if (!focusError()) goToStep(current + 1);
      return;
    }
    form.ariaBusy = "true";
    alert.textContent = "";
    for (const step of steps) step.clearErrors();
    try {
      const { thumbnail, ...fields } = readAll({ ...content.fields, ...schedule.fields });
      const request = { ...fields, ...venue.read(), published: summary.isPublished() };
      showRegistered(await register(request, thumbnail), request);
    } catch (error) {
      showError(error);
    } finally {
      form.ariaBusy = "false";
    }
  }

  function showError(/** @type {ServiceError} */ { message, code, errors }) {
    if (code === "AM_001") {
      writeManager(null);
      const reason = "관리자 ID나 토큰이 더 이상 유효하지 않아요. 다시 입력하면 이어서 등록할 수 있어요.";
      const dialog = openDialog(
        "관리자 확인",
        createEntry(() => dialog.close(), reason),
      );
      return;
    }
    const field = FIELD_OF_CODE[code ?? ""];
    const reasons = field ? [{ field, reason: message }] : (errors ?? []);
    let first = steps.length;
    const others = reasons.filter(({ field, reason }) => {
      const index = steps.findIndex(step => step.showError(field, reason));
      if (index >= 0) first = Math.min(first, index);
      return index < 0;
    });
    if (first < steps.length) goToStep(first);
    alert.textContent = [message, ...others.map(({ field, reason }) => `${field}: ${reason}`)].join("\n");
    focusError();
  }

  form.addEventListener("submit", submit);
  form.addEventListener("input", ({ target }) => {
    if (!(target instanceof HTMLElement)) return;
    target.removeAttribute("aria-invalid");
    target.closest(".field")?.querySelector(".error")?.replaceChildren();
  });
  addEventListener("popstate", ({ state }) => showStep(state ?? 0));
  const warn = event => {
    if (form.isConnected) event.preventDefault();
  };
  form.addEventListener("input", () => addEventListener("beforeunload", warn), { once: true });
  column.replaceChildren(create("h1", {}, "공연 등록"), progress, form);
  showStep(0);
}

/**
 * @param {EventSummary} event
 * @param {{ published: boolean }} request
 */
function showRegistered({ id, title }, { published }) {
  const link = (href, text, className) => create("a", { href, className }, text);
  column.replaceChildren();
  const notice = createNotice(
    "check",
    published ? "공연을 공개했어요" : "공연을 비공개로 등록했어요",
    create("p", { role: "status" }, `‘${title}’ 공연의 회차와 판매는 공연 관리에서 볼 수 있어요.`),
    create("div", { className: "row" }, [
      link(`/manager/events/${id}`, "공연 관리하기", "button"),
      published ? link(`/events/${id}`, "공연 페이지 보기", "button quiet") : "",
      link("/manager/new", "다른 공연 등록", "button quiet"),
    ]),
  );
  column.append(notice);
  scrollTo(0, 0);
  focusFirst(notice, "a");
}

if (readManager()) showSteps();
else
  column.append(
    create("h1", {}, "공연 등록"),
    createEntry(showSteps, "공연을 등록하려면 먼저 관리자인지 확인해 주세요."),
  );
