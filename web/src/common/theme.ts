// Light and dark: the colours that script needs, and the switch. Styles have their own in common.css.
//
// The categorical palette is that of Okabe and Ito, which readers with any colour vision can tell apart; its order differs
// between light and dark so that neighbours stand out from the paper.

export interface Theme {
  dark: boolean;
  ink: string;
  muted: string;
  line: string;
  surface: string;
  outside: string; ///< of a map: where nothing was fitted
  series: string[];
}

/** Lines differ in more than colour. */
export const dashes = ["solid", [7, 4], [2, 3], [9, 3, 2, 3]];

const light: Theme = {
  dark: false,
  ink: "#1d2125",
  muted: "#59616a",
  line: "#dcdfe3",
  surface: "#ffffff",
  outside: "#eceef0",
  series: ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#555555"],
};

const dark: Theme = {
  dark: true,
  ink: "#e7e9eb",
  muted: "#a6aeb7",
  line: "#39404a",
  surface: "#1b1f24",
  outside: "#2a2f36",
  series: ["#56B4E9", "#E69F00", "#1FBF92", "#E39AC2", "#F0E442", "#3E9BD6", "#B0B0B0"],
};

type Choice = "light" | "dark" | "auto";

const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const watchers: ((theme: Theme) => void)[] = [];
let chosen: Choice = "auto";
let printing = false;

export function theme(): Theme {
  if (printing) return light;
  return chosen === "dark" || (chosen === "auto" && prefersDark.matches) ? dark : light;
}

export const isPrinting = (): boolean => printing;

/** Calls `draw` now and whenever the colours change. */
export function drawWithTheme(draw: (theme: Theme) => void): void {
  watchers.push(draw);
  draw(theme());
}

/** Styles and drawings by hand take the colours of series from variables: var(--series-0). */
function setColours(): void {
  const root = document.documentElement;
  root.dataset.theme = theme().dark ? "dark" : "light";
  theme().series.forEach((colour, i) => root.style.setProperty(`--series-${i}`, colour));
}

export const seriesVariable = (index: number): string => `var(--series-${index % light.series.length})`;

function changed(): void {
  setColours();
  for (const watcher of watchers) watcher(theme());
}

export function choose(choice: Choice): void {
  chosen = choice;
  changed();
}

prefersDark.addEventListener("change", changed);
// Paper is white: what is drawn by script is drawn again for it.
addEventListener("beforeprint", () => ((printing = true), changed()));
addEventListener("afterprint", () => ((printing = false), changed()));
setColours();
