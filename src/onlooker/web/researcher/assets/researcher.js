// Refreshes the live part of a page; without it the page must be reloaded.

const address = document.body.dataset.live;
const live = document.getElementById("live");

/** Replace the live part, unless the focus is in it. */
async function refresh() {
  if (document.hidden || live.contains(document.activeElement)) return;
  const response = await fetch(address, { redirect: "manual" });
  if (response.type === "opaqueredirect") location.reload();
  if (response.ok) live.innerHTML = await response.text();
}

if (address && live) {
  setInterval(() => refresh().catch(() => undefined), Number(document.body.dataset.liveSeconds) * 1000);
}
