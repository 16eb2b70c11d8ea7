// States of a page or a list that has nothing to show: loading, empty and failed.

import { create, createButton, icon } from "../dom.js";

export function createSkeletons(count, height) {
  const items = Array.from({ length: count }, () => create("div", { className: `skeleton skeleton-${height}` }));
  return create("div", { className: "skeletons", role: "status", "aria-label": "불러오는 중" }, items);
}

/** Creates a notice in place of a list, or of a whole page, where its title is the heading of the page. */
export function createNotice(iconName, title, ...content) {
  const level = document.querySelector("main h1") ? "h2" : "h1";
  return create("section", { className: "notice" }, [icon(iconName), create(level, {}, title), ...content]);
}

/** @param {ServiceError} error */
export function createFailure(error, retry) {
  return createNotice(
    "close",
    "불러오지 못했어요",
    create("p", { role: "alert", className: "error" }, error.message),
    createButton("다시 시도", retry, { className: "quiet" }),
  );
}
