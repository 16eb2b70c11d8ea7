// Forms with which a visitor logs in or joins.

import { create } from "../dom.js";
import { createForm, readAll } from "../forms/form.js";
import { join, logIn } from "../service/session.js";
import { EMAIL, FIRST_PASSWORD, NAME, NICKNAME, PASSWORD } from "./member-fields.js";

/** Creates the form of a login. `done` is called when the member is logged in. */
export function createLoginForm(done) {
  const { form } = createForm({
    fields: [EMAIL, PASSWORD],
    button: "로그인",
    async submit(fields) {
      await logIn(readAll(fields));
      await done();
    },
  });
  form.append(create("p", { className: "links" }, create("a", { href: "/forgot-password" }, "비밀번호를 잊었나요?")));
  return form;
}

/** Creates the form of a new member. `done` is called when the member is logged in. */
export function createJoinForm(done) {
  return createForm({
    fields: [EMAIL, FIRST_PASSWORD, NAME, NICKNAME],
    button: "가입하기",
    async submit(fields) {
      await join(readAll(fields));
      await done();
    },
  }).form;
}
