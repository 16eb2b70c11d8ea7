// Page `/join`.

import "../elements/site-header.js";
import { byId, create } from "../dom.js";
import { readMemberId } from "../service/session.js";
import { createJoinForm } from "./login-form.js";
import { returnAfterLogin } from "./next-page.js";

if (readMemberId()) returnAfterLogin();
else {
  byId("main").append(
    create("div", { className: "narrow" }, [
      create("h1", {}, "회원가입"),
      createJoinForm(returnAfterLogin),
      create("p", { className: "switch" }, [
        "이미 회원인가요? ",
        create("a", { href: `/login${location.search}` }, "로그인"),
      ]),
    ]),
  );
}
