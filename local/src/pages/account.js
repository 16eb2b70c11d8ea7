// A member's own account: join, log in, change and withdraw. A new nickname needs the session; every other change asks
// for the password, which is not kept.

const EMAIL = { name: "email", label: "이메일", type: "email", autocomplete: "username" };
const NAME = { name: "name", label: "이름", type: "text", autocomplete: "name" };
const NICKNAME = { name: "nickname", label: "닉네임", type: "text", autocomplete: "nickname" };
const PASSWORD = { name: "password", label: "비밀번호", type: "password", autocomplete: "current-password" };
const CURRENT_PASSWORD = { ...PASSWORD, label: "현재 비밀번호" };
const JOIN_PASSWORD = { ...PASSWORD, autocomplete: "new-password" };
const NEW_PASSWORD = { ...JOIN_PASSWORD, name: "newPassword", label: "새 비밀번호" };

// A logged-in member enters no e-mail address.
const asWrongPassword = withMessage("AL_001", "현재 비밀번호가 올바르지 않습니다.");

// Id of the shown member.
let shownId;

// Shows a member, or the forms of a visitor who is not logged in.
function showMember(member) {
  shownId = member?.id;
  const content = member ? createAccount(member) : create("div", { className: "forms" },
    createMemberForm("로그인", [EMAIL, PASSWORD], logIn),
    createMemberForm("회원가입", [EMAIL, NAME, NICKNAME, JOIN_PASSWORD], join));
  byId("member").replaceChildren(content);
}

function focusAccount() {
  byId("account").querySelector("h1").focus();
}

function showMemberAndFocus(member) {
  showMember(member);
  focusAccount();
}

// Forgets the session, which has ended.
function showLoggedOut() {
  writeSession(null);
  showMemberAndFocus(null);
}

// Reads and shows the member who is logged in. If that fails, offers to retry.
async function loadMember() {
  const id = readMemberId();
  if (!id) {
    if (!byId("member").querySelector(".forms")) showMember(null);
    return;
  }
  try {
    const { data } = await sendAsMember("GET", pathOfMember(id));
    // Meanwhile another tab may have logged out.
    if (id === readMemberId()) showMember(data);
  } catch (error) {
    if (!readSession()) return;
    shownId = undefined;
    const alert = create("p", { className: "error", role: "alert", textContent: error.message });
    const retry = create("button", { type: "button", textContent: "다시 시도" });
    retry.addEventListener("click", loadMember);
    byId("member").replaceChildren(alert, retry);
  }
}

// Sends a request with the access token. If the session has ended, shows the forms of a visitor with the reason.
async function sendAsMember(method, path, fields) {
  const json = fields && { headers: { "Content-Type": "application/json" }, body: JSON.stringify(fields) };
  try {
    return await send(method, path, { ...json, request: authorized });
  } catch (error) {
    if (!readSession()) {
      byId("task").close();
      showLoggedOut();
      byId("status").textContent = error.message;
    }
    throw error;
  }
}

function pathOfMember(id) {
  return `/api/v1/members/${encodeURIComponent(id)}`;
}

async function join(fields) {
  const result = await sendJson("POST", "/api/v1/auth/join", fields);
  await logIn(fields);
  return result;
}

function createMemberForm(title, fields, start) {
  async function submit(controls) {
    const result = await start(readAll(controls));
    await loadMember();
    focusAccount();
    return result;
  }
  const { form } = createForm({ fields, button: title, submit });
  return create("section", {}, create("h2", { textContent: title }), form);
}

function createAccount(member) {
  const path = pathOfMember(member.id);
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
  const addChange = (title, options) => addAction(title, () => ask({
    title,
    values: member,
    button: "변경",
    done: ({ data }) => showMemberAndFocus({ ...member, ...data }),
    ...options,
  }));
  const change = fields => sendJson("PATCH", path, { password: "", ...fields }).catch(asWrongPassword);
  addChange("닉네임 변경", {
    fields: [NICKNAME],
    submit: controls => sendAsMember("PATCH", `${path}/nickname`, readAll(controls)),
  });
  addChange("이름 변경", { fields: [NAME, CURRENT_PASSWORD], submit: controls => change(readEdited(controls)) });
  addChange("비밀번호 변경", {
    fields: [NEW_PASSWORD, CURRENT_PASSWORD],
    async submit(controls) {
      await change(readAll(controls));
      return { message: "비밀번호가 변경되었습니다. 새 비밀번호로 다시 로그인해 주세요." };
    },
    done: showLoggedOut,
  });
  addAction("로그아웃", async () => {
    await logOut();
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
    done: showLoggedOut,
    message: "회원 탈퇴가 완료되었습니다.",
  }));
  return create("div", { className: "account" }, facts, actions);
}

// Another tab has logged in or out.
addEventListener("storage", () => { if (readMemberId() !== shownId) loadMember(); });
