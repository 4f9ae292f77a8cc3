// The frame of every report: reads the data, lays out header, contents, sections and footer, and shows what went wrong when
// the data cannot be read.
//
//   show<Data>((data) => ({ title, subtitle, lead, sections: [{ title: "Settings", children: [...] }] }));

import licences from "licences";
import "./common.css";
import { type Child, choice, h, newId } from "./dom";
import { choose } from "./theme";

export interface Section {
  title: string;
  children: Child[];
}

export interface Page {
  title: string;
  subtitle: string;
  lead: Child[]; ///< below the title: the verdict
  sections: (Section | null)[];
  made: string; ///< what made the page: program and version
}

export function show<T>(build: (data: T) => Page): void {
  const root = document.getElementById("report");
  if (!root) return;
  try {
    const data = JSON.parse(document.getElementById("data")?.textContent ?? "") as T;
    layOut(root, build(data));
  } catch (error) {
    root.replaceChildren(h("p", { role: "alert", class: "failed" }, `This report cannot be shown: ${String(error)}`));
    throw error;
  }
}

function layOut(root: HTMLElement, page: Page): void {
  const sections = page.sections.filter((s): s is Section => s !== null);
  const ids = sections.map(() => newId("section"));
  root.replaceChildren(
    h("a", { class: "skip", href: `#${ids[0] ?? ""}` }, "Skip to the results"),
    h(
      "header",
      {},
      h("div", { class: "title" }, h("h1", {}, page.title), themeSwitch()),
      page.subtitle ? h("p", { class: "subtitle" }, page.subtitle) : null,
      ...page.lead,
      h("nav", { "aria-label": "Contents" }, ...sections.map((s, i) => h("a", { href: `#${ids[i]}` }, s.title))),
    ),
    h("main", {}, ...sections.map((s, i) => sectionElement(s, ids[i] ?? ""))),
    footer(page.made),
  );
}

function sectionElement(section: Section, id: string): HTMLElement {
  const heading = h("h2", { id: `${id}-title` }, section.title);
  return h("section", { id, "aria-labelledby": `${id}-title` }, heading, ...section.children);
}

function themeSwitch(): HTMLElement {
  const values = ["auto", "light", "dark"] as const;
  return choice("Colours", ["Auto", "Light", "Dark"], (i) => choose(values[i] ?? "auto"));
}

function footer(made: string): HTMLElement {
  return h(
    "footer",
    {},
    h("p", {}, `${made}. This file is complete: it fetches nothing and sends nothing. Charts by Apache ECharts.`),
    h("details", {}, h("summary", {}, "Licences of what this page contains"), h("pre", {}, licences)),
  );
}
