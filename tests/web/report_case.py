"""What the tests of every report share: a browser for the class, a page for the test, and a console that stays quiet."""
import json
import subprocess
import unittest

from browser import Browser

# Filled in by the main program of each test.
MAKE_PAGE = FOLDER = None


# Contrast of a colour of the style sheet, `CONTRAST % name`, with the surface that it stands on.
CONTRAST = """(() => {
  const colour = name => { const probe = document.createElement('i');
    probe.style.color = `var(${name})`; document.body.append(probe);
    return getComputedStyle(probe).color.match(/[\\d.]+/g).slice(0, 3).map(Number); };
  const light = c => { const [r, g, b] = c.map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
  const [a, b] = [light(colour('%s')), light(colour('--surface'))];
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); })()"""


def make_page(kind, name, data):
    """The page of a report of this kind, from its data."""
    file, page = FOLDER / f"{name}.json", FOLDER / f"{name}.html"
    file.write_text(json.dumps(data, ensure_ascii=False), encoding="utf-8")
    subprocess.run([MAKE_PAGE, kind, data["title"], file, page], check=True)
    return page


class ReportCase(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.browser = Browser().__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.browser.__exit__()

    def setUp(self):
        self.page = None

    def tearDown(self):
        self.leave()

    def open(self, file, **options):
        """Opens the page afresh; the one before must have been quiet."""
        if self.page:
            self.leave()
        self.page = self.browser.open(file, **options)

    def leave(self):
        self.assertEqual(self.page.problems, [], "the console is quiet")
        loaded = [r for r in self.page.requests if not r.startswith("data:")]
        self.assertEqual(len(loaded), 1, f"only the file itself is read, not {loaded}")
        self.page.close()

    def text(self, selector):
        return self.page.run(f"document.querySelector({json.dumps(selector)}).innerText")
