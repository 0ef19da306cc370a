"""A HAR of Chromium by Playwright: browser.py PORT FILE (pip: playwright; the browser of the system)."""

import sys

from playwright.sync_api import sync_playwright

with sync_playwright() as playwright:
    browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=["--no-sandbox"])
    context = browser.new_context(record_har_path=sys.argv[2], record_har_content="embed")
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{sys.argv[1]}/page")
    page.wait_for_function("document.title == 'done'")
    context.close()
    browser.close()
