// What to cite for what the report shows.

import { type Child, h } from "../common/dom";
import type { StudyData } from "./data";

const entry = (authors: string, title: string, journal: string, rest: string): HTMLElement =>
  h("li", {}, `${authors} ${title} `, h("cite", {}, journal), ` ${rest}`);

export function citations(data: StudyData): Child[] {
  const smc = /SMC|annealed|tempering/i.test(data.method);
  return [
    h("p", {}, "Please cite the program, the method, and the scale of the words:"),
    h(
      "ul",
      { class: "cite" },
      h("li", {}, `The evident authors. evident: Bayesian model comparison by adaptive sequential Monte Carlo, version ${data.version ?? "unknown"}.`),
      smc ? entry("Zhou, Y., Johansen, A. M. and Aston, J. A. D. (2016).", "Toward Automatic Model Comparison: An Adaptive Sequential Monte Carlo Approach.",
        "Journal of Computational and Graphical Statistics", "25(3), 701–726. doi:10.1080/10618600.2015.1060885") : null,
      entry("Kass, R. E. and Raftery, A. E. (1995).", "Bayes Factors.", "Journal of the American Statistical Association", "90(430), 773–795. doi:10.1080/01621459.1995.10476572"),
    ),
    h("p", { class: "muted" }, `How it was computed: ${data.method}${data.seed ? `, seed ${data.seed}` : ""}. Other methods have papers of their own; docs/methods.md lists them.`),
  ];
}
