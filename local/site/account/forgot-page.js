// Page `/forgot-password`: sends a mail with which a member sets a new password.

import "../elements/site-header.js";
import { byId, create, createButton, focusFirst } from "../dom.js";
import { createNotice } from "../elements/states.js";
import { createForm, readAll } from "../forms/form.js";
import { send } from "../service/client.js";
import { createMailboxHint, explainMailError } from "./mail.js";
import { EMAIL } from "./member-fields.js";

const column = create("div", { className: "narrow" });
byId("main").append(column);

function showForm() {
  const { form } = createForm({
    fields: [EMAIL],
    button: "메일 받기",
    async submit(fields) {
      const request = readAll(fields);
      await send("POST", "/api/v1/auth/password-reset", { fields: request }).catch(explainMailError);
      showSent(request.email);
    },
  });
  column.replaceChildren(
    create("div", { className: "stack" }, [
      create("h1", {}, "비밀번호 찾기"),
      create("p", { className: "soft" }, "가입한 이메일을 알려 주시면 비밀번호를 새로 정하는 링크를 보내 드려요."),
    ]),
    form,
    create("p", { className: "switch" }, create("a", { href: "/login" }, "로그인으로 돌아가기")),
  );
  return form;
}

/** Says the same whether or not a member has the address, so that nobody learns who has joined. */
function showSent(email) {
  const again = createButton("다른 이메일로 받기", () => focusFirst(showForm(), "input"), {
    className: "quiet",
  });
  const notice = createNotice(
    "check",
    "메일을 확인해 주세요",
    create("p", {}, [
      create("strong", {}, email),
      " 주소로 가입한 회원이 있다면 메일을 보냈어요. 메일의 링크는 30분 동안 쓸 수 있어요.",
    ]),
    createMailboxHint(),
    again,
  );
  column.replaceChildren(create("h1", {}, "비밀번호 찾기"), notice);
  notice.querySelector("h2")?.setAttribute("tabindex", "-1");
  focusFirst(notice, "h2");
}

showForm();
