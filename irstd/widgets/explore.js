// Draws the tables that score_explorer.py computes, and tells it what is chosen. Nothing is loaded from
// elsewhere, and names become text only, never HTML.

const HEIGHT = 250, LEFT = 42, TOP = 8, RIGHT = 8;

function make(tag, attributes = {}, ...children) {
  const drawn = /^(svg|g|line|circle|rect|path|text)$/.test(tag);
  const part = drawn ? document.createElementNS("http://www.w3.org/2000/svg", tag)
    : document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
  part.append(...children);
  return part;
}

const byName = new Intl.Collator("en", { numeric: true }).compare;
const bdi = (name, role = "") => make("bdi", { class: role }, name);
const shorter = (name, n = 5) => (name.length > 2 * n ? `${name.slice(0, n)}…${name.slice(1 - n)}` : name);
const whole = key => key === "rank" || key === "zeros";
const shown = (value, key) => (value === null ? "–" : value.toFixed(whole(key) ? 0 : 3));

/** Round numbers on an axis that reaches from low to high. */
function ticks(low, high) {
  const rough = (high - low) / 6 || 1, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find(times => times * power >= rough);
  const found = [];
  for (let i = Math.ceil(low / step - 1e-9); i * step <= high + 1e-9 * step; i++)
    found.push([i * step, (i * step).toFixed(Math.max(0, -Math.floor(Math.log10(step))))]);
  return found;
}

/** A picture and a table of the same rows: systems, or topics. */
class Panel {
  constructor(kind, model, choose) {
    Object.assign(this, { kind, model, choose, at: null, sort: null, falls: true, width: 420 });
    this.svg = make("svg", { tabindex: 0, role: "slider", "aria-valuemin": 1 });
    this.tip = make("div", { class: "tip", hidden: "" });
    this.table = make("table");
    this.title = make("strong");
    const save = make("button", { "aria-label": `Save the table of ${kind}s as CSV` }, "Save CSV");
    const scroll = make("div", { class: "scroll", tabindex: 0, role: "region",
      "aria-label": `table of ${kind}s` }, this.table);
    scroll.addEventListener("scroll", () => // so that names stay
      this.table.style.setProperty("--aside", `${scroll.scrollLeft}px`));
    this.root = make("section", { class: "panel", "aria-label": `${kind}s` },
      make("div", { class: "head" }, this.title, save), this.svg, this.tip, scroll);
    save.addEventListener("click", () => this.save());
    this.svg.addEventListener("pointermove", event => {
      // While the keyboard is at work, the page may scroll under a mouse that rests.
      const rests = !event.movementX && !event.movementY && document.activeElement === this.svg;
      if (!rests) this.point(this.nearest(event));
    });
    this.svg.addEventListener("pointerleave", () => this.point(null));
    this.svg.addEventListener("blur", () => this.point(null));
    this.svg.addEventListener("click", event => {
      this.point(this.nearest(event));
      this.take(event);
    });
    this.svg.addEventListener("keydown", event => this.key(event));
    this.watch = new ResizeObserver(([entry]) => { // asked for once: asking lays out the page
      if (this.width === entry.contentRect.width) return;
      this.width = entry.contentRect.width;
      this.draw();
    });
    this.watch.observe(this.root);
  }

  /** Take over what Python has computed. */
  update() {
    const given = this.model.get(`_${this.kind}s`), { columns, names, rows, show, sort } = given;
    const chosen = ["system", "other", "topic"].map(trait => this.model.get(trait)).join("\n");
    const known = given === this.given, marked = chosen === this.chosen;
    Object.assign(this, { given, chosen });
    if (known) return marked || this.mark();
    if (this.data?.sort !== sort || !(this.sort === "" || columns.includes(this.sort)))
      [this.sort, this.falls] = [sort, true];
    this.data = { columns, names, rows: [...rows], show, sort };
    this.order();
  }

  order() {
    const i = 1 + this.data.columns.indexOf(this.sort), sign = this.falls ? -1 : 1;
    const compare = i === 0 ? byName : (a, b) => a - b;
    this.data.rows.sort((a, b) => (a[i] === null) - (b[i] === null)
      || (a[i] === null ? 0 : sign * compare(a[i], b[i])));
    const at = this.data.rows.findIndex(row => row[0] === this.named);
    this.at = this.at === null || at < 0 ? null : at;
    this.fill();
    this.draw();
  }

