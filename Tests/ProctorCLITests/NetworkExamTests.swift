import Foundation
import ProctorTestSupport
import Testing

/// Exams of an adapter that connects from another process (`Tests/Clients/network_exam.py`), also where its connection is
/// lost in between.
@Suite(.limit(minutes: 10))
struct NetworkExamTests {
    private static let files = [
        "fixtures/one.yaml": """
        summary: Three pages, of which the server counts the visits
        exchanges:
          - { request: GET /a, reply: { status: 200, body: "a\\n" } }
          - { request: GET /b, reply: { status: 200, body: "b\\n" } }
        cases:
          a: { client: { url: /a }, wire: request(GET /a), facts: { body: "a\\n" } }
          b: { client: { url: /b }, wire: request(GET /b), facts: { body: "b\\n" } }
          c: { client: [{ url: /a }, { url: /b }], wire: request(GET /a) request(GET /b), facts: { "step[1].body": "b\\n" } }
        """
    ]

    /// urllib by the kit for Python; `before` is run at each start, and `starts` is its number.
    private static func adapter(before: String) -> String {
        """
        #!/usr/bin/python3 -B
        import os, pathlib, sys, runpy
        file = pathlib.Path("starts")
        starts = int(file.read_text()) + 1 if file.exists() else 1
        file.write_text(str(starts))
        path = "\(Project.path)/clients/adapters/urllib"
        \(before)
        sys.argv = [path]
        runpy.run_path(path, run_name="__main__")

        """
    }

    /// Begins a trace at these starts, and ends in its middle.
    private static func breaking(at starts: [Int]) -> String {
        """
        if starts in \(starts):
            sys.stdin.buffer.readline()
            sys.stdout.buffer.write(b'{"trace": "proctor", "version": 1, "clock": "other", "unit": "ns", "lanes": ["harness"]}\\n')
            sys.stdout.buffer.flush()
            os._exit(0)
        """
    }

    struct Said: Decodable {
        let status: Int32
        let out: String
        let err: String
        let remote: Int32?
        let remoteErr: String
    }

    private static func exam(before: String = "", adapter: String = "./mine", _ arguments: [String] = []) async throws
        -> (
            Said, [String]
        )
    {
        let folder = try TestFolder(files.merging(["mine": Self.adapter(before: before)]) { $1 })
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: "\(folder.path)/mine")
        let ran = try await ChildProcess.run(
            [
                "/usr/bin/python3", "-E", "-s", "-B", "\(Project.path)/Tests/Clients/network_exam.py", Child.binary,
                folder.path, adapter, "--fixtures", "fixtures", "--json", "out.json",
            ] + arguments, in: folder.path, within: .seconds(400))
        let said = try JSONDecoder().decode(Said.self, from: Data(ran.output))
        let text = (try? String(contentsOfFile: "\(folder.path)/out.json", encoding: .utf8)) ?? ""
        let outcomes = text.split(separator: "\n").compactMap { line -> String? in
            guard let record = try? JSONDecoder().decode(Record.self, from: Data(line.utf8)) else { return nil }
            return "\(record.name) \(record.outcome)"
        }
        return (said, outcomes)
    }

    private struct Record: Decodable {
        let name: String
        let outcome: String
    }

    @Test func `an adapter of another process sits the exam, and both end with 0`() async throws {
        let (said, outcomes) = try await Self.exam()
        #expect(said.status == 0 && said.remote == 0, "\(said)")
        #expect(outcomes == ["a pass", "b pass", "c pass"])
        #expect(said.err.contains("proctor: an adapter is connected"))
        #expect(said.out.contains("3 cases: 3 pass"), "\(said.out)")
    }

    @Test func `a case in whose middle the connection is lost is asked again, once, and that is said`() async throws {
        let (said, outcomes) = try await Self.exam(before: Self.breaking(at: [1]))
        #expect(said.status == 0 && said.remote == 0, "\(said)")
        #expect(outcomes == ["a pass", "b pass", "c pass"])
        #expect(
            said.err.contains(
                "one#a: the connection to the adapter was lost in the middle of this case: the adapter's side closed it; "
                    + "the case is asked again"), "\(said.err)")
    }

    @Test func `a case in which it is lost twice has a set-up that failed, and the others go on`() async throws {
        let (said, outcomes) = try await Self.exam(before: Self.breaking(at: [1, 2]))
        #expect(said.status == 1 && said.remote == 0, "\(said)")
        #expect(outcomes == ["a setup-failed", "b pass", "c pass"])
        #expect(said.out.contains("as when it was asked before"), "\(said.out)")
    }

    @Test func `an adapter that does not come back ends the exam`() async throws {
        let (said, outcomes) = try await Self.exam(
            before: "if starts == 1: sys.stdin.buffer.readline(); sys.exit(69)",
            // Python has to start before it can come the first time.
            ["--adapter-wait", "20"])
        #expect(said.status == 1 && said.remote == 1, "\(said)")
        #expect(outcomes == ["a setup-failed"])
        #expect(said.remoteErr.contains("the adapter ended with 69"), "\(said.remoteErr)")
        #expect(said.out.contains("within 20 s; before that, a connection was lost"), "\(said.out)")
        #expect(said.out.contains("2 others not asked"), "\(said.out)")
    }
}
