// Refreshes the live part of a page and shows times as local times; without it the page must be
// reloaded, and times are UTC.

const address = document.body.dataset.live;
const live = document.getElementById("live");

/** Replace the live part, unless the focus is in it. */
async function refresh() {
  if (document.hidden || live.contains(document.activeElement)) return;
  const response = await fetch(address, { redirect: "manual" });
  if (response.type === "opaqueredirect") location.reload();
  if (!response.ok) return;
  live.innerHTML = await response.text();
  localTimes(live);
}

/** Show times as the clock of this computer does; UTC is in their titles. */
function localTimes(part) {
  for (const time of part.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    time.title = time.textContent;
    time.textContent = moment.toLocaleString([], { dateStyle: "medium", timeStyle: "medium" });
  }
}

localTimes(document);

if (address && live) {
  setInterval(() => refresh().catch(() => undefined), Number(document.body.dataset.liveSeconds) * 1000);
}
