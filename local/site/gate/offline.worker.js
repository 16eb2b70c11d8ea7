// Serves the page of gates without network, from what `offline.js` kept. With a network, the page is always the newest,
// and its files have addresses with the hash of their version. Requests to the service do not pass through here.

self.addEventListener("install", () => /** @type {any} */ (self).skipWaiting());
self.addEventListener("fetch", (/** @type {any} */ event) => {
  const { request } = event;
  if (request.mode === "navigate") event.respondWith(fetch(request).catch(error => findKept("/gate", error)));
  else if (new URL(request.url).pathname.startsWith("/site/"))
    event.respondWith(findKept(request).catch(() => fetch(request)));
});

/** Returns what is kept for a request, or throws. */
async function findKept(request, error = new Error("not kept")) {
  const kept = await caches.match(request);
  if (!kept) throw error;
  return kept;
}
