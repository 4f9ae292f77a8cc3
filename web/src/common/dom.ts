// Elements from values. Text goes in as text, never as HTML, so no name in the data can become markup.
//
//   h("p", { class: "note" }, "Voxels: ", h("b", {}, "300"))

export type Child = Node | string | null | undefined | false;
type Attributes = Record<string, string | number | boolean | undefined | ((event: any) => void)>;

/** Attributes that are functions become listeners: `{ click: () => ... }`. */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

/** Replaces all that is inside `element`. */
export function fill(element: Element, ...children: Child[]): void {
  element.replaceChildren(...children.filter((c): c is Node | string => c !== null && c !== undefined && c !== false));
}

/** Text in which V_T and its like, a letter with one below, are set as such. */
export function named(text: string): Child[] {
  const set = (part: string) => h("span", {}, part[0], h("sub", {}, part.slice(2)));
  return text.split(/\b([A-Z]_[A-Z0-9])\b/).map((part, i) => (i % 2 ? set(part) : part));
}

let lastId = 0;
export function newId(prefix: string): string {
  return `${prefix}-${++lastId}`;
}

/** A few choices of which one is on, as radio buttons that look like one bar. */
export function choice(label: string, values: string[], change: (index: number) => void, first = 0): HTMLElement {
  const name = newId("choice");
  return h(
    "fieldset",
    { class: "choice" },
    h("legend", {}, label),
    ...values.map((text, i) =>
      h("label", {}, h("input", { type: "radio", name, checked: i === first, change: () => change(i) }), h("span", {}, text)),
    ),
  );
}

/** A drop-down list. */
export function select(label: string, values: string[], change: (index: number) => void, first = 0): HTMLLabelElement {
  const list = h("select", { change: () => change(list.selectedIndex) }, ...values.map((v) => h("option", {}, v)));
  list.selectedIndex = first;
  return h("label", { class: "select" }, h("span", {}, label), list);
}
