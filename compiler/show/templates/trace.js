"use strict";
// In: the recordings of the data block. Out: the page. All foreign text is written with textContent.
const recordings = JSON.parse(document.getElementById("data").textContent);
const at = (id) => document.getElementById(id);
const KINDS = ["open", "close", "dropped", "malformed", "held"];
const SAID = { open: "opening delimiter", close: "closing delimiter", dropped: "dropped", malformed: "malformed", held: "held" };
let shown = recordings[0];
let current = -1;

function made(tag, classes, text) {
  const element = document.createElement(tag);
  element.className = classes.filter(Boolean).join(" ");
  element.textContent = text;
  return element;
}

const hue = (number) => (number < 0 ? "" : "hue" + number);

// The message after step `position`, as text: keys stay in the parser's order, values are JSON that Python printed.
function messageAt(position) {
  let message = new Map();
  for (const { change } of shown.steps.slice(0, position + 1)) {
    if (!change) continue;
    const next = new Map();
    for (const key of change.keys) {
      const before = message.get(key);
      if (Object.hasOwn(change.new, key)) next.set(key, change.new[key]);
      else if (Object.hasOwn(change.more, key)) next.set(key, { shape: before.shape, text: before.text.concat(change.more[key]) });
      else next.set(key, before);
    }
    message = next;
  }
  const members = [...message].map(([key, value]) => "  " + JSON.stringify(key) + ": " + printed(value));
  return members.length ? "{\n" + members.join(",\n") + "\n}" : "{}";
}

function printed({ shape, text }) {
  if (shape === "string") return '"' + text.join("") + '"';
  if (shape === "list" && text.length) return "[\n    " + text.join(",\n    ") + "\n  ]";
  return shape === "list" ? "[]" : text[0];
}

function showText(position) {
  const { fed, read } = shown.steps[position];
  const pieces = [];
  shown.stretches.forEach((stretch, number) => {
    const cuts = [stretch.start, read, fed, shown.prefixEnd, stretch.end]
      .filter((cut) => cut >= stretch.start && cut <= stretch.end)
      .sort((a, b) => a - b);
    for (let i = 1; i < cuts.length; i += 1) {
      const [start, end] = [cuts[i - 1], cuts[i]];
      if (start === end) continue;
      const state = start >= fed ? "ahead" : start >= read ? "held" : "";
      const prompt = end <= shown.prefixEnd && "prompt";
      const colour = stretch.kind === "malformed" || stretch.kind === "dropped" ? "" : hue(stretch.hue);
      const piece = made("span", [state !== "held" && stretch.kind, colour, state, prompt], shown.text.slice(start, end));
      piece.dataset.stretch = number;
      piece.title = stretch.label;
      if (number === current) piece.classList.add("current");
      pieces.push(piece);
    }
  });
  at("text").replaceChildren(...pieces);
}

function show(position) {
  const { fed, read } = shown.steps[position];
  const last = shown.steps.length - 1;
  const end = position === last ? "end of the text" : "step " + position + " of " + last;
  at("progress").textContent = end + (fed > read ? ", " + [...shown.text.slice(read, fed)].length + " held" : "");
  at("position").setAttribute("aria-valuetext", at("progress").textContent);
  showText(position);
  at("message").textContent = messageAt(position);
  [...at("events").children].forEach((row, number) => {
    const event = shown.events[number];
    row.classList.toggle("ahead", event.first > position);
    row.classList.toggle("now", event.first <= position && position <= event.last);
  });
}

function point(number) {
  current = number;
  for (const piece of at("text").children) piece.classList.toggle("current", Number(piece.dataset.stretch) === number);
  if (number >= 0) at("detail").textContent = shown.stretches[number].label;
}

function open(recording) {
  shown = recording;
  current = -1;
  at("warning").hidden = shown.hasAnchor;
  at("legend").replaceChildren(
    ...shown.fields.map((field, number) => made("li", [hue(number % 8)], field)),
    ...KINDS.map((kind) => made("li", [kind], SAID[kind])),
  );
  at("refused").hidden = !shown.errors.length;
  at("errors").textContent = shown.errors.join("\n\n");
  at("events").replaceChildren(
    ...shown.events.map((event) => {
      const row = made("li", [hue(event.hue), event.type === "region_malformed" && "malformed"], "");
      const button = made("button", [], event.type + " " + event.words);
      button.type = "button";
      button.addEventListener("click", () => move(event.last));
      row.append(button);
      return row;
    }),
  );
  at("position").max = shown.steps.length - 1;
  move(shown.steps.length - 1);
}

function move(position) {
  at("position").value = position;
  show(position);
}

at("replay").addEventListener("submit", (event) => event.preventDefault());
at("position").addEventListener("input", () => show(Number(at("position").value)));
at("text").addEventListener("mouseover", (event) => {
  if (event.target.dataset.stretch !== undefined) point(Number(event.target.dataset.stretch));
});
at("text").addEventListener("keydown", (event) => {
  const moves = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: shown.stretches.length - 1 };
  if (!Object.hasOwn(moves, event.key) || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  point(Math.max(0, Math.min(shown.stretches.length - 1, moves[event.key])));
});
at("generation").append(...recordings.map((recording, number) => new Option(recording.title || String(number + 1), number)));
at("generation").addEventListener("change", () => open(recordings[Number(at("generation").value)]));
at("pick").hidden = recordings.length < 2;
open(shown);
