// Refreshes the live part of a page and shows times as local times; without it the page must be
// reloaded, and times are UTC.

const address = document.body.dataset.live;
const live = document.getElementById("live");

/** Replace the live part, unless the focus is in it; say so if the server does not answer. */
async function refresh() {
  if (document.hidden || live.contains(document.activeElement)) return;
  const response = await fetch(address, { redirect: "manual" }).catch(() => null);
  if (response?.type === "opaqueredirect") return location.reload();
  if (!response?.ok)
    return announce("The server does not answer. The figures below are not up to date.");
  live.innerHTML = await response.text();
  prepare(live);
  announce([...live.querySelectorAll(".alarm")].map((alarm) => alarm.textContent).join(" "));
}

/** Announce something once, not with every refresh. */
function announce(text) {
  const news = document.getElementById("news");
  if (news && news.textContent !== text) news.textContent = text;
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
  setInterval(refresh, Number(document.body.dataset.liveSeconds) * 1000);
}