  /** What is chosen now, in what is there. */
  mark() {
    this.data.rows.forEach((row, i) => (this.table.tBodies[0].rows[i].className = this.role(row)));
    this.draw();
  }

  value(row, key) {
    return row[1 + this.data.columns.indexOf(key)];
  }

  role(row) {
    if (this.kind === "topic") return row[0] === this.model.get("topic") ? "topic" : "";
    return ["system", "other"].find(name => row[0] === this.model.get(name)) ?? "";
  }

  header(key) {
    const name = this.data.names[key];
    return name ? bdi(name) : key || this.kind;
  }

  fill() {
    const head = make("tr");
    for (const key of ["", ...this.data.columns]) {
      const sorted = key === this.sort;
      const button = make("button", { title: this.header(key).textContent ?? this.header(key) },
        this.header(key), sorted ? (this.falls ? " ▾" : " ▴") : "");
      button.addEventListener("click", () => {
        this.falls = sorted ? !this.falls : key !== "" && key !== "rank";
        this.sort = key;
        this.order();
        this.table.querySelectorAll("thead button")[this.data.columns.indexOf(key) + 1].focus();
      });
      head.append(make("th", { scope: "col",
        "aria-sort": sorted ? (this.falls ? "descending" : "ascending") : "none" }, button));
    }
    const body = this.data.rows.map((row, i) => {
      const line = make("tr", { class: this.role(row) },
        make("th", { scope: "row", title: row[0] }, bdi(shorter(row[0], 9))),
        ...this.data.columns.map((key, j) => make("td", {}, shown(row[j + 1], key))));
      line.addEventListener("click", event => {
        this.at = i;
        this.take(event);
      });
      return line;
    });
    this.table.replaceChildren(make("thead", {}, head), make("tbody", {}, ...body));
  }

  draw() {
    if (!this.data || this.width <= LEFT + RIGHT) return; // it is hidden
    const { rows, show, names, columns } = this.data, [key, low, high] = show;
    const { width } = this, step = (width - LEFT - RIGHT) / (rows.length || 1);
    const named = step >= 6.5, bottom = HEIGHT - (named ? 76 : 22);
    const values = rows.flatMap(row => [...show, ...(this.line() ? ["mean"] : [])]
      .map(each => this.value(row, each))).filter(value => value !== null);
    const least = Math.min(0, ...values), bar = key === "difference" ? [0] : [];
    const most = Math.max(least + 1e-9, ...bar, ...values); // bars begin at 0
    const y = value => bottom - ((value - least) / (most - least)) * (bottom - TOP);
    this.x = i => LEFT + (i + 0.5) * step;
    const parts = !values.length ? [make("text", { x: LEFT, y: HEIGHT / 2 },
      `No ${this.kind} has a score to show.`)] : ticks(least, most).flatMap(([value, text]) => [
      make("line", { class: "grid", x1: LEFT, x2: width - RIGHT, y1: y(value), y2: y(value) }),
      make("text", { x: LEFT - 5, y: y(value) + 4, "text-anchor": "end" }, text)]);
    if (this.line() && values.length) {
      const path = rows.map((row, i) => [this.x(i), this.value(row, "mean")]).filter(p => p[1] !== null);
      parts.push(make("path", { class: "mean", d: `M${path.map(([a, b]) => `${a},${y(b)}`).join("L")}` }));
    }
    const last = rows.map((row, i) => [row, i]).sort((a, b) => !!this.role(a[0]) - !!this.role(b[0]));
    last.forEach(([row, i]) => { // the chosen ones over the others
      const value = this.value(row, key);
      if (value === null) return;
      const [x, end] = [this.x(i), y(value)], role = this.role(row);
      if (low && this.value(row, low) !== null) // an interval
        parts.push(make("line", { class: `point ${role}`, x1: x, x2: x,
          y1: y(this.value(row, low)), y2: y(this.value(row, high)) }));
      if (key === "difference") // system's bars up, other's bars down
        parts.push(make("rect", { class: `${value >= 0 ? "system" : "other"} ${role && "chosen"}`, x: x - step * 0.4,
          width: step * 0.8, y: Math.min(y(0), end), height: Math.abs(end - y(0)) }));
      else if (role === "other") // a square, where the first is a circle
        parts.push(make("rect", { class: role, x: x - 5, y: end - 5, width: 10, height: 10 }));
      else parts.push(make("circle", { class: `point ${role}`, cx: x, cy: end, r: role ? 6 : 3 }));
    });
    if (named)
      parts.push(make("g", { class: "names" }, ...rows.map((row, i) => make("text",
        { "text-anchor": "end", "font-size": Math.min(11, step + 1.5),
          transform: `translate(${this.x(i) + Math.min(11, step + 1.5) / 3},${bottom + 6}) rotate(-90)` },
        shorter(row[0])))));
    else
      parts.push(make("text", { x: LEFT, y: HEIGHT - 6 },
        `${rows.length} ${this.kind}s, by ${this.sort || this.kind}`));
    this.cursor = make("line", { class: "cursor", y1: TOP, y2: bottom, visibility: "hidden" });
    this.svg.replaceChildren(...parts, this.cursor);
    this.svg.setAttribute("aria-label", `${this.kind}s: arrow keys walk, Enter chooses, `
      + (this.kind === "system" ? "Shift+Enter compares, " : "") + "Escape forgets");
    this.svg.setAttribute("aria-valuemax", rows.length);
    const what = columns.includes("difference") ? [bdi(names.score, "one"), " − ", bdi(names.other, "two")]
      : names.score ? ["score ", this.kind === "topic" ? "of " : "on topic ", bdi(names.score)]
        : [this.kind === "topic" ? "mean of all systems" : "mean, 95% interval"];
    this.title.replaceChildren(`${this.kind}s: `, ...what);
    this.point(this.at);
  }

