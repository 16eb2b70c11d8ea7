// Page `/login`.

import "../elements/site-header.js";
import { byId, create } from "../dom.js";
import { readMemberId } from "../service/session.js";
import { createLoginForm } from "./login-form.js";
import { returnAfterLogin } from "./next-page.js";

if (readMemberId()) returnAfterLogin();
else {
  byId("main").append(
    create("div", { className: "narrow" }, [
      create("h1", {}, "로그인"),
      createLoginForm(returnAfterLogin),
      create("p", { className: "switch" }, [
        "아직 회원이 아닌가요? ",
        create("a", { href: `/join${location.search}` }, "회원가입"),
      ]),
    ]),
  );
}
