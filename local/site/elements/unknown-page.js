// Page of addresses that have none.

import "./site-header.js";
import { byId, create } from "../dom.js";
import { createNotice } from "./states.js";

byId("main").replaceChildren(
  createNotice(
    "search",
    "페이지를 찾을 수 없어요",
    create("p", { className: "soft" }, "주소를 다시 확인해 주세요."),
    create("a", { href: "/", className: "button quiet" }, "공연 목록으로"),
  ),
);
