// What the study report reads: the JSON that the program puts into the page (src/report/study_report.cpp). Any number may be
// null where it was not finite or not known; the page leaves out what it has no data for and says so.

import type { Num } from "../common/format";

export interface StudyData {
  title: string;
  version?: string; ///< of evident
  method: string; ///< its title
  seed?: string | null;
  seconds?: Num;
  rounds?: Num;
  verdict: string[]; ///< what the data say, then whether to believe it
  trust?: string; ///< "trust", "run longer", "do not trust" or empty
  best: number; ///< the most probable of `models`
  strengths: { above: number; words: string }[]; ///< Bayes factors and their words, rising
  model_count: number; ///< all that were compared
  models: ModelData[]; ///< those that are listed
  log_bayes_factors: Num[][]; ///< of a row's model against a column's
  averaged_parameters: Summary[];
  averaged?: { models: string[]; probability: Num; predictive: Predictive } | null;
  union_trace?: Trace | null; ///< of a run that serves all models
  settings: [string, string][];
  notes: string[];
  missing: string[]; ///< what is not in the report, and why
}

export type Interval = [Num, Num] | null;

export interface ModelData {
  name: string;
  kind?: string;
  weight: Num; ///< prior probability
  probability: Num;
  probability_sd?: Num; ///< over runs
  probability_interval: Interval; ///< 95 %
  log_evidence: Num;
  log_evidence_se: Num;
  log_evidence_interval: Interval;
  steps?: Num;
  particles?: Num;
  acceptance?: Num;
  likelihood_evaluations?: Num;
  runs: number;
  seconds?: Num;
  verdict?: string;
  dropped?: boolean; ///< not refined any further: it cannot matter
  reasons: { code: string; level: string; text: string }[];
  warnings: string[];
  modes?: string; ///< a sentence
  estimates: { name: string; value: Num; error: Num }[];
  trace?: Trace | null;
  parameters: Parameter[];
  draws: Num[][]; ///< equally weighted, one row for each of the first parameters
  predictive?: Predictive | null;
}

export interface Trace {
  steps: number;
  step: number[];
  alpha: Num[];
  ess: Num[];
  cess: Num[];
  acceptance: Num[];
  path: { alpha: Num[]; mean: Num[] };
}

export interface Summary {
  name: string;
  mean: Num;
  sd: Num;
  q05: Num;
  q25: Num;
  q50: Num;
  q75: Num;
  q95: Num;
}

export interface Parameter extends Summary {
  prior?: string; ///< as text
  density?: { x: number[]; posterior: number[]; prior?: number[]; near: [number, number]; wide: [number, number] } | null;
}

export interface Band {
  q05: Num[];
  q25: Num[];
  q50: Num[];
  q75: Num[];
  q95: Num[];
}

export interface Series {
  name: string;
  count: number; ///< all observations; `values` may be some of them
  discrete: boolean;
  axis_name: string;
  axis: Num[]; ///< empty: the observations have no axis
  values: Num[];
  mean: Num[]; ///< of the observation, over the posterior; null where a model has none
  mean_q05: Num[];
  mean_q95: Num[];
  band: Band; ///< of new observations
  replicates: Num[][]; ///< whole new data sets
  histogram?: { edges: number[]; observed: number[]; band: Band } | null;
}

export interface Predictive {
  draws: Num;
  series: Series[];
  checks: { observed: string; statistic: string; value: Num; q05: Num; q50: Num; q95: Num; p_value: Num }[];
}
