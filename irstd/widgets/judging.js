// A question, a document, buttons; the keys do the same while the widget has the focus.
const CHOICES = { 2: "2 · does it", 1: "1 · helps", 0: "0 · no", u: "unsure", ArrowLeft: "← back" };
const ORDER = ["2", "1", "0", "u", "ArrowLeft"];
const STYLE = {
  div: "border:1px solid #999;padding:8px 12px;max-width:60em",
  pre: "white-space:pre-wrap;height:18em;overflow:auto;border:1px solid #999;padding:8px",
  button: "padding:4px 10px;margin-right:6px",
};

function make(tag, parent) {
  const element = document.createElement(tag);
  element.style.cssText = STYLE[tag] ?? "margin:0 0 6px";
  parent.append(element);
  return element;
}

function render({ model, el }) {
  const root = make("div", el);
  root.tabIndex = 0;
  root.dataset.lmSuppressShortcuts = "true"; // JupyterLab leaves the keys to the widget
  const [question, title] = [make("b", root), make("p", root)];
  title.setAttribute("aria-live", "polite");
  const text = make("pre", root);
  const buttons = ORDER.map((key) => {
    const button = make("button", root);
    button.textContent = CHOICES[key];
    button.onclick = () => act(key);
    return button;
  });
  const grade = (name) => model.get("grades")[name];

  function act(key) {
    const names = model.get("names");
    let at = model.get("at");
    if (key in { 2: 0, 1: 0, 0: 0 }) {
      model.set("grades", { ...model.get("grades"), [names[at]]: Number(key) });
    }
    if (key === "ArrowLeft") {
      at = Math.max(0, at - 1);
    } else {
      const later = names.map((_, n) => (at + 1 + n) % names.length); // from here on, then the rest
      at = later.find((n) => grade(names[n]) === undefined) ?? at;
    }
    model.set("at", at);
    model.save_changes();
  }

  function show() {
    const [names, at] = [model.get("names"), model.get("at")];
    const judged = names.filter((name) => grade(name) !== undefined).length;
    question.textContent = model.get("question");
    title.textContent = `Document ${at + 1} of ${names.length}: ${names[at]} · ${judged} judged`;
    text.textContent = model.get("texts")[at];
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
  show();
}

export default { render };
