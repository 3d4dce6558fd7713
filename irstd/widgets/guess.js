function render({ model, el }) {
  el.innerHTML = model.get("card");
  const note = document.createElement("p");
  el.firstChild.append(note);
  const options = [...el.querySelectorAll("details")];
  const nameOf = (option) => option.querySelector("summary").textContent;
  const show = () => {
    const guess = model.get("guess");
    note.textContent = guess && `Your guess: ${guess}`;
  };
  const guessed = options.find((option) => nameOf(option) === model.get("guess"));
  if (guessed) guessed.open = true;
  for (const option of options)
    option.addEventListener("toggle", () => {
      if (!option.open || model.get("guess")) return;
      model.set("guess", nameOf(option));
      model.save_changes();
      show();
    });
  show();
}
export default { render };
