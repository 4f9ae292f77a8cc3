"""The study report in a browser: python3 study_test.py path/to/make_page FOLDER [path/to/evident]

The folder gets the pages, pictures of them and a PDF, to look at. With the program, a real study is compared and reported.
"""
import json
import re
import subprocess
import sys
import unittest
from pathlib import Path

import study_data
import report_case
from report_case import CONTRAST, ReportCase, make_page

# Three of the averaged predictions, three of the model whose tab is open, path, and four of the course; and Bayes factors.
CHARTS = 11
# What a page draws, it draws with its frames, however slow they come.
WAIT = "new Promise(r => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(r, 150))))"


class Case(ReportCase):
    def tab(self):
        return self.page.run("document.querySelector('[role=tab][aria-selected=true]').innerText.trim()")


class StudyReport(Case):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = make_page("study", "study", study_data.make())

    def setUp(self):
        super().setUp()
        self.open(self.file)

    def test_small_and_quick(self):
        """Three models with ten parameters each: below 3 MB, and open within two seconds."""
        self.assertLess(self.file.stat().st_size, 3_000_000)
        self.assertGreater(self.page.seconds, 0.01, "measured at all")
        self.assertLess(self.page.seconds, 2.0)

    def test_says_the_verdict(self):
        header = self.text("header")
        self.assertIn("most probable of 3 models", header)
        self.assertIn("Run longer", header)
        self.assertIn("The standard error is 0.6", header)

    def test_every_chart_has_marks(self):
        marks = self.page.run(MARKS)
        self.assertEqual(len(marks), CHARTS)
        self.assertGreater(min(marks), 50, marks)
        self.assertEqual(self.page.run(FACTORS), 4, "a dot and an interval for each of two models")
        labels = self.page.run("[...document.querySelectorAll('[role=img]')].map(c => c.getAttribute('aria-label'))")
        self.assertGreater(len(labels), CHARTS + 13, "densities, pairs and bars have words too")
        self.assertFalse([label for label in labels if len(label) < 5 or re.search("NaN|undefined|null", label)])

    def test_densities_and_pairs_are_drawn(self):
        shown = "document.querySelector('.panel.shown')"
        self.assertEqual(self.page.run(f"{shown}.querySelectorAll('.density svg').length"), 10)
        self.assertGreater(self.page.run(f"Math.min(...[...{shown}.querySelectorAll('.density path')].map(p => p.getAttribute('d').length))"), 300)
        dots = self.page.run(f"[...{shown}.querySelectorAll('.pair-dots')].map(p => p.getAttribute('d').split('h0').length - 1)")
        self.assertEqual(len(dots), 15)
        self.assertGreater(min(dots), 380)
        self.page.run(f"{shown}.querySelector('.tick-box input').click()")
        self.assertEqual(self.page.run(f"{shown}.querySelectorAll('.pair-dots').length"), 10)
        before = self.page.run(f"{shown}.querySelector('.density svg').innerHTML")
        self.page.run(f"[...{shown}.querySelectorAll('.choice input')].at(-1).click()")
        self.assertNotEqual(self.page.run(f"{shown}.querySelector('.density svg').innerHTML"), before, "the range of the prior")

    def test_hovering_over_a_density_tells_its_numbers(self):
        x, y, width, height = self.page.place(".panel.shown .density svg")
        self.page.hover(x + width / 2, y + height / 2)
        self.assertRegex(self.text(".panel.shown .density-says"), r"at −1\.\d+: \d.*prior 0\.0")

    def test_tabs_by_mouse_and_by_keys(self):
        self.assertEqual(self.tab(), "two exponentials", "the best model is shown first")
        x, y, width, height = self.page.place("[role=tab]")
        self.page.click(x + width / 2, y + height / 2)
        self.assertEqual(self.tab(), "one exponential")
        self.page.run(WAIT)
        self.assertIn("log evidence −131.20", self.text(".panel.shown"))
        self.assertEqual(self.page.run("document.querySelectorAll('.panel.shown .chart svg').length"), 3, "drawn when shown")
        for key, name in (("ArrowRight", "two exponentials"), ("End", study_data.HOSTILE), ("ArrowRight", "one exponential"),
                          ("ArrowLeft", study_data.HOSTILE), ("Home", "one exponential")):
            self.page.key(key)
            self.assertEqual(self.page.run("document.activeElement.textContent"), name)
            self.assertEqual(self.page.run("document.querySelector('[role=tab][aria-selected=true]').textContent"), name)
        self.assertEqual(self.page.run("[...document.querySelectorAll('[role=tab]')].map(t => t.tabIndex)"), [0, -1, -1])
        controls = "document.getElementById(document.querySelector('[role=tab][aria-selected=true]').getAttribute('aria-controls'))"
        self.assertTrue(self.page.run(f"{controls}.classList.contains('shown')"))

    def test_hostile_names_stay_text(self):
        self.assertEqual(self.page.run("document.title"), "Model comparison: decay.toml")
        self.page.run("[...document.querySelectorAll('[role=tab]')].at(-1).click()")
        self.page.run("document.querySelectorAll('.numbers').forEach(d => (d.open = true))")
        self.page.run(WAIT)
        self.assertEqual(self.page.run("document.querySelectorAll('img').length"), 0)
        self.assertEqual(self.page.run("document.title"), "Model comparison: decay.toml")
        names = self.page.run("[...document.querySelectorAll('tbody th')].map(e => e.textContent)")
        self.assertGreater(names.count(study_data.HOSTILE), 3)
        x, y, width, height = self.page.place(".panel.shown .chart")
        self.page.hover(x + width / 2, y + height / 2)
        self.page.run(WAIT)
        self.assertEqual(self.page.run("document.querySelectorAll('img').length"), 0)

    def test_bayes_factors_have_words_and_another_reference(self):
        figure = "[...document.querySelectorAll('figure')].find(f => f.innerText.includes('Bayes factors'))"
        self.page.run(f"{figure}.querySelector('details').open = true")
        self.page.run(WAIT)
        table = self.page.run(f"{figure}.querySelector('table').innerText")
        self.assertRegex(table, r"602\s+6\.40\s+6\.26 to 6\.54\s+very strong")
        self.assertRegex(table, r"3\.67\s+1\.30\s+1\.16 to 1\.44\s+positive")
        self.page.run(f"(s => {{ s.selectedIndex = 0; s.dispatchEvent(new Event('change')); }})({figure}.querySelector('select'))")
        table = self.page.run(f"{figure}.querySelector('table').innerText")
        self.assertRegex(table, r"two exponentials\s+0\.0017\s+−6\.40\s+−6\.54 to −6\.26\s+against it: very strong")

    def test_the_path_by_its_logarithm(self):
        chart = "[...document.querySelectorAll('.chart')].find(c => c.ariaLabel.startsWith('Evidence path'))"
        self.assertIn("the area is −124.79", self.page.run(f"{chart}.ariaLabel"))
        before = self.page.run(f"{chart}.innerHTML")
        self.page.run("[...document.querySelectorAll('.choice input')].find(i => i.parentNode.innerText === 'log α').click()")
        self.assertNotEqual(self.page.run(f"{chart}.innerHTML"), before)
        self.assertIn("α · mean log likelihood", self.page.run(f"{chart}.textContent"))

    def test_hovering_over_predictions(self):
        x, y, width, height = self.page.place(".chart[aria-label^='y against']")
        self.page.hover(x + width / 2, y + height / 3)
        self.page.run(WAIT)
        self.assertRegex(self.page.run("[...document.querySelectorAll('.hint')].map(e => e.innerText).join()"), r"t / h \d[\s\S]*Data[\s\S]*90 %")

    def test_tables_sort_and_stand_in_for_charts(self):
        self.page.run("[...document.querySelectorAll('.sort')].find(b => b.innerText === 'Log evidence').click()")
        names = self.page.run("[...document.querySelectorAll('.probabilities tbody th')].map(e => e.textContent)")
        self.assertEqual(names, [study_data.MODELS[0], study_data.MODELS[2], study_data.MODELS[1]])
        self.page.run("document.querySelectorAll('.numbers').forEach(d => (d.open = true))")
        self.page.run(WAIT)
        tables = self.page.run("[...document.querySelectorAll('.numbers')].filter(d => d.open && !d.querySelector('tbody tr')).length")
        self.assertEqual(tables, 0)

    def test_dark_by_system_and_by_switch(self):
        background = "getComputedStyle(document.body).backgroundColor"
        light = self.page.run(background)
        self.page.run("document.querySelectorAll('header .choice input')[2].click()")
        dark = self.page.run(background)
        self.assertNotEqual(dark, light)
        inks = self.page.run("[...document.querySelectorAll('.chart svg text')].map(t => t.getAttribute('fill'))")
        self.assertNotIn("#59616a", inks, "charts follow")
        self.assertEqual(self.page.run("getComputedStyle(document.querySelector('.density path[stroke]')).stroke"), "rgb(230, 159, 0)")
        self.open(self.file, dark=True)
        self.assertEqual(self.page.run(background), dark)

    def test_contrast_of_text(self):
        for dark in (False, True):
            self.open(self.file, dark=dark)
            for name, least in (("--ink", 7), ("--muted", 4.5), ("--accent", 4.5), ("--good", 4.5), ("--warn", 4.5), ("--bad", 4.5)):
                self.assertGreater(self.page.run(CONTRAST % name), least, (name, dark))

    def test_keyboard_reaches_everything(self):
        """Whatever can be clicked can be focused: no control is a bare element with a listener."""
        odd = self.page.run("[...document.querySelectorAll('button, a[href], select, input, summary')].filter(e => e.tabIndex < 0 && e.getAttribute('role') !== 'tab').length")
        self.assertEqual(odd, 0)
        unnamed = self.page.run("[...document.querySelectorAll('button, select, input')].filter(e => !(e.labels?.length || e.textContent.trim() || e.ariaLabel)).length")
        self.assertEqual(unnamed, 0)
        levels = self.page.run("[...document.querySelectorAll('h1, h2, h3, h4')].map(e => Number(e.tagName[1]))")
        self.assertEqual(levels[0], 1)
        self.assertTrue(all(b - a <= 1 for a, b in zip(levels, levels[1:])), levels)

    def test_pictures_to_look_at_and_no_sideways_scroll(self):
        for width, dark in ((1200, False), (1200, True), (390, False), (390, True)):
            self.open(self.file, width=width, dark=dark)
            self.assertLessEqual(self.page.run("document.documentElement.scrollWidth"), width)
            self.page.screenshot(FOLDER / f"study-{width}-{'dark' if dark else 'light'}.png")

    def test_prints_everything_in_light_colours(self):
        self.open(self.file, dark=True)
        self.page.run("addEventListener('beforeprint', () => (window.seen = [document.querySelector('.chart svg text').getAttribute('fill'),"
                      "document.querySelectorAll('.panel .chart svg').length, document.querySelectorAll('.density svg').length]))")
        self.page.pdf(FOLDER / "study.pdf")
        pdf = (FOLDER / "study.pdf").read_bytes()
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreaterEqual(len(re.findall(rb"/Type\s*/Page\b", pdf)), 6)
        self.assertEqual(self.page.run("window.seen"), ["#59616a", 9, 30], "the tabs that were never opened, too")
        self.assertEqual(self.page.run("document.querySelectorAll('.panel.shown').length"), 1, "and the screen is as it was")

    def test_little_data_will_do(self):
        self.open(make_page("study", "little", study_data.minimal()))
        self.assertNotIn("cannot be shown", self.text("#report"))
        self.assertIn("No evidence path", self.text("#report"))
        self.assertNotRegex(self.text("#report"), "NaN|undefined|null|Infinity")

    def test_without_script_the_summary_is_there(self):
        self.open(self.file, script=False)
        self.assertIn("a  1\nb  2", self.page.run("document.querySelector('noscript').innerText"))


