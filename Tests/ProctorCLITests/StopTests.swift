import Foundation
import ProctorTestSupport
import Testing

/// A stop ends the process, whatever its threads do: `--grace 0`, then SIGTERM in the midst of long work.
@Suite(.serialized, .limit(minutes: 10))
struct StopTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var files: [String: String] = [:]
        var arguments: @Sendable (TestFolder) -> [String] = { _ in [] }
        /// Begins the work, and returns what keeps it going.
        let work: @Sendable (ServingChild, TestFolder) throws -> [ChildProcess]
        /// What the work is known by, besides the time of the processor that it takes.
        var isBegun: (@Sendable (ServingChild) -> Bool)?
    }

    private static let small =
        "summary: small\nexchanges: [ { request: GET /x, reply: { status: 200, body: hello } } ]\n"

    private static func shell(_ line: String, _ words: String...) throws -> ChildProcess {
        try ChildProcess(["/bin/sh", "-c", line, "sh"] + words)
    }

    /// Asks for the same again and again, over one connection.
    private static func flood(_ url: String) throws -> ChildProcess {
        // A fragment is not sent.
        try shell("while :; do curl -s -o /dev/null \"$1#[1-1000]\"; done", url)
    }

    static let rows: [Row] = [
        Row(
            testDescription: "requests that take long to compare",
            files: [
                "fixtures/long.yaml": "summary: long\nexchanges:\n"
                    + (0..<1_000).map {
                        "  - { request: { method: GET, path: { matches: '/(a+)+b\($0)' } }, reply: { status: 200 } }\n"
                    }.joined()
            ],
            work: { child, _ in
                try (0..<4).map { _ in try flood("\(child.base)/long/\(String(repeating: "a", count: 6_000))") }
            }),
        Row(
            testDescription: "a script",
            files: [
                "fixtures/script.yaml": "summary: script\nlibrary:\n"
                    + String(
                        repeating:
                            "  - 'local start = time.monotonic() while time.monotonic() - start < 0.8 do end'\n",
                        count: 16)
                    + "exchanges: [ { request: GET /x, reply: { script: 'return { status = 200 }' } } ]\n"
            ],
            work: { child, _ in [try flood("\(child.base)/script/x")] }, isBegun: { $0.err.contains("loop 0 is held") }),
        Row(
            testDescription: "a trace that is judged",
            files: [
                "fixtures/small.yaml": small
                    + "cases: { plain: { client: { url: /x }, task: \"response(200) data+ complete(ok)\" } }\n",
                "trace": #"{"trace":"proctor","version":1,"client":"test","lanes":["task"]}"# + "\n"
                    + String(repeating: #"{"lane":"task","ev":"data","bytes":1}"# + "\n", count: 100_000),
            ],
            work: { child, folder in
                [
                    try shell(
                        "run=$(curl -s -X POST \"$1/__proctor/runs\" -d '{\"scenario\":\"small\"}' | sed 's/.*\"run\":\"\\([^\"]*\\)\".*/\\1/'); "
                            + "while :; do curl -s -o /dev/null \"$1/__proctor/runs/$run/grade?case=plain\" --data-binary @\"$2/trace\"; done",
                        child.base, folder.path)
                ]
            }),
        Row(
            testDescription: "fixtures that are read",
            files: Dictionary(
                uniqueKeysWithValues: (0..<200).map { number in
                    (
                        "fixtures/large\(number).yaml",
                        "summary: large\nexchanges:\n"
                            + (0..<1_000).map {
                                "  - { request: 'GET /\($0)/{name}', reply: { status: 200, headers: { X-A: '{{path.name}}' }, body: hello } }\n"
                            }.joined()
                    )
                }),
            work: { _, _ in [] }),
        Row(
            testDescription: "a journal whose reader takes nothing", files: ["fixtures/small.yaml": small],
            arguments: { folder in
                unsafe _ = mkfifo("\(folder.path)/journal", 0o600)
                // Both ends, so that the server finds a reader.
                unsafe _ = open("\(folder.path)/journal", O_RDWR | O_NONBLOCK | O_CLOEXEC)
                return ["--journal", "\(folder.path)/journal"]
            },
            work: { child, _ in try (0..<4).map { _ in try flood("\(child.base)/small/x") } }),
        Row(
            testDescription: "a journal on a full disk", files: ["fixtures/small.yaml": small],
            arguments: { _ in ["--journal", "/dev/full"] },
            work: { child, _ in try (0..<2).map { _ in try flood("\(child.base)/small/x") } }),
        Row(
            testDescription: "an event stream that is not read", files: ["fixtures/small.yaml": small],
            work: { child, _ in
                [
                    try shell("curl -sN \"$1/__proctor/scenarios/small/events\" | sleep 1000", child.base),
                    try flood("\(child.base)/small/x"), try flood("\(child.base)/small/x"),
                ]
            }),
    ]

    @Test(arguments: rows)
    func `a stop ends the process in the midst of long work`(_ row: Row) async throws {
        let folder = try TestFolder(row.files)
        let status = try await onThread {
            let child = try ServingChild(folder, row.arguments(folder) + ["--grace", "0"])
            let start = child.processorSeconds
            let workers = try row.work(child, folder)
            defer { for worker in workers { worker.kill() } }
            try wait(for: "the work") { row.isBegun?(child) ?? (child.processorSeconds > start + 0.1) }
            return try child.end()
        }
        // 1: something was cut, or is lost; never the signal itself, and never a kill.
        #expect(status == 0 || status == 1)
    }

}

extension ServingChild {
    /// Of all its threads; only Linux tells, elsewhere it is the time since the start of this process.
    fileprivate var processorSeconds: Double {
        guard let text = try? String(contentsOfFile: "/proc/\(id)/stat", encoding: .utf8),
            let end = text.lastIndex(of: ")")
        else { return ProcessInfo.processInfo.systemUptime }
        // utime and stime are the fields 14 and 15 (proc_pid_stat(5)); the third one comes behind the name.
        let fields = text[end...].split(separator: " ").dropFirst()
        let ticks = fields.dropFirst(11).prefix(2).compactMap { Double($0) }
        return ticks.reduce(0, +) / Double(sysconf(Int32(_SC_CLK_TCK)))
    }
}
