#!/usr/bin/env python3
"""check-report.py REPORT [--shots FOLDER] [--picture PAGE FILE ...] [--height PIXELS] [--chromium PROGRAM]

Opens pages of a report, or of a matrix, in headless Chromium at three widths, light and dark, and checks that axe finds nothing, that a page
is not wider than its window, that nothing is fetched from elsewhere, that filters and the page of two clients work, and
that pages of families and cases have their content without JavaScript. --shots writes a picture of each. --picture checks
nothing, and writes a picture of one page, as for a document: --picture index.html families.png. That of README is made
by check-report.py .build/matrix-site --picture index.html Docs/matrix/matrix.png --height 560.

Exits 0 when all is well, 1 when something was found, 2 for a wrong command line, 3 where what it needs is not installed.
"""
import argparse
import json
import pathlib
import shutil
import sys

INSTALL = "apt-get install chromium && python3 -m pip install playwright axe-core-python"
WIDTHS = {"phone": 360, "tablet": 820, "desktop": 1400}
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
FAILED = "fhcd"

try:
    import axe_core_python
    from playwright.sync_api import TimeoutError, sync_playwright
except ImportError as error:
    print(f"check-report.py needs {error.name}: {INSTALL}", file=sys.stderr)
    sys.exit(3)

AXE = (pathlib.Path(axe_core_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")


def matrix_sample(root: pathlib.Path) -> dict[str, str]:
    """One page of each kind, each the largest of its kind but not the one that axe needs minutes for."""
    def largest(folder):
        pages = sorted((root / folder).rglob("*.html"), key=lambda page: page.stat().st_size)
        return str([page for page in pages if page.stat().st_size < 500_000][-1].relative_to(root))
    return {"index": "index.html", "family": largest("family"), "client": largest("client")}


def sample(root: pathlib.Path) -> dict[str, str]:
    """One page of each kind; the case and the family are those with the most failures."""
    data = json.loads((root / "report.json").read_bytes())
    pages = {"index": "index.html", "find": "find.html", "causes": "causes.html", "rules": "rules.html"}
    pages["client"] = f"client/{data['clients'][0]['slug']}.html"
    failures = [sum(marks[index] in FAILED for marks in data["marks"]) for index in range(len(data["cases"]))]
    worst = max(range(len(failures)), key=failures.__getitem__)
    pages["case"] = data["cases"][worst][4]
    family = data["cases"][worst][0].rsplit("/", 1)[0]
    pages["family"] = f"family/{family}.html"
    return pages


class Checks:
    """What was found, and the pictures."""

    def __init__(self, root: pathlib.Path, shots: pathlib.Path | None):
        self.root = root
        self.shots = shots
        self.faults: list[str] = []
        self.count = 0

    def fault(self, text: str) -> None:
        self.faults.append(text)
        print(text)

    def open(self, page, path: str, query: str = "") -> None:
        page.goto((self.root / path).as_uri() + query)

    def axe(self, page, name: str) -> None:
        page.evaluate(AXE)
        options = {"runOnly": {"type": "tag", "values": TAGS}, "resultTypes": ["violations"]}
        for violation in page.evaluate("options => axe.run(document, options)", options)["violations"]:
            nodes = violation["nodes"]
            first = nodes[0]
            self.fault(
                f"{name}: {violation['id']}: {violation['help']} ({len(nodes)} places; "
                f"{' '.join(map(str, first['target']))}: {first.get('failureSummary', '')!r})")
        self.count += 1

    def width(self, page, name: str) -> None:
        wide, room = page.evaluate("[document.documentElement.scrollWidth, window.innerWidth]")
        if wide > room:
            self.fault(f"{name}: the page is {wide} pixels wide in a window of {room}")

    def shot(self, page, name: str) -> None:
        if self.shots:
            page.screenshot(path=str(self.shots / f"{name}.png"))


def check_looks(browser, checks: Checks, pages: dict[str, str]) -> None:
    for scheme in ("light", "dark"):
        for size, width in WIDTHS.items():
            context = browser.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
            page = context.new_page()
            page.on("request", lambda request: None if request.url.startswith("file:")
                    else checks.fault(f"{request.url} is fetched from elsewhere"))
            page.on("pageerror", lambda error: checks.fault(f"{page.url}: {error}"))
            for kind, path in pages.items():
                name = f"{kind}-{size}-{scheme}"
                checks.open(page, path)
                checks.axe(page, name)
                checks.width(page, name)
                checks.shot(page, name)
            context.close()


def check_without_script(browser, checks: Checks, pages: dict[str, str]) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for kind, content in {"index": "table.families tbody tr", "family": "table.matrix tbody td",
                          "case": "section.client h2"}.items():
        checks.open(page, pages[kind])
        if page.locator(content).count() == 0:
            checks.fault(f"{kind}: without JavaScript there is no {content}")
    checks.open(page, pages["find"])
    if not page.locator("noscript").count():
        checks.fault("find: without JavaScript nothing says where the cases are")
    context.close()


def check_script(browser, checks: Checks, pages: dict[str, str]) -> None:
    data = json.loads((checks.root / "report.json").read_bytes())
    page = browser.new_page(viewport={"width": 1400, "height": 900})
    checks.open(page, pages["find"])
    rows = page.locator("#found tbody tr")
    expected = min(200, len(data["cases"]))
    if rows.count() != expected:
        checks.fault(f"find: {rows.count()} cases are shown, not {expected}")
    family = data["cases"][0][0].rsplit("/", 1)[0]
    page.select_option("#family", family)
    wanted = [case for case in data["cases"] if case[0].rsplit("/", 1)[0] == family]
    page.wait_for_function("count => document.getElementById('count').textContent.startsWith(count + ' case')",
                           arg=str(len(wanted)), timeout=10_000)
    if "family=" not in page.url:
        checks.fault("find: the address does not hold the filter")
    if len(data["clients"]) > 1:
        slugs = [client["slug"] for client in data["clients"][:2]]
        checks.open(page, pages["case"], f"?a={slugs[0]}&b={slugs[1]}")
        shown = page.eval_on_selector_all("section.client", "all => all.filter(one => !one.hidden).map(one => one.id)")
        if shown != slugs:
            checks.fault(f"case: {slugs} are asked for beside each other, and {shown} are shown")
        checks.axe(page, "two clients")
        checks.shot(page, "case-two-clients")
    page.keyboard.press("Tab")
    if page.evaluate("document.activeElement.className") != "skip":
        checks.fault("case: the first thing that Tab reaches is not the link to the content")
    page.close()


def check_matrix(browser, checks: Checks, pages: dict[str, str]) -> None:
    """What the pages of a matrix do, without JavaScript and with it."""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    checks.open(page, pages["index"])
    shown = page.locator("table.shares:visible").count()
    if shown != 1:
        checks.fault(f"index: without JavaScript {shown} tables are shown, not one")
    top = page.locator("table.shares:visible").first.bounding_box()["y"]
    if top > 300:
        checks.fault(f"index: the table begins at {top:.0f} pixels")
    before = page.locator("table.shares:visible td :is(b, i, u):visible").all_inner_texts()
    page.check("#k-should")
    if page.locator("table.shares:visible td :is(b, i, u):visible").all_inner_texts() == before:
        checks.fault("index: without JavaScript the choice of shoulds changes nothing")
    context.close()
    page = browser.new_page()
    checks.open(page, pages["index"], "?client=curl")
    names = page.locator("table.shares:visible tbody th:visible").all_inner_texts()
    if not names or not all("curl" in name for name in names):
        checks.fault(f"index: of the clients with curl in their names {names} are shown")
    checks.open(page, pages["index"])
    page.click("table.shares:visible thead th:nth-child(2) button")
    shares = [int(text) for text in page.locator("table.shares:visible tbody td:first-of-type b").all_inner_texts() if text.isdigit()]
    if shares != sorted(shares, reverse=True):
        checks.fault(f"index: the column is not sorted: {shares}")
    checks.open(page, pages["client"])
    page.click("details.cause summary >> nth=0")
    page.click("details.cause[open] li a >> nth=0")
    page.wait_for_url("**/family/**")
    try:
        page.wait_for_selector("details.scenario[open] pre:visible", timeout=10_000)
    except TimeoutError:
        checks.fault(f"{page.url}: a link to a scenario does not open it")
    page.close()


def take_pictures(browser, root: pathlib.Path, wanted: list[list[str]], height: int) -> None:
    page = browser.new_page(viewport={"width": 1200, "height": height}, color_scheme="light")
    for path, file in wanted:
        page.goto((root / path.split("#")[0]).as_uri() + "".join(path.partition("#")[1:]))
        page.screenshot(path=file)
    page.close()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[2])
    parser.add_argument("report", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path)
    parser.add_argument("--picture", nargs=2, action="append", metavar=("PAGE", "FILE"))
    parser.add_argument("--height", type=int, default=900)
    parser.add_argument("--chromium", default=shutil.which("chromium") or shutil.which("google-chrome"))
    arguments = parser.parse_args()
    is_matrix = (arguments.report / "matrix.css").is_file()
    if not is_matrix and not (arguments.report / "report.json").is_file():
        parser.error(f"{arguments.report} is no report and no matrix: it has neither report.json nor matrix.css")
    if arguments.chromium is None:
        print(f"check-report.py needs Chromium: {INSTALL}", file=sys.stderr)
        return 3
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    root = arguments.report.resolve()
    checks = Checks(root, arguments.shots)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=arguments.chromium, args=["--no-sandbox"])
        if arguments.picture:
            take_pictures(browser, root, arguments.picture, arguments.height)
            browser.close()
            return 0
        pages = matrix_sample(root) if is_matrix else sample(root)
        check_looks(browser, checks, pages)
        if is_matrix:
            check_matrix(browser, checks, pages)
        else:
            check_without_script(browser, checks, pages)
            check_script(browser, checks, pages)
        browser.close()
    print(f"{checks.count} pages checked, {len(checks.faults)} faults")
    return 1 if checks.faults else 0


if __name__ == "__main__":
    sys.exit(main())