@unittest.skipIf(len(sys.argv) < 4, "needs the program")
class RealStudies(Case):
    """What the program writes, opened: no chart is empty, nothing is NaN."""

    def report(self, kind, *extra):
        folder = FOLDER / kind
        subprocess.run(["rm", "-rf", folder], check=True)
        subprocess.run([PROGRAM, "simulate", kind, "--seed", "3", "--out", folder], check=True, stdout=subprocess.DEVNULL)
        subprocess.run([PROGRAM, "compare", folder / "study.toml", "--quiet", "--particles", "200", "--cess", "0.9",
                        "--replicates", "2", "--out", folder / "results", *extra],
                       check=True, stdout=subprocess.DEVNULL)
        self.open(folder / "results" / "report.html")
        self.page.run(WAIT)
        self.assertNotRegex(self.text("#report"), r"NaN|undefined|\bnull\b|Infinity")
        marks = self.page.run(MARKS)
        self.assertGreater(min(marks), 30, marks)
        return marks

    def test_mixture(self):
        self.report("gaussian-mixture")
        self.assertIn("Distribution of y", self.text("#report"))
        self.page.screenshot(FOLDER / "mixture.png")

    def test_pet(self):
        self.report("pet-compartments")
        self.assertIn("activity against time / s", self.text("#report"))
        self.page.screenshot(FOLDER / "pet.png")

    def test_a_family_by_one_run_for_all_models(self):
        self.report("linear-regression", "--method", "all-in-one")
        self.assertIn("y: observed against predicted", self.text("#report"))
        self.assertIn("all models", self.page.run("[...document.querySelectorAll('.chart')].map(c => c.ariaLabel).join()"))
        self.page.screenshot(FOLDER / "family.png")


