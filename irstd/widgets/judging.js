// A question, a document, buttons; the keys do the same while the widget has the focus.
const CHOICES = { 2: "2 · does it", 1: "1 · helps", 0: "0 · no", u: "u · unsure", ArrowLeft: "← back" };
const ORDER = ["2", "1", "0", "u", "ArrowLeft"];
const PATIENCE = 3000; // ms until a grade that the kernel has not confirmed is said to be lost
const STYLE = {
  div: "border:1px solid #999;padding:8px 12px;max-width:60em",
  pre: "white-space:pre-wrap;height:18em;overflow:auto;border:1px solid #999;padding:8px;margin:0 0 8px",
  button: "padding:4px 10px;margin-right:6px",
};

function make(tag, parent) {
  const element = document.createElement(tag);
  element.style.cssText = STYLE[tag] ?? "margin:0 0 6px";
  parent.append(element);
  return element;
}

function render({ model, el }) {
  // JupyterLab, where x cuts a cell, leaves keys to a part with this attribute; Ctrl+S still saves.
  const pass = (event) => el.contains(event.target)
    && event.target.toggleAttribute("data-lm-suppress-shortcuts", !(event.ctrlKey || event.metaKey));
  window.addEventListener("keydown", pass, true);
  const root = make("div", el);
  root.className = "irstd-judge";
  root.tabIndex = 0;
  const [question, title] = [make("b", root), make("p", root)];
  title.setAttribute("aria-live", "polite");
  const text = make("pre", root);
  text.tabIndex = 0; // so that arrow keys scroll it
  text.setAttribute("aria-label", "the document, or the grades once all are judged");
  const buttons = ORDER.map((key) => {
    const button = make("button", root);
    button.textContent = CHOICES[key];
    button.onclick = () => act(key);
    return button;
  });
  const alarm = make("p", root);
  alarm.setAttribute("role", "alert");
  alarm.style.cssText = "margin:8px 0 0;font-weight:700";
  const grade = (name) => model.get("grades")[name];
  let timer;

  function act(key) {
    const names = model.get("names");
    let at = model.get("at");
    if (at === names.length && key !== "ArrowLeft") return; // all are judged
    if (key !== "ArrowLeft") {
      const { [names[at]]: _, ...grades } = model.get("grades"); // unsure takes a grade back
      model.set("grades", key === "u" ? grades : { ...grades, [names[at]]: Number(key) });
    }
    if (key === "ArrowLeft") {
      at = Math.max(0, at - 1);
    } else {
      const later = names.map((_, n) => (at + 1 + n) % names.length); // from here on, then the rest
      at = later.find((n) => grade(names[n]) === undefined) ?? names.length;
    }
    model.set("at", at);
    model.save_changes();
    clearTimeout(timer);
    timer = setTimeout(warn, PATIENCE);
  }

  function warn() {
    const [kept, why] = [model.get("kept"), model.get("trouble") || "The kernel is busy or gone."];
    const lost = model.get("names").filter((name) => kept[name] !== grade(name)).length;
    alarm.textContent = lost ? `Not in the file: ${lost} of your grades. ${why}` : "";
  }

  /** How far the grades are those of the collection. */
  function agreement() {
    const theirs = model.get("theirs");
    const both = model.get("names").filter((name) => name in theirs);
    if (!both.length) return "All judged.";
    const same = both.filter((name) => theirs[name] === grade(name)).length;
    const alike = both.filter((name) => theirs[name] > 0 === grade(name) > 0).length;
    return `All judged. You and the collection agree on ${alike} of ${both.length}, right or not; `
      + `on the grade, on ${same}.`;
  }

  function comparison() {
    const theirs = model.get("theirs");
    const lines = model.get("names").map((name) =>
      `${name}: you ${grade(name)}` + (name in theirs ? `, the collection ${theirs[name]}` : ""));
    return lines.join("\n");
  }

  function show() {
    const [names, at] = [model.get("names"), model.get("at")];
    const atEnd = at === names.length;
    const judged = names.filter((name) => grade(name) !== undefined).length;
    question.textContent = model.get("question");
    const done = judged === names.length ? "all judged" : `${judged} judged`;
    title.textContent = atEnd ? agreement()
      : `Document ${at + 1} of ${names.length}: ${names[at]} · ${done}`;
    text.textContent = atEnd ? comparison() : model.get("texts")[at];
    text.scrollTop = 0;
    ORDER.forEach((key, n) => buttons[n].setAttribute("aria-pressed", key === `${grade(names[at])}`));
    ORDER.forEach((key, n) => (buttons[n].style.fontWeight = key === `${grade(names[at])}` ? 700 : 400));
  }

  root.onkeydown = (event) => {
    const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
    if (!ORDER.includes(key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    act(key);
  };
  model.on("change:grades change:at", show);
  model.on("change:trouble", warn);
  model.on("change:kept", () => alarm.textContent && warn());
  show();
  return () => {
    clearTimeout(timer);
    window.removeEventListener("keydown", pass, true);
  };
}

export default { render };
