// Tables of the PET report: regions, what happened to voxels, settings.

import { h } from "../common/dom";
import { count, kMissing, percent, plusMinus } from "../common/format";
import { type Cell, table } from "../common/table";
import { drawWithTheme } from "../common/theme";
import type { PetData, Region } from "./data";
import type { Explorer } from "./explorer";

/** A bar of shares, one colour a model; the numbers stand beside it. */
export function shareBar(shares: (number | null)[], names: string[]): HTMLElement {
  const text = names.map((n, i) => `${n} ${percent(shares[i])}`).join(", ");
  const parts = names.map(() => h("span"));
  drawWithTheme((t) =>
    parts.forEach((part, i) => {
      part.style.width = `${100 * Math.min(1, Math.max(0, shares[i] ?? 0))}%`;
      part.style.background = t.series[i % t.series.length] ?? t.ink;
    }),
  );
  return h("div", { class: "share-bar", role: "img", "aria-label": text, title: text }, ...parts);
}

export function regionTable(data: PetData, regions: Region[], explore: Explorer): HTMLElement {
  const name = (r: Region): Cell => {
    const show = explore.showRegion;
    if (!show || !explore.regions.has(r.name)) return r.name;
    return { text: h("button", { type: "button", class: "link", click: () => show(r.name) }, r.name), sort: r.name };
  };
  return table({
    caption: explore.showRegion ? "Regions; a name shows its curve, a column's head sorts" : "Regions; a column's head sorts",
    sortable: true,
    columns: [
      { name: "Region" },
      { name: "Voxels", numeric: true },
      { name: "V_T ± sd", numeric: true },
      ...data.models.map((m) => ({ name: m, numeric: true })),
      { name: "Best model by share" },
    ],
    rows: regions.map((r) => [
      name(r),
      { text: count(r.voxels), sort: r.voxels },
      { text: plusMinus(r.VT, r.VT_sd), sort: r.VT ?? null },
      ...data.models.map((_, i) => ({ text: percent(r.order_shares?.[i]), sort: r.order_shares?.[i] ?? null })),
      r.order_shares
        ? { text: shareBar(r.order_shares, data.models), sort: largest(r.order_shares) }
        : { text: kMissing, sort: null },
    ]),
  });
}

const largest = (shares: (number | null)[]): number => shares.indexOf(Math.max(...shares.map((s) => s ?? 0)));

export function statusTable(status: NonNullable<PetData["status"]>): HTMLElement {
  return table({
    caption: "What happened to the voxels",
    columns: [{ name: "Status" }, { name: "Voxels", numeric: true }, { name: "Meaning" }],
    rows: status.map((s) => [s.name, count(s.count), s.meaning]),
  });
}

export function settingsTable(data: PetData): HTMLElement {
  const rows: [string, string][] = (data.settings ?? []).map(([name, value]) => [name, String(value)]);
  if (data.seed !== undefined) rows.push(["seed", String(data.seed)]);
  if (data.version) rows.push(["evident", data.version]);
  return table({ caption: "Settings of the run", columns: [{ name: "Setting" }, { name: "Value" }], rows });
}
