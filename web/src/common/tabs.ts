// Tabs: one panel at a time on the screen, all of them, with their names, on paper. Arrow keys, Home and End go from one
// tab to the next, as the guidelines for accessible tabs have it.
//
//   section.append(tabs("Model", [{ name: "one", panel: () => h("p", {}, "...") }, ...]));

import { h, newId } from "./dom";

export interface Tab {
  name: string;
  mark?: string; ///< a colour
  panel: () => HTMLElement; ///< made when it is first needed
}

export function tabs(label: string, all: Tab[], first = 0): HTMLElement {
  const ids = all.map(() => newId("tab"));
  const buttons = all.map((tab, i) => {
    const mark = tab.mark ? h("span", { class: "dot" }) : null;
    if (mark) mark.style.background = tab.mark ?? "";
    return h(
      "button",
      { type: "button", role: "tab", id: ids[i], "aria-controls": `${ids[i]}-panel`, click: () => show(i), keydown: (e) => key(e, i) },
      mark,
      tab.name,
    );
  });
  const panels = all.map((tab, i) =>
    h(
      "div",
      { role: "tabpanel", class: "panel", id: `${ids[i]}-panel`, "aria-labelledby": ids[i] ?? "", tabindex: 0 },
      h("h3", { class: "print-only panel-name" }, tab.name),
    ),
  );
  const made = all.map(() => false);
  addEventListener("beforeprint", () => all.forEach((_, i) => make(i)));
  show(first);
  return h("div", { class: "tabs" }, h("div", { role: "tablist", "aria-label": label }, ...buttons), ...panels);

  function make(i: number): void {
    if (made[i]) return;
    made[i] = true;
    panels[i]?.append((all[i] as Tab).panel());
  }

  function show(which: number): void {
    make(which);
    buttons.forEach((button, i) => {
      button.setAttribute("aria-selected", String(i === which));
      button.tabIndex = i === which ? 0 : -1;
    });
    panels.forEach((panel, i) => panel.classList.toggle("shown", i === which));
  }

  function key(event: KeyboardEvent, i: number): void {
    const steps: Record<string, number> = { ArrowRight: i + 1, ArrowDown: i + 1, ArrowLeft: i - 1, ArrowUp: i - 1, Home: 0, End: -1 };
    const to = steps[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = (to + all.length) % all.length;
    show(next);
    buttons[next]?.focus();
  }
}
