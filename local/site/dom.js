// Elements of a page, built without markup in scripts, so that no text of the service can become markup.

// Properties that scripts cannot set.
const ATTRIBUTES = ["list", "form", "role"];

/**
 * Creates an element with properties; names with a hyphen and unknown ones become attributes. Its content is one child
 * or a list of them, in which those that are missing or empty are left out.
 * @template {keyof HTMLElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Properties<Tag>} properties
 * @param {Child | Child[]} content
 */
export function create(tag, properties = {}, content = []) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (name === "dataset") Object.assign(element.dataset, value);
    else if (name.includes("-") || ATTRIBUTES.includes(name) || !(name in element))
      element.setAttribute(name, String(value));
    else element[name] = value;
  }
  const children = [content].flat().filter(child => child || child === 0);
  element.append(.../** @type {(Node | string)[]} */ (children));
  return element;
}

/**
 * Replaces the children of an element; those that are missing or empty are left out. Children that stay are not moved,
 * so that they keep the focus.
 * @param {Element} element
 * @param {(Node | "" | false | undefined)[]} children
 */
export function updateChildren(element, children) {
  const next = /** @type {Node[]} */ (children.filter(Boolean));
  for (const child of [...element.childNodes]) if (!next.includes(child)) child.remove();
  for (const [index, child] of next.entries())
    if (element.childNodes[index] !== child) element.insertBefore(child, element.childNodes[index] ?? null);
}

const SVG = "http://www.w3.org/2000/svg";

/**
 * @template {keyof SVGElementTagNameMap} Tag
 * @param {Tag} tag
 * @param {Record<string, any>} attributes
 * @param {Node | string | Node[]} children
 */
export function createSvg(tag, attributes = {}, children = []) {
  const element = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  element.append(...[children].flat());
  return element;
}

/** Creates an icon of `icons.svg`. It says nothing to screen readers, so its neighbour or label must. */
export function icon(name) {
  const use = createSvg("use", { href: `${new URL("icons.svg", import.meta.url)}#${name}` });
  return createSvg("svg", { class: "icon", "aria-hidden": "true", width: 20, height: 20 }, use);
}

/**
 * @param {Child | Child[]} label
 * @param {(event: Event) => unknown} action
 * @param {Properties<"button">} properties
 */
export function createButton(label, action, properties = {}) {
  const button = create("button", { type: "button", ...properties }, label);
  button.addEventListener("click", action);
  return button;
}

/**
 * Listens to an event that another part of the page sends. The listener receives its details.
 * @param {EventTarget} target
 * @param {string} type
 * @param {(detail: any) => void} listener
 */
export function listen(target, type, listener) {
  target.addEventListener(type, event => listener(/** @type {CustomEvent} */ (event).detail));
}

/** Returns an element of the page by its id. */
export const byId = id => /** @type {HTMLElement} */ (document.getElementById(id));

/**
 * Moves the focus to the first element for a selector, if there is one.
 * @param {ParentNode | null | undefined} parent
 * @param {string} selector
 * @param {FocusOptions} [options]
 */
export function focusFirst(parent, selector, options) {
  /** @type {HTMLElement | null | undefined} */
  const found = parent?.querySelector(selector);
  found?.focus(options);
}

/** Returns the ids in the address of the page, such as `/events/<event>/shows/<show>`, also below `/manager`. */
export function idsOfAddress() {
  const [, , eventId, , showId] = location.pathname.replace(/^\/manager/, "").split("/");
  return { eventId, showId };
}
