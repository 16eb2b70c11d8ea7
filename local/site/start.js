// Says that a page could not be loaded, if a module of it is missing or throws while the page has no content. Its tag
// is before that of the page's module, so it listens first.

addEventListener("error", ({ target }) => showFailure(target), true);
addEventListener("unhandledrejection", () => showFailure(window));

/** @param {EventTarget | null} target Where an error happened: the window for code, an element for its file */
function showFailure(target) {
  const main = document.querySelector("main");
  const template = /** @type {HTMLTemplateElement} */ (document.getElementById("failure"));
  if (!main || main.innerText.trim() || !(target === window || target instanceof HTMLScriptElement)) return;
  main.replaceChildren(template.content.cloneNode(true));
  main.querySelector("button")?.addEventListener("click", () => location.reload());
}
