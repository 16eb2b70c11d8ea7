// Whether the address of a member is verified, and the mail that verifies it.

import { create, createButton } from "../dom.js";
import { send } from "../service/client.js";
import { authorized } from "../service/session.js";
import { createMailboxHint, explainMailError } from "./mail.js";

/**
 * Creates the state of the address, with a button that sends the mail. A service without mail says nothing of it.
 * @param {Member} member
 */
export function createVerification({ emailVerified }, explainEnd) {
  if (emailVerified === undefined) return undefined;
  if (emailVerified) return create("span", { className: "badge", dataset: { sale: "open" } }, "인증됨");
  const [button, ...results] = createMailButton(explainEnd);
  return create("div", { className: "verification stack" }, [
    create("div", { className: "row" }, [
      create("span", { className: "badge", dataset: { sale: "sold-out" } }, "인증 전"),
      button,
    ]),
    ...results,
  ]);
}

/** Creates the button that sends the mail, and the elements that say whether it was sent. */
export function createMailButton(explainEnd = explainMailError) {
  const result = create("div", { role: "status" });
  const alert = create("p", { className: "error", role: "alert" });
  const button = createButton(
    "인증 메일 보내기",
    async () => {
      if (button.ariaBusy === "true") return;
      button.ariaBusy = "true";
      result.replaceChildren();
      alert.textContent = "";
      try {
        await send("POST", "/api/v1/auth/email-verification", { request: authorized })
          .catch(explainMailError)
          .catch(explainEnd);
        result.append(
          create("p", {}, "인증 메일을 보냈어요. 24시간 안에 메일의 링크를 눌러 주세요."),
          createMailboxHint(),
        );
      } catch (error) {
        alert.textContent = error.message;
      } finally {
        button.ariaBusy = "false";
      }
    },
    { id: "send-verification", className: "quiet" },
  );
  return [button, result, alert];
}
