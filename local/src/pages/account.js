// A member's own account: join, log in, change and withdraw. A login gives no token, so every change asks for the
// password, which is not kept.

const EMAIL = { name: "email", label: "이메일", type: "email", autocomplete: "username" };
const NAME = { name: "name", label: "이름", type: "text", autocomplete: "name" };
const NICKNAME = { name: "nickname", label: "닉네임", type: "text", autocomplete: "nickname" };
const PASSWORD = { name: "password", label: "비밀번호", type: "password", autocomplete: "current-password" };
const CURRENT_PASSWORD = { ...PASSWORD, label: "현재 비밀번호" };
const JOIN_PASSWORD = { ...PASSWORD, autocomplete: "new-password" };
const NEW_PASSWORD = { ...JOIN_PASSWORD, name: "newPassword", label: "새 비밀번호" };

// A logged-in member enters no e-mail address.
const asWrongPassword = withMessage("AL_001", "현재 비밀번호가 올바르지 않습니다.");

// Shows a member, or the forms of a visitor who is not logged in.
function showMember(member) {
  const content = member ? createAccount(member) : create("div", { className: "forms" },
    createMemberForm("로그인", "/api/v1/members/login", [EMAIL, PASSWORD]),
    createMemberForm("회원가입", "/api/v1/members/join", [EMAIL, NAME, NICKNAME, JOIN_PASSWORD]));
  byId("member").replaceChildren(content);
}

function showMemberAndFocus(member) {
  showMember(member);
  byId("account").querySelector("h1").focus();
}

function createMemberForm(title, path, fields) {
  async function submit(controls) {
    const result = await sendJson("POST", path, readAll(controls));
    showMemberAndFocus(result.data);
    return result;
  }
  const { form } = createForm({ fields, button: title, submit });
  return create("section", {}, create("h2", { textContent: title }), form);
}

function createAccount(member) {
  const path = `/api/v1/members/${encodeURIComponent(member.id)}`;
  const facts = create("dl");
  for (const { name, label } of [EMAIL, NAME, NICKNAME]) {
    facts.append(create("dt", { textContent: label }), create("dd", { textContent: member[name] }));
  }
  const actions = create("div", { className: "actions" });
  const addAction = (label, action) => {
    const button = create("button", { type: "button", className: "quiet", textContent: label });
    button.addEventListener("click", action);
    actions.append(button);
  };
  const change = (title, fields, read) => addAction(title, () => ask({
    title,
    fields: [...fields, CURRENT_PASSWORD],
    values: member,
    button: "변경",
    submit: controls => sendJson("PATCH", path, { password: "", ...read(controls) }).catch(asWrongPassword),
    done: ({ data }) => showMemberAndFocus(data),
  }));
  change("회원 정보 변경", [NAME, NICKNAME], readEdited);
  change("비밀번호 변경", [NEW_PASSWORD], readAll);
  addAction("로그아웃", () => {
    showMemberAndFocus(null);
    byId("status").textContent = "로그아웃되었습니다.";
  });
  addAction("회원 탈퇴", () => ask({
    title: "회원 탈퇴",
    text: "탈퇴하면 회원 정보가 바로 삭제되며 되돌릴 수 없습니다.",
    fields: [CURRENT_PASSWORD],
    button: "탈퇴",
    danger: true,
    submit: controls => sendJson("POST", `${path}/withdrawal`, readAll(controls)).catch(asWrongPassword),
    done: () => showMemberAndFocus(null),
    message: "회원 탈퇴가 완료되었습니다.",
  }));
  return create("div", { className: "account" }, facts, actions);
}

showMember(null);
