import Foundation
import ProctorTestSupport
import Testing

/// The plugin of pytest in `helpers/python`, from the folder itself, as its users run it.
@Suite(.limit(minutes: 10))
struct PythonHelperTests {
    private static let home = "\(Project.path)/helpers/python"

    /// Runs pytest on files of a folder, or ends the test where pytest or requests is missing.
    private func pytest(
        _ arguments: [String], in folder: String, environment: [String: String] = [:]
    ) async throws -> ChildProcess.Outcome {
        let python = Project.tool("python3") ?? "python3"
        let found = try await Child.run(["-s", "-c", "import pytest, requests"], program: python)
        guard found.status == 0 else {
            try Test.cancel("pytest or requests is not installed: apt-get install python3-pytest python3-requests")
        }
        let variables = HelperTrial.environment.merging(["PYTHONPATH": "\(Self.home)/src"]) { $1 }
        return try await ChildProcess.run(
            [python, "-s", "-B", "-m", "pytest", "-p", "pytest_proctor.plugin", "-p", "no:cacheprovider"] + arguments,
            environment: variables.merging(environment) { $1 }, in: folder, within: HelperTrial.patience)
    }

    @Test func `the clients of the example pass`() async throws {
        let outcome = try await pytest(["test_clients.py", "test_five.py"], in: "\(Self.home)/example")
        #expect(outcome.status == 0 && outcome.out.contains(" 15 passed in "), "\(outcome.out)\(outcome.err)")
    }

    @Test func `clients that break a rule fail with the timeline`() async throws {
        let outcome = try await pytest(["test_misbehaving.py"], in: "\(Self.home)/example")
        #expect(outcome.status == 1 && outcome.out.contains(" 3 failed in "), "\(outcome.out)\(outcome.err)")
        let told = HelperTrial.comparable(outcome.out)
        // As the README shows it, where the verdict was asked for.
        let block = try HelperTrial.block("output", of: "helpers/python/README.md")
        #expect(told.contains(HelperTrial.comparable(block)), "\(outcome.out)")
        // In a section of the report, where the test failed for its own reason.
        let section = try #require(outcome.out.components(separatedBy: "Captured proctor call").dropFirst().first)
        #expect(section.contains("c0 POST /done HTTP/1.1, 3 fields   wanted: GET /done"), "\(outcome.out)")
        #expect(outcome.out.contains("the client made no connection to 127."), "\(outcome.out)")
    }

    @Test func `exchanges of a test that are asked for otherwise, or never, fail it`() async throws {
        let folder = try TestFolder([
            "test_wrong.py": """
            import requests
            from pytest_proctor import on

            def test_path(proctor):
                requests.get(proctor.expect(on("GET /items?page=1", "ok")).url("/item"), timeout=60)

            def test_once(proctor):
                run = proctor.expect(on("GET /job", 503, "done", times={"exactly": 2}))
                requests.get(run.url("/job"), timeout=60)

            def test_json(proctor):
                run = proctor.expect(on("POST /items", 201, json={"name": "a"}))
                requests.post(run.url("/items"), json={"name": "b"}, timeout=60)

            def test_cookie(proctor):
                account = on({"method": "GET", "path": "/account"}, b"Ann", cookies={"session": "1"})
                requests.get(proctor.expect(account).url("/account"), timeout=60)

            def test_never(proctor):
                run = proctor.expect(on("GET /a"), on("GET /b"), on("GET /c", optional=True))
                requests.get(run.url("/a"), timeout=60)
            """
        ])
        defer { folder.remove() }
        let outcome = try await pytest(["test_wrong.py"], in: folder.path)
        #expect(outcome.status == 1 && outcome.out.contains(" 5 failed in "), "\(outcome.out)\(outcome.err)")
        for told in [
            "wanted GET /items?page=1 (the exchange at test_wrong.py:5)",
            "GET /job, which the exchange at test_wrong.py:8 answers, came once; wanted 2 times",
            #"json /name: wanted "a", got "b""#, #"cookie session: wanted "1", got none"#, "never came: GET /b",
        ] {
            #expect(outcome.out.contains(told), "\(told)\n\(outcome.out)")
        }
        #expect(!outcome.out.contains("never came: GET /c"), "\(outcome.out)")
    }

