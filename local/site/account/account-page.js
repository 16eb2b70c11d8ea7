// Page `/account`: facts of the member, and changes of them.

import "../elements/site-header.js";
import { byId, create, createButton } from "../dom.js";
import { send } from "../service/client.js";
import { authorized, pathOfMember, readMemberId } from "../service/session.js";
import * as changes from "./account-changes.js";
import { createVerification } from "./email-verification.js";
import { openMemberPage, SESSION_ENDED } from "./member-page.js";

const { showContent, showVisitor } = openMemberPage({
  title: "내 정보",
  className: "account",
  skeleton: "line",
  invitation: "내 정보를 보려면 로그인해 주세요.",
  read: async () => (await send("GET", pathOfMember(), { request: authorized })).data,
  createContent,
});

/** @param {Member} member */
function createContent(member) {
  const showChange = (data, buttonId) => {
    showContent(...createContent({ ...member, ...data }));
    byId(buttonId).focus();
  };
  const facts = create("dl", { className: "panel settings" }, [
    createRow("이메일", member.email, createVerification(member, explainEnd)),
    createRow(
      "이름",
      member.name,
      createChange("change-name", "이름 변경", id => changes.changeName(member, data => showChange(data, id))),
    ),
    createRow(
      "닉네임",
      member.nickname,
      createChange("change-nickname", "닉네임 변경", id =>
        changes.changeNickname(member, data => showChange(data, id), explainEnd),
      ),
    ),
    createRow(
      "비밀번호",
      create("span", { "aria-hidden": "true" }, "••••••••"),
      createChange("change-password", "비밀번호 변경", () =>
        changes.changePassword(() => showVisitor("비밀번호를 바꿨어요. 새 비밀번호로 다시 로그인해 주세요.").focus()),
      ),
    ),
  ]);
  const end = create("section", { className: "panel withdrawal", "aria-labelledby": "withdrawal-title" }, [
    create("h2", { id: "withdrawal-title" }, "회원 탈퇴"),
    create("p", { className: "soft" }, "탈퇴하면 회원 정보가 바로 삭제되고, 되돌릴 수 없어요."),
    createButton(
      "회원 탈퇴",
      () => changes.withdraw(() => showVisitor("탈퇴했어요. 그동안 함께해 주셔서 고마워요.").focus()),
      { className: "quiet", id: "withdraw" },
    ),
  ]);
  return [facts, end];
}

const createRow = (term, value, action) =>
  create("div", {}, [create("dt", {}, term), create("dd", {}, [create("span", {}, value), action])]);

const createChange = (id, label, action) =>
  createButton("변경", () => action(id), { id, className: "quiet", "aria-label": label });

/**
 * Throws an error again. If the session has ended, says so, and shows the login.
 * @param {ServiceError} error
 */
function explainEnd(error) {
  if (!readMemberId()) {
    showVisitor(SESSION_ENDED).focus();
    error.message = SESSION_ENDED;
  }
  throw error;
}
