// Header and footer of every page: the name of the site, its parts, and the member who is logged in.

import { byId, create, createButton, icon } from "../dom.js";
import { logOut, readMemberId, sessionEvents } from "../service/session.js";
import { notify } from "./toast.js";

class SiteHeader extends HTMLElement {
  tickets = this.link("/tickets", "내 예매");
  member = create("div", { className: "member" });

  connectedCallback() {
    this.role = "banner";
    const brand = create("a", { href: "/", className: "brand", "aria-label": "봄날티켓 홈" }, [
      icon("ticket"),
      create("span", {}, "봄날티켓"),
    ]);
    const nav = create("nav", { className: "row", "aria-label": "메뉴" }, [
      this.link("/", "공연"),
      this.tickets,
      this.link("/manager", "공연 관리"),
    ]);
    const main = byId("main");
    // A link would replace the fragment, in which some pages have a token.
    const skip = createButton("본문으로 건너뛰기", () => main.focus(), { className: "skip" });
    main.tabIndex = -1;
    this.append(skip, brand, nav, this.member);
    this.showMember();
    sessionEvents.addEventListener("change", () => this.showMember());
  }

  link(href, text) {
    return create("a", { href, ...(location.pathname === href && { "aria-current": "page" }) }, text);
  }

  showMember() {
    this.tickets.hidden = !readMemberId();
    this.member.replaceChildren(
      ...(readMemberId()
        ? [this.link("/account", "내 정보"), createButton("로그아웃", endSession, { className: "plain" })]
        : [createEntry("/login", "로그인"), createEntry("/join", "회원가입", "button quiet")]),
    );
  }
}

/** Creates a link that leads back to the page after the login, with a search that the address has by then. */
function createEntry(path, text, className = "") {
  const link = create("a", { className }, text);
  const update = () => {
    const next = location.pathname + location.search;
    link.href = next === "/" ? path : `${path}?next=${encodeURIComponent(next)}`;
  };
  update();
  link.addEventListener("click", update);
  return link;
}

async function endSession() {
  await logOut();
  notify("로그아웃했어요.");
}

class SiteFooter extends HTMLElement {
  connectedCallback() {
    this.role = "contentinfo";
    this.append(
      create("span", {}, "봄날티켓은 예매 서비스의 예시 사이트예요. 실제 결제는 이루어지지 않아요."),
      create("a", { href: "/docs/", hreflang: "en" }, "API 문서"),
      create("a", { href: "/openapi.json", hreflang: "en" }, "OpenAPI"),
    );
  }
}

customElements.define("site-header", SiteHeader);
customElements.define("site-footer", SiteFooter);
