// Views of the page: its address ends with `#events`, `#manager`, `#account` or `#seats/<event>/<show>`.

const VIEWS = ["events", "manager", "account", "seats"];

// Returns the view of an address; an unknown one shows the events.
function findView(hash) {
  if (SEATS_HASH.test(hash)) return "seats";
  return ["#manager", "#account"].includes(hash) ? hash.slice(1) : "events";
}

// Shows the view of the address, and returns its heading.
function showView() {
  const shown = findView(location.hash);
  for (const view of VIEWS) byId(view).hidden = view !== shown;
  for (const link of document.querySelectorAll("nav a")) link.ariaCurrent = link.hash === `#${shown}` ? "page" : null;
  const heading = byId(shown).querySelector("h1");
  document.title = heading.textContent;
  byId("status").textContent = "";
  if (shown === "events") search.requestSubmit();
  if (shown === "account") loadMember();
  if (shown === "seats") visitShow();
  return heading;
}

addEventListener("hashchange", () => showView().focus());
showView();
