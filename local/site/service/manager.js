// Identity of a manager: the id in an open deployment, or a token if the deployment verifies managers.

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Returns the headers that identify the manager; null if nobody has entered an id or a token. */
export function readManager() {
  const identity = sessionStorage.getItem("manager");
  if (!identity) return null;
  return UUID.test(identity) ? { "x-api-managerId": identity } : { Authorization: `Bearer ${identity}` };
}

/** Keeps the identity until the tab is closed. */
export function writeManager(identity) {
  if (identity) sessionStorage.setItem("manager", identity.trim());
  else sessionStorage.removeItem("manager");
}
