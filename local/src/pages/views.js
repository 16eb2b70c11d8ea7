// Views of the page: its address ends with `#events`, `#manager` or `#account`.

const VIEWS = ["events", "manager", "account"];

// Shows the view of the address, and returns its heading.
function showView() {
  const shown = VIEWS.find(view => location.hash === `#${view}`) ?? VIEWS[0];
  for (const view of VIEWS) {
    byId(view).hidden = view !== shown;
    document.querySelector(`nav a[href="#${view}"]`).ariaCurrent = view === shown ? "page" : null;
  }
  const heading = byId(shown).querySelector("h1");
  document.title = heading.textContent;
  byId("status").textContent = "";
  if (shown === "events") search.requestSubmit();
  if (shown === "account") loadMember();
  return heading;
}

addEventListener("hashchange", () => showView().focus());
showView();
