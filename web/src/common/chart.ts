// Charts: Apache ECharts drawn as SVG, each in a figure with a caption, a description for screen readers and its numbers as
// a table. Colours follow the theme, and the chart is drawn again at the width of paper for print.
//
//   const figure = chartFigure({ title, caption, describe, option: (theme) => ({ ...base(theme), series }), table });
//   section.append(figure.element);

import { CustomChart, LineChart, ScatterChart } from "echarts/charts";
import { DataZoomComponent, GridComponent, LegendComponent, TooltipComponent } from "echarts/components";
import { type EChartsCoreOption, type EChartsType, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";
import { h, named } from "./dom";
import { isNumber, type Num } from "./format";
import { type TableSpec, table } from "./table";
import { drawWithTheme, isPrinting, type Theme, theme } from "./theme";

use([CustomChart, LineChart, ScatterChart, DataZoomComponent, GridComponent, LegendComponent, TooltipComponent, SVGRenderer]);

export interface ChartSpec {
  title: string;
  caption?: string;
  describe: () => string; ///< one or two sentences: what a reader who cannot see the chart should know
  option: (theme: Theme) => EChartsCoreOption;
  table: () => Omit<TableSpec, "caption">;
  height?: number;
  half?: boolean; ///< one of two beside each other, on paper too
  controls?: HTMLElement[];
}

export interface ChartFigure {
  element: HTMLElement;
  update: () => void; ///< after what `option`, `describe` or `table` look at has changed
}

const kPaperWidth = 690;
const kPaperHeight = 0.8; // of the height on the screen
// The page's own; by name, because charts measure text before they draw it.
const kFont = 'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif';
/** Room for the names of the axes and, above, a legend. */
const kGrid = { left: 58, right: 18, top: 40, bottom: 46 };
export const kGridWithoutLegend = { ...kGrid, top: 12 };

export function chartFigure(spec: ChartSpec): ChartFigure {
  const box = h("div", { class: "chart", role: "img" });
  const height = spec.height ?? 340;
  box.style.height = `${height}px`;
  const numbers = h("details", { class: "numbers" }, h("summary", {}, "Numbers as a table"));
  numbers.addEventListener("toggle", fillTable);
  const element = h(
    "figure",
    { class: spec.half ? "half" : undefined },
    h("div", { class: "figure-head" }, h("h3", {}, ...named(spec.title)), ...(spec.controls ?? [])),
    box,
    spec.caption ? h("figcaption", {}, spec.caption) : null,
    numbers,
  );

  let chart: EChartsType | undefined;
  // A chart needs the width of its place, so it is begun when the page has one.
  const observer = new ResizeObserver(() => {
    if (box.clientWidth === 0 || isPrinting()) return;
    if (chart) draw(theme());
    else start();
  });
  observer.observe(box);
  // On paper everything is shown, so what the screen hides is drawn then.
  addEventListener("beforeprint", () => chart ?? start());
  if (isPrinting()) start();
  return { element, update: () => (draw(theme()), fillTable()) };

  function start(): void {
    const size = isPrinting() ? paperSize() : {};
    chart = init(box, null, { renderer: "svg", ...size });
    drawWithTheme(draw);
  }

  function paperSize(): { width: number; height: number } {
    return { width: spec.half ? kPaperWidth / 2 - 10 : kPaperWidth, height: Math.round(kPaperHeight * height) };
  }

  function draw(colours: Theme): void {
    box.setAttribute("aria-label", `${spec.title}. ${spec.describe()}`);
    if (!chart) return;
    const paper = paperSize();
    if (!isPrinting() && box.clientWidth === 0) return; // hidden; drawn when it is shown
    box.style.height = `${isPrinting() ? paper.height : height}px`;
    chart.resize(isPrinting() ? paper : { width: "auto", height: "auto" });
    chart.setOption({ ...base(colours), ...spec.option(colours) }, { notMerge: true });
  }

  function fillTable(): void {
    numbers.querySelector(".table-frame")?.remove();
    if (numbers.open) numbers.append(table({ caption: spec.title, ...spec.table() }));
  }
}

function base(t: Theme): EChartsCoreOption {
  return {
    animation: false,
    color: t.series,
    textStyle: { fontFamily: kFont, color: t.ink },
    grid: kGrid,
    legend: legend(t),
  };
}

export function legend(t: Theme, more: object = {}): object {
  const textStyle = { color: t.ink, fontSize: 13 };
  const pages = { pageIconColor: t.ink, pageIconInactiveColor: t.line, pageTextStyle: textStyle, pageIconSize: 11 };
  return { type: "scroll", top: 0, left: 0, itemGap: 16, itemWidth: 26, itemHeight: 9, textStyle, formatter: shortened, inactiveColor: t.dark ? "#5b636d" : "#b5babf", ...pages, ...more };
}

const shortened = (name: string): string => (name.length > 32 ? `${name.slice(0, 31)}…` : name);

/** What hovering over an x value shows; `content` gets the places of the series' points there. */
export function tooltip(t: Theme, content: (points: { series: string; index: number }[]) => HTMLElement): object {
  return {
    trigger: "axis",
    confine: true,
    backgroundColor: t.surface,
    borderColor: t.line,
    textStyle: { color: t.ink, fontSize: 13 },
    axisPointer: { lineStyle: { color: t.muted } },
    formatter: (items: { seriesName: string; dataIndex: number }[]) =>
      content(items.map((i) => ({ series: i.seriesName, index: i.dataIndex }))),
  };
}

/** An axis of numbers with its name beside it. */
export function axis(t: Theme, which: "x" | "y", name: string, more: object = {}): object {
  return {
    type: "value",
    name,
    nameLocation: "middle",
    nameGap: which === "x" ? 28 : 40,
    nameTextStyle: { color: t.muted, fontSize: 12.5 },
    axisLine: { show: which === "x", onZero: false, lineStyle: { color: t.muted } },
    axisTick: { lineStyle: { color: t.muted } },
    axisLabel: { color: t.muted, hideOverlap: true, showMaxLabel: which === "y" ? null : false },
    splitLine: { show: which === "y", lineStyle: { color: t.line } },
    ...more,
  };
}

/** Zoom of the x axis: by the slider, and by wheel or pinch with Ctrl, so that the page still scrolls. */
export function zoom(t: Theme, filterMode = "filter"): object {
  if (isPrinting()) return {};
  const slider = {
    type: "slider",
    filterMode,
    height: 18,
    bottom: 6,
    borderColor: t.line,
    fillerColor: t.dark ? "rgba(86,180,233,0.18)" : "rgba(0,114,178,0.12)",
    backgroundColor: "transparent",
    dataBackground: { lineStyle: { color: t.muted }, areaStyle: { color: t.line } },
    handleStyle: { color: t.surface, borderColor: t.muted },
    moveHandleStyle: { color: t.line },
    textStyle: { color: t.muted },
    brushSelect: false,
  };
  return {
    grid: { ...kGrid, bottom: 72 },
    dataZoom: [slider, { type: "inside", filterMode, zoomOnMouseWheel: "ctrl", moveOnMouseMove: false }],
  };
}

export interface BandSpec {
  name: string;
  x: Num[];
  low: Num[];
  high: Num[];
  colour: string;
  opacity: number;
  steps?: boolean; ///< x are the left ends of intervals, and one more: the last right end
}

/** The range between two curves as one area. */
export function bandSeries(band: BandSpec): object {
  const places = band.low.map((_, i) => i).filter((i) => [band.x[i], band.low[i], band.high[i]].every(isNumber));
  const outline = (values: Num[]) =>
    places.flatMap((i) => (band.steps ? [[band.x[i], values[i]], [band.x[i + 1], values[i]]] : [[band.x[i], values[i]]]));
  return {
    name: band.name,
    type: "custom",
    silent: true,
    clip: true,
    itemStyle: { color: band.colour, opacity: band.opacity },
    encode: { x: 0, y: [1, 2] },
    data: places.map((i) => [band.x[i], band.low[i], band.high[i]]),
    renderItem: (params: { dataIndex: number }, api: any) => {
      if (params.dataIndex !== 0) return null;
      const points = [...outline(band.low), ...outline(band.high).reverse()].map((p) => api.coord(p));
      return { type: "polygon", shape: { points }, style: { fill: band.colour, opacity: band.opacity } };
    },
  };
}

/** What hovering shows: a heading and rows of name and value, as elements. */
export function hint(heading: string, rows: { colour?: string; name: string; value: string }[]): HTMLElement {
  const dot = (colour: string) => {
    const mark = h("span", { class: "dot" });
    mark.style.background = colour;
    return mark;
  };
  return h(
    "div",
    { class: "hint" },
    h("b", {}, heading),
    ...rows.map((r) => h("div", {}, r.colour ? dot(r.colour) : null, h("span", {}, r.name), h("span", {}, r.value))),
  );
}
