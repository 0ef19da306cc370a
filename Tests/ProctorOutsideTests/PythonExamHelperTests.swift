import Foundation
import ProctorTestSupport
import Testing

/// Exams inside tests of pytest: what their passes rest on, and several processes of one session.
@Suite(.limit(minutes: 15))
struct PythonExamHelperTests {
    private func pytest(
        _ words: [String], needing modules: String = "pytest, requests", in folder: TestFolder, below part: String = ""
    ) async throws -> ChildProcess.Outcome {
        let python = Project.tool("python3") ?? "python3"
        let found = try await Child.run(["-s", "-c", "import \(modules)"], program: python)
        guard found.status == 0 else { try Test.cancel("\(modules): not all of them are installed") }
        return try await ChildProcess.run(
            [
                python, "-s", "-B", "-m", "pytest", "-q", "-rs", "--tb=short", "-p", "pytest_proctor.plugin", "-p",
                "no:cacheprovider",
            ] + words,
            environment: HelperTrial.environment.merging(["PYTHONPATH": "\(Project.path)/helpers/python/src"]) { $1 },
            in: "\(folder.path)/\(part)", within: HelperTrial.patience)
    }

    /// What the exam of a function came to, `case kind outcome` a line, by its records.
    private static let records = """
        import pytest_proctor.plugin as plugin, json

        def pytest_sessionfinish(session):
            server = plugin.server_of(session.config)
            with open("records.txt", "w") as file:
                for exam in session.config.stash[plugin.EXAMS]:
                    for line in server.call("GET", f"exams/{exam.name}/records").splitlines()[1:]:
                        record = json.loads(line)
                        print(record["case"], record["kind"], record["outcome"], file=file)

        """

    @Test(arguments: Extent.first(of: ["send(load)", ""]))
    func `a client that raises in every load passes no must, whether it sends a request or not`(_ sends: String)
        async throws
    {
        let folder = try TestFolder([
            "conftest.py": Self.records,
            "test_fails.py": """
            import contextlib, urllib.request
            import pytest_proctor as proctor

            def send(load):
                with contextlib.suppress(Exception):
                    urllib.request.urlopen(urllib.request.Request(load.url, method=load.method), timeout=60).read()

            WORDS = ["methods", "redirects", "redirect-refuse", "cookie-jar", "cache", "trust", "basic", "challenge-cancel"]

            @proctor.exam("redirect/", "fault/", "broken/", "auth/basic/", "tls/cert/e*", "body/chunk-size-*", abilities=WORDS,
                          errors=[ConnectionError])
            def test_fails(load):
                \(sends)
                raise ConnectionError("always")
            """,
        ])
        defer { folder.remove() }
        let outcome = try await pytest([], needing: "pytest", in: folder)
        #expect(outcome.status == 1, "\(outcome.out)\(outcome.err)")
        let lines = try folder.text("records.txt").split(separator: "\n")
        #expect(lines.count > 100)
        let passed = lines.filter { $0.hasSuffix(" must pass") || $0.hasSuffix(" should pass") }
        #expect(passed.isEmpty, "\(passed.joined(separator: "\n"))")
    }

    /// The client loads a redirect in a loop until it gives up, which counts where it loads anything at all.
    @Test func `what a client leaves undone counts where it passes the control, and shows nothing else`() async throws {
        let folder = try TestFolder([
            "conftest.py": Self.records,
            "test_loop.py": """
            import contextlib, urllib.request
            import pytest_proctor as proctor

            asked = []

            def get(load):
                asked.append(load.case)
                with urllib.request.urlopen(urllib.request.Request(load.url, method=load.method)) as reply:
                    return load.result(reply.status, reply.headers, reply.url, reply.read())

            @proctor.exam("redirect/loop#ends", "redirect/loop-of-two#ends", abilities=["redirects"])
            def test_loop(load):
                return get(load)

            def test_one_control_was_asked():
                assert asked.count("control/load-by-http") == 1, asked

            @proctor.exam("fault/close-within-the-status-line#get", client="broken")
            def test_broken(load):
                with contextlib.suppress(Exception):
                    get(load)
                return load.error("connectionLost")

            # It may leave the redirect of a PUT alone, and shows nothing by that where it follows none.
            @proctor.exam("redirect/302-put-keeps-method-and-body#follow", abilities=["methods", "redirects"], client="refuses")
            def test_may_refuse(load):
                request = urllib.request.Request(load.url, data=load.content, method=load.method)
                with contextlib.suppress(Exception), urllib.request.urlopen(request) as reply:
                    reply.read()
                return load.error("connectionLost")
            """,
        ])
        defer { folder.remove() }
        let outcome = try await pytest([], needing: "pytest", in: folder)
        #expect(
            outcome.status == 1 && outcome.out.contains("1 failed, 3 passed, 1 skipped"),
            "\(outcome.out)\(outcome.err)")
        #expect(
            outcome.out.contains("not judged: a plain GET by http went wrong too, so that a failure shows nothing"),
            "\(outcome.out)")
        #expect(
            outcome.out.contains(
                "not judged: how the load ended: a plain GET by http went wrong too, so that a failure shows nothing"),
            "\(outcome.out)")
    }

    @Test func `two processes share one exam of one server`() async throws {
        let folder = try TestFolder([
            "conftest.py": """
            import pytest_proctor.plugin as plugin

            def pytest_sessionfinish(session):
                # The process that has started the others writes what all of them did.
                exams = session.config.stash[plugin.EXAMS]
                if exams and hasattr(session.config, "workerinput"):
                    server = plugin.server_of(session.config)
                    with open(f"seen-{session.config.workerinput['workerid']}.txt", "w") as file:
                        file.write(f"{server.base} {exams[0].name}")
            """,
            "test_many.py": """
            import pytest_proctor as proctor
            import requests

            @proctor.exam("redirect/30*", "cookie/d*", abilities=["methods", "redirects", "redirect-refuse", "cookie-jar"],
                          ledger="proctor.ledger.yaml")
            def test_many(load):
                session = load.once(requests.Session)
                reply = session.request(load.method, load.url, headers=dict(load.fields), data=load.content,
                                        allow_redirects=load.follows, timeout=60)
                return load.result(reply.status_code, reply.headers, reply.url, reply.content)
            """,
        ])
        defer { folder.remove() }
        let modules = "pytest, requests, xdist"
        let written = try await pytest(["-n", "2", "--write-ledger"], needing: modules, in: folder)
        #expect(written.status == 0, "\(written.out)\(written.err)")
        let seen = try ["gw0", "gw1"].map { try folder.text("seen-\($0).txt") }
        #expect(seen[0] == seen[1], "\(seen)")
        // Each failure of either process is known now.
        let again = try await pytest(["-n", "2"], needing: modules, in: folder)
        #expect(again.status == 0 && again.out.contains(" xfailed"), "\(again.out)\(again.err)")
    }

    @Test func `the line that runs a case again holds in the folder that pytest was called in`() async throws {
        let folder = try TestFolder([
            "pytest.ini": "[pytest]\n",
            "deep/test_put.py": """
            import pytest_proctor as proctor

            @proctor.exam("plain/get#get")
            def test_put(load):
                return load.result(500, {}, load.url, b"")
            """,
        ])
        defer { folder.remove() }
        let outcome = try await pytest([], needing: "pytest", in: folder, below: "deep")
        #expect(
            outcome.status == 1 && outcome.out.contains("again: pytest 'test_put.py::test_put[plain/get#get]'\n"),
            "\(outcome.out)\(outcome.err)")
    }
}
