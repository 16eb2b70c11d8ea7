// Pages of the member who is logged in. A visitor sees the login in their place.

import { byId, create } from "../dom.js";
import { createFailure, createSkeletons } from "../elements/states.js";
import { readMemberId, sessionEvents } from "../service/session.js";
import { createLoginForm } from "./login-form.js";

export const SESSION_ENDED = "로그인한 지 오래됐어요. 다시 로그인해 주세요.";

/**
 * Opens a page, which changes when somebody logs in or out, also in another tab. `invitation` says why the login is
 * needed. `read` reads the data of the member, of which `createContent` makes the elements below the title, and
 * `titleOf` another title. The functions that it returns show something else, and return the title.
 * @param {{
 *   title: string,
 *   className: string,
 *   skeleton: string,
 *   invitation: string,
 *   read: () => Promise<any>,
 *   createContent: (data: any) => (Node | string)[],
 *   titleOf?: (data: any) => string,
 * }} page
 */
export function openMemberPage({ title, className, skeleton, invitation, read, createContent, titleOf }) {
  const column = create("div", { className });
  /** @type {HTMLElement} */
  let heading;
  /** @type {string | undefined} */
  let shownId;

  function showContent(...content) {
    heading = create("h1", { tabIndex: -1 }, title);
    column.replaceChildren(heading, ...content);
    return heading;
  }

  function showVisitor(reason = invitation) {
    shownId = undefined;
    document.querySelector("dialog")?.close();
    return showContent(createVisitor(reason, async () => (await load()).focus()));
  }

  async function load() {
    const id = readMemberId();
    if (!id) return showVisitor();
    if (id !== shownId) showContent(createSkeletons(3, skeleton));
    try {
      const data = await read();
      // Meanwhile another tab may have logged out, or in as another member.
      if (id !== readMemberId()) return heading;
      shownId = id;
      showContent(...createContent(data));
      if (titleOf) heading.textContent = titleOf(data);
      return heading;
    } catch (error) {
      if (!readMemberId()) return showVisitor(SESSION_ENDED);
      return id === readMemberId() ? showContent(createFailure(error, load)) : heading;
    }
  }

  byId("main").append(column);
  sessionEvents.addEventListener("change", () => {
    if (readMemberId() !== shownId) load();
  });
  load();
  return { load, showContent, showVisitor };
}

function createVisitor(reason, done) {
  return create("div", { className: "visitor stack" }, [
    create("p", { role: "status" }, reason),
    createLoginForm(done),
    create("p", { className: "switch" }, [
      "아직 회원이 아닌가요? ",
      create("a", { href: `/join?next=${location.pathname}` }, "회원가입"),
    ]),
  ]);
}
