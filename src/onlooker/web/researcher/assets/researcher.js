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
  prepare(live);
}

/** Show times as the clock of this computer does; UTC is in their titles. */
function localTimes(part) {
  for (const time of part.querySelectorAll("time[datetime]")) {
    const moment = new Date(time.dateTime);
    if (Number.isNaN(moment.getTime())) continue;
    time.title = time.textContent;
    time.textContent = moment.toLocaleString([], { dateStyle: "medium", timeStyle: "short" });
  }
}

/** Give the cells of large tables their heads, which a phone shows beside them. */
function labelCells(part) {
  for (const table of part.querySelectorAll("table")) {
    const heads = [...table.querySelectorAll("thead th")].map((head) => head.textContent);
    if (heads.length < 5) continue;
    table.classList.add("labelled");
    for (const row of table.querySelectorAll("tbody tr"))
      [...row.cells].forEach((cell, place) => (cell.dataset.label = heads[place]));
  }
}

function prepare(part) {
  localTimes(part);
  labelCells(part);
}

prepare(document);

if (address && live) {
  setInterval(() => refresh().catch(() => undefined), Number(document.body.dataset.liveSeconds) * 1000);
}
