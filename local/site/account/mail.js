// Mails to members: tokens of their links, and errors that say what to do.

import { create } from "../dom.js";

/** Takes the token out of the address, so that no history, bookmark or copied address keeps it. */
export function takeToken() {
  const token = new URLSearchParams(location.hash.slice(1)).get("token");
  history.replaceState(null, "", location.pathname + location.search);
  return token;
}

/**
 * Throws an error of a mail again, with a message that says when to ask again.
 * @param {ServiceError} error
 */
export function explainMailError(error) {
  const minutes = Math.ceil(error.retryAfter / 60);
  if (error.code === "AP_002") {
    error.message = `메일을 여러 번 요청했어요. ${minutes ? `${minutes}분 뒤에` : "나중에"} 다시 요청해 주세요.`;
  }
  if (error.code === "S_004") error.message = "지금은 메일을 보낼 수 없어요. 잠시 후 다시 시도해 주세요.";
  throw error;
}

/** Creates a link to the mails of a local stack, which leave it for no mailbox. */
export function createMailboxHint() {
  return create("p", { className: "note small" }, [
    "이 서비스는 메일을 밖으로 보내지 않아요. 보낸 메일은 ",
    create("a", { href: "/mail" }, "로컬 메일함"),
    "에서 볼 수 있어요.",
  ]);
}
