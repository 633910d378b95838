// Keeps the live part of the dashboard fresh; without it the page is reloaded by hand.

const SECONDS = 10;
const address = document.body.dataset.live;
const live = document.getElementById("live");

/** Replace the live part, unless somebody is at work in it. */
async function refresh() {
  if (document.hidden || live.contains(document.activeElement)) return;
  const response = await fetch(address, { redirect: "manual" });
  if (response.type === "opaqueredirect") location.reload();
  if (response.ok) live.innerHTML = await response.text();
}

if (address && live) {
  setInterval(() => refresh().catch(() => undefined), SECONDS * 1000);
}
