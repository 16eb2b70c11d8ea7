// Page `/account`: facts of the member, and changes of them.

import "../elements/site-header.js";
import { byId, create, createButton } from "../dom.js";
import { createFailure, createSkeletons } from "../elements/states.js";
import { send } from "../service/client.js";
import { authorized, pathOfMember, readMemberId, sessionEvents } from "../service/session.js";
import * as changes from "./account-changes.js";
import { createVerification } from "./email-verification.js";
import { createVisitor, SESSION_ENDED } from "./visitor.js";

const column = create("div", { className: "account" });
byId("main").append(column);
let shownId;

function showContent(...content) {
  const heading = create("h1", { tabIndex: -1 }, "내 정보");
  column.replaceChildren(heading, ...content);
  return heading;
}

/** Shows the login to a visitor, and why it is needed. */
function showVisitor(reason = "내 정보를 보려면 로그인해 주세요.") {
  shownId = undefined;
  document.querySelector("dialog[open]")?.close();
  return showContent(
    createVisitor(reason, async () => {
      await load();
      column.querySelector("h1").focus();
    }),
  );
}

function showMember(member) {
  shownId = member.id;
  const showChange = (data, buttonId) => {
    showMember({ ...member, ...data });
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
  showContent(facts, end);
}

const createRow = (term, value, action) =>
  create("div", {}, [create("dt", {}, term), create("dd", {}, [create("span", {}, value), action])]);

const createChange = (id, label, action) =>
  createButton("변경", () => action(id), { id, className: "quiet", "aria-label": label });

/** Throws an error again. If the session has ended, says so, and shows the login. */
function explainEnd(error) {
  if (!readMemberId()) {
    showVisitor(SESSION_ENDED).focus();
    error.message = SESSION_ENDED;
  }
  throw error;
}

/** Reads and shows the member who is logged in. */
async function load() {
  const id = readMemberId();
  if (!id) return showVisitor();
  if (id !== shownId) showContent(createSkeletons(3, "line"));
  try {
    const { data } = await send("GET", pathOfMember(), { request: authorized });
    // Meanwhile another tab may have logged out.
    if (id === readMemberId()) showMember(data);
  } catch (error) {
    if (!readMemberId()) showVisitor(SESSION_ENDED);
    else if (id === readMemberId()) showContent(createFailure(error, load));
  }
}

sessionEvents.addEventListener("change", () => {
  if (readMemberId() !== shownId) load();
});
load();