# How much each chart draws in the colours of series: the characters of the outlines, those of the legend not counted.
MARKS = """[...document.querySelectorAll('.chart:not([aria-label^="Bayes factors"])')].filter(c => c.clientWidth > 0).map(chart => [...chart.querySelectorAll('svg path')].filter(p =>
  ['stroke', 'fill'].some(a => /^#(0072b2|d55e00|009e73|cc79a7|e69f00|56b4e9|555555|1d2125)$/i.test(p.getAttribute(a) ?? '')))
  .map(p => p.getAttribute('d').length).filter((length, _, all) => length > 50 || all.length > 5).reduce((a, b) => a + b, 0))"""

# Bayes factors have no legend; their few marks are counted.
FACTORS = """[...document.querySelectorAll('.chart[aria-label^="Bayes factors"] svg path')].filter(p =>
  ['stroke', 'fill'].some(a => /^#0072b2$/i.test(p.getAttribute(a) ?? ''))).length"""

if __name__ == "__main__":
    report_case.MAKE_PAGE, report_case.FOLDER = sys.argv[1], Path(sys.argv[2])
    FOLDER = report_case.FOLDER
    PROGRAM = sys.argv[3] if len(sys.argv) > 3 else None
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(verbosity=2, argv=sys.argv[:1])
