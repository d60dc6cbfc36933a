"use strict";
// Tables are complete without this: it only sorts rows by a click on a heading and hides rows that a search does not find.
for (const table of document.querySelectorAll("table")) {
  const body = table.tBodies[0];
  const rows = Array.from(body.rows);
  const heads = Array.from(table.tHead.rows[0].cells);
  const value = (row, i) => row.cells[i].textContent;
  const number = (text) => (text.trim() === "" ? Infinity : Number(text));
  heads.forEach((head, i) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    const numeric = head.classList.contains("n");
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const sorted = rows.slice().sort((a, b) =>
        numeric ? number(value(a, i)) - number(value(b, i)) : value(a, i).localeCompare(value(b, i), "en", { numeric: true }));
      body.append(...(down ? sorted.reverse() : sorted));
    });
  });
}
for (const input of document.querySelectorAll("input[data-filters]")) {
  const rows = Array.from(document.getElementById(input.dataset.filters).tBodies[0].rows);
  const texts = rows.map((row) => row.textContent.toLowerCase());
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      shown += row.hidden ? 0 : 1;
    });
    input.parentElement.querySelector("output").textContent = `${shown} of ${rows.length} rows`;
  });
}
