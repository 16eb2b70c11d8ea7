// Dialogs with a title and a button that closes them.

import { create, createButton, focusFirst, icon } from "../dom.js";

/**
 * Opens a dialog and returns it. It is removed when it closes, so no field of it keeps a password.
 * @param {string} title
 * @param {Child[]} content
 */
export function openDialog(title, ...content) {
  const heading = create("h2", { id: "dialog-title" }, title);
  const close = createButton(icon("close"), () => dialog.close(), { className: "plain", "aria-label": "닫기" });
  const dialog = create("dialog", { "aria-labelledby": "dialog-title" }, [
    create("header", {}, [heading, close]),
    ...content,
  ]);
  dialog.addEventListener("close", () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
  focusFirst(dialog, "input:not([type=hidden]), textarea, form button");
  return dialog;
}
