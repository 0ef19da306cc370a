import Foundation
import ProctorTestSupport
import Testing

/// What drives the browser, where it was installed.
private enum Browser {
    /// The Python of the environment that the script makes below `.build`, where the system has Chromium too.
    static let python: String? = {
        let home = "\(Project.path)/.build/browser"
        let places = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":")
        let hasChromium = places.contains { FileManager.default.isExecutableFile(atPath: "\($0)/chromium") }
        guard hasChromium, FileManager.default.fileExists(atPath: "\(home)/requirements.txt") else { return nil }
        return "\(home)/bin/python"
    }()
}

/// The pages in a browser, as `make test-pages` uses them.
@Suite(
    .enabled(
        if: Browser.python != nil,
        "no chromium, or no .build/browser; Scripts/install-packages.sh pages installs both where PyPI can be reached"),
    .limit(minutes: 10))
struct PagesInBrowserTests {
    @Test func `a script that is reflected, of a rebound name or of an old browser reads and changes nothing`()
        async throws
    {
        let python = try #require(Browser.python)
        let outcome = try await ChildProcess.run(
            [
                python, "-E", "-s", "-B", "\(Project.path)/Tests/Browser/origins.py", "--browser", "chromium",
                "--only", "reflected,rebound,without", BuiltProduct.proctor,
            ], in: NSTemporaryDirectory(), within: .seconds(240))
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.contains("origins: 4 of 4 pages were as wanted in chromium"), "\(outcome.out)")
    }

    @Test func `every page does in headless Chromium what a person wants of it`() async throws {
        let python = try #require(Browser.python)
        let program = [python, "-E", "-s", "-B", "\(Project.path)/Tests/Browser/pages.py", BuiltProduct.proctor]
        let outcome = try await ChildProcess.run(program, in: NSTemporaryDirectory(), within: .seconds(480))
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        // The summary, which says that pages were used at all.
        #expect(outcome.out.contains(" tests passed in "), "\(outcome.out)")
    }
}