  /** Whether the mean of all systems is drawn beside a system's scores. */
  line() {
    return this.kind === "topic" && this.data.show[0] === "score";
  }

  nearest(event) {
    const x = event.clientX - this.svg.getBoundingClientRect().left, n = this.data.rows.length;
    const i = Math.round((x - this.x(0)) / (this.x(1) - this.x(0)));
    return n ? Math.max(0, Math.min(n - 1, i)) : null;
  }

  /** Name a point, for the eye and for a screen reader. */
  point(i) {
    this.at = i;
    const row = i === null ? undefined : this.data.rows[i];
    this.named = row?.[0];
    this.tip.hidden = !row;
    this.cursor.setAttribute("visibility", row ? "visible" : "hidden");
    if (!row) return this.svg.removeAttribute("aria-valuetext");
    const [key, low, high] = this.data.show, { names } = this.data;
    const said = [this.kind, " ", bdi(row[0])];
    if (names.score && key === "score") said.push(", ", this.kind === "system" ? "topic " : "",
      bdi(names.score));
    said.push(`: ${key} ${shown(this.value(row, key))}`);
    if (low) said.push(` [${shown(this.value(row, low))}, ${shown(this.value(row, high))}]`);
    if (key === "difference") said.push(" (", bdi(names.score), ` ${shown(this.value(row, "score"))}, `,
      bdi(names.other), ` ${shown(this.value(row, "other"))})`);
    this.tip.replaceChildren(...said);
    const x = this.x(i), beyond = x > this.width / 2;
    Object.assign(this.tip.style, { top: "26px", left: beyond ? "" : `${x + 8}px`,
      right: beyond ? `${this.width - x + 8}px` : "" });
    for (const end of ["x1", "x2"]) this.cursor.setAttribute(end, x);
    this.svg.setAttribute("aria-valuenow", i + 1);
    this.svg.setAttribute("aria-valuetext", this.tip.textContent);
  }

  key(event) {
    const n = this.data.rows.length, at = this.at ?? -1;
    const to = { ArrowRight: at + 1, ArrowDown: at + 1, ArrowLeft: at - 1, ArrowUp: at - 1,
      Home: 0, End: n - 1, PageDown: at + 10, PageUp: at - 10 }[event.key]; // as in the table
    if (to !== undefined && n) this.point(Math.max(0, Math.min(n - 1, to)));
    else if (event.key === "Enter" || event.key === " ") this.take(event);
    else if (event.key === "Escape") this.choose(this.kind, null);
    else return;
    event.preventDefault();
  }

