// Tables: plain, or sorted by a click on a column's head.

import { fill, h, named } from "./dom";

export type Cell = string | Node | { text: string | Node; sort: number | string | null };

export interface Column {
  name: string;
  numeric?: boolean;
}

export interface TableSpec {
  caption: string;
  columns: Column[];
  rows: Cell[][];
  sortable?: boolean;
}

const content = (cell: Cell): string | Node =>
  typeof cell === "string" || cell instanceof Node ? cell : cell.text;

function key(cell: Cell | undefined): number | string | null {
  if (cell === undefined) return null;
  if (typeof cell === "string") return cell;
  return cell instanceof Node ? (cell.textContent ?? "") : cell.sort;
}

// Missing values come last, whichever way the others go.
function compare(a: number | string | null, b: number | string | null, direction: number): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  if (typeof a === "number" && typeof b === "number") return direction * (a - b);
  return direction * String(a).localeCompare(String(b), "en", { numeric: true });
}

export function table(spec: TableSpec): HTMLElement {
  const body = h("tbody");
  const show = (rows: Cell[][]) =>
    fill(
      body,
      ...rows.map((row) =>
        h("tr", {}, ...row.map((cell, i) => cellElement(i, spec.columns[i]?.numeric === true, content(cell)))),
      ),
    );
  show(spec.rows);
  const head = h("tr", {}, ...spec.columns.map((c, i) => headElement(c, i)));
  const element = h("table", {}, h("caption", {}, ...named(spec.caption)), h("thead", {}, head), body);
  return h("div", { class: "table-frame", tabindex: 0, role: "region", "aria-label": spec.caption }, element);

  function cellElement(column: number, numeric: boolean, inside: string | Node): HTMLElement {
    return column === 0 && !numeric
      ? h("th", { scope: "row" }, inside)
      : h("td", { class: numeric ? "number" : undefined }, inside);
  }

  function headElement(column: Column, index: number): HTMLElement {
    const cell = h("th", { scope: "col", class: column.numeric ? "number" : undefined });
    if (!spec.sortable) {
      fill(cell, ...named(column.name));
      return cell;
    }
    cell.append(h("button", { type: "button", class: "sort", click: () => sortBy(cell, index) }, ...named(column.name)));
    return cell;
  }

  function sortBy(cell: HTMLElement, index: number): void {
    const descending = cell.getAttribute("aria-sort") === "ascending";
    for (const other of head.children) other.removeAttribute("aria-sort");
    cell.setAttribute("aria-sort", descending ? "descending" : "ascending");
    show([...spec.rows].sort((a, b) => compare(key(a[index]), key(b[index]), descending ? -1 : 1)));
  }
}
