// Dialog with which a visitor logs in, or joins, without leaving the page and what they chose on it.

import { create, createButton } from "../dom.js";
import { openDialog } from "../elements/dialog.js";
import { readMemberId, sessionEvents } from "../service/session.js";
import { createJoinForm, createLoginForm } from "./login-form.js";

/**
 * Asks to log in for a reason. Resolves to true after a login, here or in another tab; to false if it is closed.
 * @param {string} reason
 * @returns {Promise<boolean>}
 */
export function askToLogIn(reason, title = "로그인이 필요해요") {
  const close = () => dialog.close();
  const dialog = openDialog(
    title,
    create("div", { className: "stack" }, [
      create("p", {}, reason),
      ...createTabs({ 로그인: createLoginForm(close), 회원가입: createJoinForm(close) }),
    ]),
  );
  /** @type {HTMLAnchorElement | null} */
  const link = dialog.querySelector("a[href='/forgot-password']");
  if (link) Object.assign(link, { target: "_blank", textContent: `${link.textContent} (새 창)` });
  const closeIfLoggedIn = () => {
    if (readMemberId()) close();
  };
  sessionEvents.addEventListener("change", closeIfLoggedIn);
  return new Promise(resolve =>
    dialog.addEventListener("close", () => {
      sessionEvents.removeEventListener("change", closeIfLoggedIn);
      resolve(Boolean(readMemberId()));
    }),
  );
}

/**
 * Creates a list of tabs, and the panel that has the content of one. The address that was typed stays.
 * @param {Record<string, HTMLElement>} contents
 */
function createTabs(contents) {
  const labels = Object.keys(contents);
  const panel = create("div", { role: "tabpanel", id: "login-panel" });
  const tabs = labels.map(label =>
    createButton(label, () => select(label), {
      role: "tab",
      id: `login-tab-${labels.indexOf(label)}`,
      "aria-controls": panel.id,
    }),
  );
  const list = create("div", { className: "tabs", role: "tablist", "aria-label": "로그인 또는 회원가입" }, tabs);

  function select(label) {
    const email = emailIn(panel)?.value;
    panel.replaceChildren(contents[label]);
    const input = emailIn(panel);
    if (input && email) input.value = email;
    tabs.forEach((tab, index) => {
      const isSelected = labels[index] === label;
      tab.ariaSelected = String(isSelected);
      tab.tabIndex = isSelected ? 0 : -1;
      if (isSelected) panel.setAttribute("aria-labelledby", tab.id);
    });
  }

  list.addEventListener("keydown", ({ key }) => {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    const other = tabs.find(tab => tab.tabIndex < 0);
    other?.click();
    other?.focus();
  });
  select(labels[0]);
  return [list, panel];
}

/**
 * @param {HTMLElement} panel
 * @returns {HTMLInputElement | null}
 */
const emailIn = panel => panel.querySelector("[type=email]");