  take(event) {
    const name = this.data.rows[this.at]?.[0];
    const second = this.kind === "system" && event.shiftKey && this.model.get("system") !== null;
    if (name === undefined || (second && name === this.model.get("system"))) return; // it is not compared with itself
    const trait = second ? "other" : this.kind;
    this.choose(trait, this.model.get(trait) === name ? null : name);
  }

  save() {
    const quoted = value => (value === null ? "" : `"${String(value).replaceAll('"', '""')}"`);
    const { columns, names, rows } = this.data;
    const lines = [[this.kind, ...columns.map(key => names[key] ?? key)], ...rows];
    const text = lines.map(line => line.map(value => (typeof value === "number" ? value
      : quoted(value))).join(",")).join("\n");
    const link = make("a", { download: `${this.kind}s.csv`,
      href: URL.createObjectURL(new Blob([text, "\n"], { type: "text/csv" })) });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  }
}

function render({ model, el }) {
  const choose = (trait, value) => {
    model.set(trait, value);
    if (trait === "system" && (value === null || value === model.get("other"))) model.set("other", null);
    model.save_changes();
  };
  const panels = ["system", "topic"].map(kind => new Panel(kind, model, choose));
  const summary = make("p", { class: "summary", role: "status" });
  const controls = make("div", { class: "controls" });
  const lists = {};
  const list = (trait, text) => {
    lists[trait] = make("select", { "aria-label": text });
    lists[trait].addEventListener("change", () => choose(trait, lists[trait].value.slice(1) || null));
    controls.append(make("label", {}, text, lists[trait]));
  };
  /** The choices of a list; a first letter keeps an empty name apart from no choice. */
  const offer = (trait, names, none) => {
    if (lists[trait].names !== names.join("\n")) {
      const options = names.map(name => make("option", { value: `=${name}` }, name));
      if (none) options.unshift(make("option", { value: "" }, none));
      lists[trait].replaceChildren(...options);
      lists[trait].names = names.join("\n");
    }
    lists[trait].value = model.get(trait) === null ? "" : `=${model.get(trait)}`;
  };
  const find = make("input", { type: "search", "aria-label": "find topics",
    placeholder: "ids, or parts of them" });
  find.addEventListener("input", () => choose("find", find.value));

  list("form", "scores");
  list("system", "system");
  list("other", "compare with");
  list("topic", "topic");
  controls.append(make("label", {}, "find topics", find));

  const update = () => {
    panels.forEach(panel => panel.update());
    const topics = panels[1].data.rows.map(row => row[0]).sort(byName);
    const choices = model.get("_choices"), systems = [...choices.system].sort(byName);
    offer("form", choices.form);
    offer("system", systems, "(none)");
    offer("other", systems.filter(name => name !== model.get("system")), "(none)");
    offer("topic", topics, "(none)");
    lists.other.disabled = model.get("system") === null;
    if (find.value !== model.get("find")) find.value = model.get("find");
    const [system, other, topic] = ["system", "other", "topic"].map(trait => model.get(trait));
    const who = system !== null ? (other !== null ? [bdi(system), " against ", bdi(other), ": "]
      : [bdi(system), ": "]) : topic !== null ? ["topic ", bdi(topic), ": "] : [];
    summary.replaceChildren(...who, model.get("summary"));
  };
  // JupyterLab, where x cuts a cell, leaves keys to a part with this attribute; Ctrl+S still saves.
  const pass = event => el.contains(event.target)
    && event.target.toggleAttribute("data-lm-suppress-shortcuts", !(event.ctrlKey || event.metaKey));
  window.addEventListener("keydown", pass, true);
  el.classList.add("irstd-explore");
  el.append(controls, summary, make("div", { class: "panels" }, ...panels.map(panel => panel.root)));
  let waiting;
  const later = () => { // once for all that arrives together
    cancelAnimationFrame(waiting);
    waiting = requestAnimationFrame(update);
  };
  const events = ["form", "find", "system", "other", "topic", "summary", "_systems", "_topics"].map(trait => `change:${trait}`);
  events.forEach(event => model.on(event, later));
  update();
  return () => {
    events.forEach(event => model.off(event, later));
    window.removeEventListener("keydown", pass, true);
    panels.forEach(panel => panel.watch.disconnect());
  };
}

export default { render };
