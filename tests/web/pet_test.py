"""The PET report in a browser: python3 pet_test.py path/to/make_page FOLDER

The folder gets the page, pictures of it and a PDF, to look at.
"""
import json
import re
import sys
import unittest
from pathlib import Path

import pet_data
import report_case
from report_case import CONTRAST, ReportCase, make_page

CHARTS = 10  # curve, input, parent fraction, mean curve, three of residuals, three histograms


def choose(page, selector, index):
    page.run(f"""(() => {{ const s = document.querySelector({json.dumps(selector)}); s.selectedIndex = {index};
        s.dispatchEvent(new Event("change")); }})()""")


class PetReport(ReportCase):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.file = make_page("pet", "pet", pet_data.make())

    def setUp(self):
        super().setUp()
        self.open(self.file)

    def test_opens_within_two_seconds(self):
        self.assertGreater(self.page.seconds, 0.01, "measured at all")
        self.assertLess(self.page.seconds, 2.0)

    def test_every_chart_has_marks(self):
        marks = self.page.run(MARKS)
        self.assertEqual(len(marks), CHARTS)
        self.assertGreater(min(marks), 100, marks)
        labels = self.page.run("[...document.querySelectorAll('.chart')].map(c => c.getAttribute('aria-label'))")
        self.assertTrue(all(len(label) > 30 and "NaN" not in label and "undefined" not in label for label in labels), labels)

    def test_says_the_verdict_and_the_counts(self):
        header = self.text("header")
        self.assertIn("2TCM describes", header)
        data = pet_data.make()
        self.assertRegex(header, rf"of {data['status'][0]['count']} fitted")
        self.assertIn(data["warnings"][0], header)
        self.assertIn("Towards Automatic Model Comparison", self.text("main"))

    def test_hostile_names_stay_text(self):
        self.assertEqual(self.page.run("document.title"), "Model comparison of sub-01")
        self.assertEqual(self.page.run("document.querySelectorAll('img').length"), 0)
        names = self.page.run("[...document.querySelectorAll('section .link')].map(e => e.textContent)")
        self.assertIn(pet_data.HOSTILE, names)
        self.page.run("[...document.querySelectorAll('section .link')].find(e => e.textContent.includes('img')).click()")
        self.assertIn("onerror", self.text(".curve-says"))

    def test_layers_change_the_slices(self):
        picture = "document.querySelector('.slice canvas').toDataURL()"
        seen = {self.page.run(picture)}
        self.assertIn("2TCM", self.text(".viewer .legend"))
        for layer in (1, 2, 3):
            choose(self.page, ".viewer select", layer)
            seen.add(self.page.run(picture))
        self.assertEqual(len(seen), 4)
        choose(self.page, ".viewer select", 1)
        self.assertIn("mL/cm³", self.text(".viewer .legend"))

    def test_a_click_chooses_the_voxel_and_the_nearest_curve(self):
        x, y, width, height = self.page.place("canvas[data-plane=Axial]")
        nx, ny, _ = pet_data.SHAPE
        self.page.click(x + width * 6.5 / nx, y + height * (1 - 4.5 / ny))
        self.assertIn("Voxel 6, 4, 3", self.text(".values"))
        says = self.text(".curve-says")
        kept = [c["voxel"] for c in pet_data.make()["curves"] if c["voxel"]]
        far = lambda v: sum(((a - b) * mm) ** 2 for a, b, mm in zip(v, (6, 4, 3), pet_data.VOXEL_MM)) ** 0.5
        nearest = min(kept, key=far)
        self.assertIn("voxel " + ", ".join(map(str, nearest)), says)
        self.assertIn(f"{far(nearest):.1f} mm", says)
        self.page.hover(x + width * 0.5, y + height * 0.5)
        self.assertRegex(self.text(".hover"), r"Voxel [45], [56], 3: Best model 2TCM")

    def test_the_values_are_those_of_the_data(self):
        x, y, width, height = self.page.place("canvas[data-plane=Axial]")
        nx, ny, _ = pet_data.SHAPE
        self.page.click(x + width * 5.5 / nx, y + height * (1 - 7.5 / ny))
        values = self.text(".values").replace("\n", "")
        shown = float(re.search(r"VT, averaged over models\s*([\d.]+)", values)[1])
        self.assertAlmostEqual(shown, pet_data.volume_of((5, 7, 3)), delta=0.5 * 5 / 254 + 0.005)
        self.assertIn("2TCM", values)

    def test_keys_move_the_voxel(self):
        self.page.run("document.querySelector('canvas[data-plane=Coronal]').focus()")
        before = [int(v) for v in re.findall(r"\d+", self.text(".values p"))]
        for key in ("ArrowRight", "ArrowUp", "PageDown"):
            self.page.key(key)
        after = [int(v) for v in re.findall(r"\d+", self.text(".values p"))]
        self.assertEqual(after, [before[0] + 1, before[1] - 1, before[2] + 1])

    def test_hovering_over_a_chart_tells_numbers(self):
        x, y, width, height = self.page.place("#curve .chart")
        self.page.hover(x + width * 0.5, y + height * 0.4)
        self.page.run("new Promise(r => setTimeout(r, 200))")
        self.assertRegex(self.text("#curve .hint"), r"Frame \d+, from[\s\S]*2TCM")

    def test_the_axis_becomes_logarithmic(self):
        labels = "[...document.querySelectorAll('.chart')].find(c => c.ariaLabel.startsWith('Activity in blood')).textContent"
        before = self.page.run(labels)
        self.page.run("[...document.querySelectorAll('.choice input')].find(i => i.parentNode.innerText === 'Logarithmic').click()")
        self.assertNotEqual(self.page.run(labels), before)

    def test_tables_sort_and_stand_in_for_charts(self):
        cells = "[...document.querySelectorAll('table')].find(t => t.innerText.includes('cerebellum')).querySelectorAll('tbody tr')"
        volumes = f"[...{cells}].map(r => parseFloat(r.children[2].innerText))"
        button = "[...document.querySelectorAll('.sort')].find(b => b.innerText.startsWith('VT'))"
        told = [round(r["VT"], 2) for r in pet_data.make()["regions"]]
        self.page.run(f"{button}.click()")
        self.assertEqual(self.page.run(volumes), sorted(told))
        self.page.run(f"{button}.click()")
        self.assertEqual(self.page.run(volumes), sorted(told, reverse=True))
        self.page.run("document.querySelectorAll('.numbers').forEach(d => (d.open = true))")
        self.page.run("new Promise(r => setTimeout(r, 100))")
        self.assertEqual(self.page.run("document.querySelectorAll('.numbers tbody').length"), CHARTS)

    def test_dark_by_system_and_by_switch(self):
        background = "getComputedStyle(document.body).backgroundColor"
        light = self.page.run(background)
        self.page.run("document.querySelectorAll('header .choice input')[2].click()")
        dark = self.page.run(background)
        self.assertNotEqual(dark, light)
        inks = self.page.run("[...document.querySelectorAll('.chart svg text')].map(t => t.getAttribute('fill'))")
        self.assertNotIn("#59616a", inks, "charts follow")
        self.open(self.file, dark=True)
        self.assertEqual(self.page.run(background), dark)

    def test_contrast_of_text(self):
        """4.5 to 1, the least of the accessibility guidelines (WCAG 2, AA) for text."""
        for dark in (False, True):
            self.open(self.file, dark=dark)
            for name, least in (("--ink", 7), ("--muted", 4.5), ("--accent", 4.5)):
                self.assertGreater(self.page.run(CONTRAST % name), least, (name, dark))

    def test_pictures_to_look_at_and_no_sideways_scroll(self):
        for width, dark in ((1200, False), (1200, True), (390, False), (390, True)):
            self.open(self.file, width=width, dark=dark)
            self.assertLessEqual(self.page.run("document.documentElement.scrollWidth"), width)
            self.page.screenshot(FOLDER / f"pet-{width}-{'dark' if dark else 'light'}.png")

    def test_prints_in_light_colours(self):
        self.open(self.file, dark=True)
        self.page.run("addEventListener('afterprint', () => (window.printed = 1)),"
                      "addEventListener('beforeprint', () => (window.ink = document.querySelector('.chart svg text').getAttribute('fill')))")
        self.page.pdf(FOLDER / "pet.pdf")
        pdf = (FOLDER / "pet.pdf").read_bytes()
        self.assertTrue(pdf.startswith(b"%PDF"))
        self.assertGreater(len(pdf), 50_000)
        self.assertEqual(self.page.run("[window.printed, window.ink]"), [1, "#59616a"])

    def test_little_data_will_do(self):
        self.open(make_page("pet", "little", pet_data.minimal()))
        self.assertEqual(self.page.run("document.querySelectorAll('.chart svg').length"), 2)
        self.assertNotIn("cannot be shown", self.text("#report"))
        self.assertNotRegex(self.text("#report"), "NaN|undefined|null|Infinity")

    def test_without_script_the_summary_is_there(self):
        self.open(self.file, script=False)
        self.assertIn("a  1\nb  2", self.page.run("document.querySelector('noscript').innerText"))


# How much each chart draws in the colours of series: the characters of the outlines, those of the legend not counted.
MARKS = """[...document.querySelectorAll('.chart')].map(chart => [...chart.querySelectorAll('svg path')].filter(p =>
  ['stroke', 'fill'].some(a => /^#(0072b2|d55e00|009e73)$/i.test(p.getAttribute(a) ?? ''))).map(p => p.getAttribute('d').length)
  .filter((length, _, all) => length > 100 || all.length > 20).reduce((a, b) => a + b, 0))"""

if __name__ == "__main__":
    report_case.MAKE_PAGE, report_case.FOLDER = sys.argv.pop(1), Path(sys.argv.pop(1))
    FOLDER = report_case.FOLDER
    FOLDER.mkdir(parents=True, exist_ok=True)
    unittest.main(verbosity=2)
