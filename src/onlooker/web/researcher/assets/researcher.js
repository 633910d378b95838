// Refreshes the live part of the dashboard; without it the page must be reloaded.

const SECONDS = 10;
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
  setInterval(() => refresh().catch(() => undefined), SECONDS * 1000);
}
