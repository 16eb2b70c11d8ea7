// Asks who manages before a page of theirs is shown, and again if the service does not accept them any more.

import { byId, create } from "../dom.js";
import { createFailure, createNotice, createSkeletons } from "../elements/states.js";
import { readManager, writeManager } from "../service/manager.js";
import { createEntry } from "./entry.js";

export const UNKNOWN_MANAGER = "관리자 ID나 토큰이 더 이상 유효하지 않아요. 다시 입력해 주세요.";

/**
 * Loads and shows a page of the manager in `main`. `open` returns its elements; it receives a function that forgets the
 * manager and asks again, for a reason.
 */
export async function openManaged(title, className, open) {
  const main = byId("main");
  const askForManager = reason => {
    const heading = create("h1", { tabIndex: -1 }, title);
    const entry = createEntry(async () => {
      await openManaged(title, className, open);
      main.querySelector("h1")?.focus();
    }, reason);
    main.className = "";
    main.replaceChildren(create("div", { className: "managing stack" }, [heading, entry]));
    return heading;
  };
  const forgetManager = reason => {
    writeManager(null);
    askForManager(reason).focus();
  };
  if (!readManager()) return askForManager();
  main.replaceChildren(createSkeletons(2, "row"));
  try {
    const elements = await open(forgetManager);
    main.className = className;
    main.replaceChildren(...elements);
  } catch (error) {
    if (error.code === "AM_001") forgetManager(UNKNOWN_MANAGER);
    else if (error.status === 404 || error.code === "AM_002") main.replaceChildren(createUnknown(error));
    else main.replaceChildren(createFailure(error, () => openManaged(title, className, open)));
  }
}

/** @param {ServiceError} error */
function createUnknown({ code }) {
  const reason =
    code === "AM_002" ? "다른 관리자가 등록한 공연이에요." : "삭제된 지 30일이 지났거나, 주소가 잘못됐어요.";
  return createNotice(
    "search",
    "관리할 수 없는 공연이에요",
    create("p", { className: "soft" }, reason),
    create("a", { href: "/manager", className: "button quiet" }, "공연 관리로"),
  );
}