    @Test func `the first test of the README passes, and what it has wrong is told`() async throws {
        let first = try HelperTrial.block("python", of: "helpers/python/README.md")
        let folder = try TestFolder([
            "test_first.py": first,
            "test_scenario.py": first.replacing("302-get-stays-get", with: "302-get-stay-get"),
            "test_case.py": first.replacing("\"follow\"", with: "\"fllow\""),
        ])
        defer { folder.remove() }
        let right = try await pytest(["test_first.py"], in: folder.path)
        #expect(right.status == 0 && right.out.contains(" 2 passed in "), "\(right.out)\(right.err)")
        let scenario = try await pytest(["test_scenario.py"], in: folder.path)
        #expect(scenario.status == 1 && !scenario.out.contains("passed"), "\(scenario.out)")
        #expect(scenario.out.contains("did you mean 'redirect/302-get-stays-get'?"), "\(scenario.out)")
        let item = try await pytest(["test_case.py"], in: folder.path)
        #expect(item.status == 1 && !item.out.contains("passed"), "\(item.out)")
        #expect(item.out.contains("has no case 'fllow'; did you mean 'follow'?"), "\(item.out)")
        let none = try await pytest(["test_first.py"], in: folder.path, environment: ["PROCTOR_BINARY": "/none"])
        #expect(none.status == 1 && none.out.contains("PROCTOR_BINARY names '/none', which is no pro"), "\(none.out)")
    }

    @Test func `a run that nobody judged is judged, and all are deleted at the end of their test`() async throws {
        let folder = try TestFolder([
            "test_runs.py": """
            import json, urllib.request

            ids = []

            def test_judged_at_the_end(proctor):
                run = proctor.run("plain/get")
                ids.append(run.id)
                urllib.request.urlopen(run.url("/other"))

            def test_without_a_case(proctor):
                run = proctor.run("redirect/302-get-stays-get")
                ids.append(run.id)
                urllib.request.urlopen(run.url("/start"))

            def test_inline_without_cases(proctor):
                run = proctor.inline('{summary: x, exchanges: [{request: GET /a, reply: {status: 200}}]}')
                ids.append(run.id)
                urllib.request.urlopen(run.url("a"))

            def test_none_is_left(proctor_server):
                left = [run["run"] for run in proctor_server.ask("GET", "runs")["runs"]]
                assert len(ids) == 3 and not set(ids) & set(left)
            """
        ])
        defer { folder.remove() }
        let outcome = try await pytest(["-v", "test_runs.py"], in: folder.path)
        #expect(outcome.out.contains(" 2 failed, 2 passed in "), "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.contains("::test_none_is_left PASSED"), "\(outcome.out)")
        #expect(outcome.out.contains("::test_inline_without_cases PASSED"), "\(outcome.out)")
        #expect(outcome.out.contains("\nsay which case to judge by; redirect/302-get-stays-get has "), "\(outcome.out)")
    }

    @Test func `a verdict waits for what is under way`() async throws {
        let folder = try TestFolder([
            "test_waits.py": """
            import urllib.request

            TEXT = \"""
                summary: A reply that takes its time
                exchanges:
                  - { request: GET /slow, reply: { status: 200, body: [a, { do: PAUSE }, b] } }
                  - { request: GET /next, reply: { status: 200 } }
                cases:
                  slow: { client: { url: /slow }, wire: request(GET /slow) }
                  both: { client: [{ url: /slow }, { url: /next }], wire: request(GET /slow) request(GET /next) }
            \"""

            def test_waits(proctor):
                run = proctor.inline(TEXT.replace("PAUSE", "wait 2s"))
                with urllib.request.urlopen(run.url("/slow")) as slow:
                    assert run.judge("both", within=20).outcome == "fail"
                    assert run.verdict("slow", within=20).codes == []
                    slow.read()

            def test_waits_no_longer_than_it_may(proctor):
                # It stays under way until the test has judged.
                run = proctor.inline(TEXT.replace("PAUSE", "stall"))
                with urllib.request.urlopen(run.url("/slow")):
                    assert "still-under-way" in run.judge("slow", within=0.1).codes
                urllib.request.urlopen(run.url("/next")).read()
                run.verdict("both")
            """
        ])
        defer { folder.remove() }
        let outcome = try await pytest(["test_waits.py"], in: folder.path)
        #expect(outcome.status == 0 && outcome.out.contains(" 2 passed in "), "\(outcome.out)\(outcome.err)")
    }

    @Test func `the server ends with a pytest that is killed`() async throws {
        let folder = try TestFolder([
            "test_killed.py": """
            import os, signal

            def test_killed(proctor_server):
                os.kill(os.getpid(), signal.SIGKILL)
            """
        ])
        defer { folder.remove() }
        let binary = try HelperTrial.makeTracedBinary(in: folder)
        let outcome = try await pytest(
            ["test_killed.py"], in: folder.path, environment: ["PROCTOR_BINARY": binary, "TMPDIR": folder.path])
        #expect(outcome.status == -9, "\(outcome.out)\(outcome.err)")
        try await HelperTrial.expectEnd(in: folder)
    }
}
