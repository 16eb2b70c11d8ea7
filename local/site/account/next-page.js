// Page to which a visitor returns after a login: the parameter `next` of the address.

/** Returns the address after a login: `next` if it is a page of this site, otherwise the first page. */
function addressAfterLogin() {
  const next = new URLSearchParams(location.search).get("next") ?? "";
  const isPath = /^\/(?![/\\])/.test(next) && URL.canParse(next, location.origin);
  // A browser leaves out tabs and line breaks, so only its own reading tells where a path leads.
  const url = new URL(isPath ? next : "/", location.origin);
  return url.origin === location.origin ? url.href : "/";
}

/** Leaves the page. The promise stays pending, so that the form stays busy meanwhile. */
export function returnAfterLogin() {
  location.replace(addressAfterLogin());
  return new Promise(() => {});
}
