// Page `/reset-password#token=…`, to which the mail for a forgotten password leads.

import "../elements/site-header.js";
import { byId, create } from "../dom.js";
import { createNotice } from "../elements/states.js";
import { createForm, readAll } from "../forms/form.js";
import { send } from "../service/client.js";
import { logOut } from "../service/session.js";
import { createLoginForm } from "./login-form.js";
import { explainMailError, takeToken } from "./mail.js";
import { NEW_PASSWORD } from "./member-fields.js";

const column = create("div", { className: "narrow" });
byId("main").append(column);

function showContent(...content) {
  const heading = create("h1", { tabIndex: -1 }, "비밀번호 다시 정하기");
  column.replaceChildren(heading, ...content);
  return heading;
}

function start() {
  const token = takeToken();
  if (!token) return showUnusable("메일의 링크를 다시 눌러 주세요", "이 화면은 메일의 링크로만 열 수 있어요.");
  const { form } = createForm({
    fields: [NEW_PASSWORD],
    button: "비밀번호 바꾸기",
    async submit(fields) {
      try {
        const request = { token, ...readAll(fields) };
        await send("POST", "/api/v1/auth/password-reset/confirmation", { fields: request }).catch(explainMailError);
      } catch (error) {
        if (error.code !== "AP_001") throw error;
        showUnusable("이 링크는 더 이상 쓸 수 없어요", "링크를 받은 지 30분이 지났거나 이미 사용했어요.").focus();
        return;
      }
      await showChanged();
    },
  });
  return showContent(form);
}

function showUnusable(title, reason) {
  const again = create("a", { href: "/forgot-password", className: "button" }, "메일 다시 받기");
  return showContent(createNotice("clock", title, create("p", {}, reason), again));
}

/** Asks for the new password, because it has ended every session of the member. */
async function showChanged() {
  await logOut();
  const message = create(
    "p",
    { role: "status", className: "done" },
    "비밀번호를 바꿨어요. 새 비밀번호로 로그인해 주세요.",
  );
  showContent(
    message,
    createLoginForm(() => location.replace("/")),
  ).focus();
}

addEventListener("hashchange", () => {
  if (location.hash) start();
});
start();
