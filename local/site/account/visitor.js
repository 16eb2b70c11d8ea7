// Login in place of a page that is only for members.

import { create } from "../dom.js";
import { createLoginForm } from "./login-form.js";

export const SESSION_ENDED = "로그인한 지 오래됐어요. 다시 로그인해 주세요.";

/** Says why the login is needed. `done` is called when the member is logged in. */
export function createVisitor(reason, done) {
  return create("div", { className: "visitor stack" }, [
    create("p", { role: "status" }, reason),
    createLoginForm(done),
    create("p", { className: "switch" }, [
      "아직 회원이 아닌가요? ",
      create("a", { href: `/join?next=${location.pathname}` }, "회원가입"),
    ]),
  ]);
}
