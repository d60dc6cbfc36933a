"use strict";
// The page is complete without this. With it tables sort and are searched, code is copied, and the reader's own
// preference chooses: every view was made with the page, nothing is computed here.
const all = (selector, from = document) => Array.from(from.querySelectorAll(selector));

// Sorting: the first number in a cell, whatever stands around it; cells without one come last.
const number = (text) => {
  const found = text.replace(/−/g, "-").replace(/,(?=\d{3})/g, "").match(/[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?/i);
  return found ? Number(found[0]) : Infinity;
};
for (const table of all("details table")) {
  const body = table.tBodies[0], rows = Array.from(body.rows), heads = Array.from(table.tHead.rows[0].cells);
  heads.forEach((head, i) => {
    const button = document.createElement("button"), numeric = head.classList.contains("n");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const down = head.getAttribute("aria-sort") === "ascending";
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const text = (row) => row.cells[i].textContent;
      const sorted = rows.slice().sort((a, b) => numeric ? (number(text(a)) - number(text(b))) || 0
        : text(a).localeCompare(text(b), "en", { numeric: true }));
      body.append(...(down ? sorted.reverse() : sorted));
    });
  });
}

for (const input of all("input[data-filters]")) {
  const rows = Array.from(document.getElementById(input.dataset.filters).tBodies[0].rows);
  const texts = rows.map((row) => row.textContent.toLowerCase());
  input.addEventListener("input", () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    rows.forEach((row, i) => { row.hidden = !words.every((word) => texts[i].includes(word)); });
    const shown = rows.filter((row) => !row.hidden).length;
    input.parentElement.querySelector("output").textContent = `${shown} of ${rows.length} rows`;
  });
}

// Copying: code as it is, the answer in one line.
const copier = (text) => {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(text());
      button.textContent = "Copied";
    } catch {
      button.textContent = "Select and copy by hand";
    }
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  });
  return button;
};
for (const pre of all("pre")) pre.before(copier(() => pre.textContent));
const heading = document.querySelector("h1"), sentence = document.querySelector(".sentence");
const changed = document.getElementById("changed");
const isChanged = () => changed && !changed.hidden;
if (sentence) {
  sentence.append(" ", copier(() => [heading.textContent + ".", sentence.firstChild.textContent.trim(),
    isChanged() ? "The preference was set after the results were seen." : ""].join(" ").trim()));
}

const more = document.getElementById("more");
if (more) more.addEventListener("click", () => { document.getElementById("learners").classList.add("all"); more.parentElement.remove(); });

// The reader's preference: whoever is first of the list is chosen.
const data = document.getElementById("views");
if (data) {
  const { preferred, given, views } = JSON.parse(data.textContent);
  const list = document.querySelector(".choices ol"), first = Array.from(list.children);
  const body = document.getElementById("learners").tBodies[0], rows = Array.from(body.rows);
  const head = document.getElementById("heading"), axis = document.querySelector("#learners .axis");
  const careful = document.querySelector(".careful"), below = document.getElementById("below");
  const move = (element, places) => {
    for (const [name, place] of Object.entries(places)) {
      element.setAttribute("visibility", place === null ? "hidden" : "visible");
      if (place !== null) element.setAttribute(name, `${place}%`);
    }
  };
  const show = (view) => {
    heading.textContent = view.title;
    sentence.firstChild.textContent = view.sentence + " ";
    careful.hidden = !view.careful;
    if (view.careful) {
      const [seen, code, more] = view.careful, [link, others] = all("a", careful);
      careful.querySelector("span").textContent = seen;
      link.textContent = code;
      link.hash = document.getElementById(`advice-${code}`) ? `advice-${code}` : "advice";
      others.textContent = more;
      others.hidden = !more;
    }
    if (head) {
      head.textContent = view.heading;
      axis.replaceChildren(...view.ticks.map(([place, text]) => {
        const tick = document.createElementNS("http://www.w3.org/2000/svg", "text");
        tick.setAttribute("x", `${place}%`);
        tick.setAttribute("y", "11");
        tick.textContent = text;
        return tick;
      }));
    }
    document.getElementById("beside").textContent = view.beside;
    for (const [i, said, finding, state, low, at, high] of view.rows) {
      const row = rows[i], drawn = row.querySelector(".drawn");
      row.className = state;
      if (drawn) {
        const [zero, span] = all("line", drawn);
        move(zero, { x1: view.zero, x2: view.zero });
        move(span, { x1: low, x2: high });
        move(drawn.querySelector("circle"), { cx: at });
        drawn.querySelector("span").textContent = said;
      }
      row.querySelector(".finding").textContent = finding;
      body.append(row);
    }
  };
  const others = (item) => Array.from(list.children).filter((each) => each !== item);
  const place = (item, at) => {
    list.insertBefore(item, others(item)[Math.max(0, at)] || null);
    changed.hidden = preferred && Array.from(list.children).every((each, i) => each === first[i]);
    follow();
  };
  const follow = () => {
    below.hidden = changed.hidden;
    show(changed.hidden ? given : views[first.indexOf(list.firstElementChild)]);
  };
  changed.querySelector("button").addEventListener("click", () => {
    list.append(...first);
    changed.hidden = true;
    follow();
  });
  for (const item of first) {
    const button = item.firstElementChild;
    let start = null, dragged = false;
    button.addEventListener("keydown", (event) => {
      const step = { ArrowLeft: -1, ArrowUp: -1, ArrowRight: 1, ArrowDown: 1 }[event.key];
      if (step) {
        event.preventDefault();
        place(item, Array.from(list.children).indexOf(item) + step);
        button.focus();
      }
    });
    button.addEventListener("pointerdown", (event) => {
      start = [event.clientX, event.clientY];
      dragged = false;
      button.setPointerCapture(event.pointerId);
    });
    button.addEventListener("pointermove", (event) => {
      if (!start || Math.hypot(event.clientX - start[0], event.clientY - start[1]) < 6) return;
      dragged = true;
      item.classList.add("dragged");
      const before = others(item).filter((each) => {
        const { left, right, top, bottom } = each.getBoundingClientRect();
        return bottom < event.clientY || (top <= event.clientY && (left + right) / 2 < event.clientX);
      });
      if (before.length !== Array.from(list.children).indexOf(item)) {
        place(item, before.length);
        button.setPointerCapture(event.pointerId);
      }
    });
    const end = () => { start = null; item.classList.remove("dragged"); };
    button.addEventListener("pointerup", end);
    button.addEventListener("pointercancel", end);
    button.addEventListener("click", () => {
      if (!dragged) { place(item, 0); button.focus(); }
      dragged = false;
    });
  }
}

// A link into a closed section opens it.
const open = () => {
  const target = location.hash && document.getElementById(location.hash.slice(1));
  const section = target && target.closest("details");
  if (section) {
    section.open = true;
    target.scrollIntoView();
  }
};
addEventListener("hashchange", open);
open();
