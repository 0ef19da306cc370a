import Foundation
import ProctorTestSupport
import Testing

/// Adapters that break their contract in every way that is known (`Tests/Clients/hostile.py`): the exam says what each did,
/// in bounded memory, and leaves no process behind.
@Suite(.limit(minutes: 10))
struct HostileAdapterTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let way: String
        /// The outcome of its case.
        let outcome: String
        /// What the reason says.
        let words: String
        /// Whether it ends by itself or at a bound of what it writes, and not by the watchdog.
        let isShort: Bool
        /// Outcome and reason where the adapter is kept, if they are others then.
        private var whenKept: (outcome: String, words: String)?
        var testDescription: String { way }

        func kept(_ outcome: String, _ words: String) -> Row {
            var row = self
            row.whenKept = (outcome, words)
            return row
        }

        func expected(isKept: Bool) -> (outcome: String, words: String) {
            isKept ? whenKept ?? (outcome, words) : (outcome, words)
        }

        init(_ way: String, _ outcome: String, _ words: String, isShort: Bool = true) {
            (self.way, self.outcome, self.words, self.isShort) = (way, outcome, words, isShort)
        }
    }

    private static let lines = "wrote more than 200000 lines of a trace for one assignment, and was ended"
    private static let longLine = "wrote a line with more than 1048576 bytes for one assignment, and was ended"
    /// What is said of a client that has done nothing, by an adapter whose trace is right.
    private static let nothing = "the client made no connection to 127."

    static let rows = [
        Row("flood_of_events", "adapter-error", lines),
        Row("flood_of_long_events", "adapter-error", "wrote more than 33554432 bytes of a trace"),
        // The first blank line ends the trace of one that is kept.
        Row("flood_of_blank_lines", "adapter-error", lines).kept("fail", nothing),
        Row("flood_without_header", "adapter-error", "first line is no header of a trace: 'y'"),
        Row("flood_of_errors", "adapter-error", "wrote more than 67108864 bytes to standard error"),
        Row("flood_of_both", "adapter-error", "wrote more than"),
        Row("flood_of_mistakes", "adapter-error", "line 2 of the trace: column 33: unknown event 'resumed'"),
        Row("endless_line", "adapter-error", longLine),
        Row("two_million_brackets", "adapter-error", longLine),
        Row("deep_brackets", "adapter-error", "no more than 32 levels deep"),
        Row("invalid_utf8", "fail", nothing),
        Row("nuls", "adapter-error", #"not '\x00'"#),
        Row("only_nuls", "adapter-error", "first line is no header of a trace"),
        Row("cut_line", "adapter-error", "line 3 of the trace: it breaks off"),
        Row("header_twice", "adapter-error", "line 2 of the trace: column 1: a header stands only in the first line"),
        Row("numbers_beyond_64_bits", "adapter-error", "'seq' is a whole number from 0 to 9223372036854775807"),
        Row("status_beyond_64_bits", "adapter-error", "the fact 'status' is a whole number from"),
        // The end of a trace is the end of the process, or an empty line where the adapter is kept.
        Row("goes_on_after_its_end", "adapter-error", "line 5 of the trace: column 1: a header stands only")
            .kept("fail", nothing),
        Row("one_byte_a_time", "fail", nothing),
        Row("silence", "setup-failed", "the adapter wrote no header of a trace in ", isShort: false),
        Row("header_and_silence", "hang", "still running after", isShort: false),
        Row("never_reads", "fail", nothing),
        Row("closes_its_pipes", "hang", "still running after", isShort: false),
        Row("ignores_signals", "hang", "still running after", isShort: false),
        Row("stops_itself", "hang", "still running after", isShort: false),
        Row("kills_itself", "crash", "crashed with SIGSEGV"),
        Row("zombies", "fail", nothing),
        Row("child_that_stays", "fail", nothing),
        Row("child_with_a_session", "fail", nothing),
        Row("child_forked_twice", "fail", nothing),
        Row("child_forked_twice_with_a_session", "fail", nothing),
        Row("child_without_environment", "fail", nothing),
        Row("child_that_stays_behind_a_hang", "hang", "still running after", isShort: false),
        Row("child_that_floods", "adapter-error", "line 3 of the trace: column 1: expected an event"),
        Row("very_many_children", "fail", nothing),
        Row("chain_of_children", "fail", nothing),
    ]

    private static let files = [
        "fixtures/one.yaml": """
        summary: One request
        exchanges: [ { request: GET /, reply: { status: 200 } } ]
        cases: { get: { client: { url: / }, wire: request(GET /) } }
        """
    ]

    private static let script = "\(Project.path)/Tests/Clients/hostile.py"

    /// Beyond the peak of an exam of a good adapter.
    private static let mostMoreBytes = 100 << 20

    struct Measured: Decodable {
        let status: Int32
        let peak: Int
        let left: Int
        let out: String
        let err: String
    }

    private struct Record: Decodable {
        let outcome: String
        let reason: String
    }

    /// The record of the case, and what the exam took; a process that it leaves has the folder's name among its words.
    private static func exam(
        _ way: String, _ arguments: [String] = []
    ) async throws -> (outcome: String, reason: String, measured: Measured) {
        let folder = try TestFolder(files)
        let measure = ["/usr/bin/python3", "-E", "-s", "-B", "\(Project.path)/Tests/Clients/measured.py", "300"]
        let adapter = "/usr/bin/python3 -E -s -B \(script) \(way) \(folder.path)"
        let ran = try await ChildProcess.run(
            measure + [folder.path, Child.binary, "exam", "--adapter", adapter, "--json", "out.json"] + arguments,
            in: folder.path, within: .seconds(400))
        let measured = try JSONDecoder().decode(Measured.self, from: Data(ran.output))
        let text = try String(contentsOfFile: "\(folder.path)/out.json", encoding: .utf8)
        let line = try #require(text.split(separator: "\n").last, "\(measured)")
        let record = try JSONDecoder().decode(Record.self, from: Data(line.utf8))
        return (record.outcome, record.reason, measured)
    }

    private static func check(_ row: Row, isKept: Bool = false) async throws {
        let arguments = isKept ? [] : ["--fresh-adapter"]
        let expected = row.expected(isKept: isKept)
        let good = try await exam("well", arguments)
        let (outcome, reason, measured) = try await exam(row.way, arguments)
        #expect(outcome == expected.outcome, "\(measured)")
        #expect(reason.contains(expected.words), "\(reason)")
        #expect(measured.status == 1, "\(measured)")
        if !Sanitizer.isOn {
            #expect(measured.peak < good.measured.peak + mostMoreBytes, "\(measured.peak), \(good.measured.peak)")
        }
        #if os(Linux)
            #expect(measured.left == 0, "\(measured)")
        #endif
    }

    /// One in four of those that need no watchdog, and all of them in the night.
    @Test(arguments: Extent.isWhole ? rows : Extent.of(rows.filter(\.isShort), stride: 4))
    func `a hostile adapter is named for what it does, in bounded memory, and leaves nothing behind`(
        _ row: Row
    ) async throws {
        try await Self.check(row)
    }

    @Test(
        arguments: Extent.isWhole ? rows : rows.filter { ["endless_line", "goes_on_after_its_end"].contains($0.way) })
    func `the same holds of an adapter that is kept for many assignments`(_ row: Row) async throws {
        try await Self.check(row, isKept: true)
    }

    @Test func `every way that the script knows has its row`() async throws {
        let listed = try await Child.run(["-E", "-s", "-B", Self.script, "--list"], program: "/usr/bin/python3")
        #expect(Set(listed.out.split(separator: "\n").map(String.init)) == Set(Self.rows.map(\.way) + ["well"]))
    }

    #if os(Linux)
        @Test func `a command that is ended at its time limit leaves no process behind`() async throws {
            let folder = try TestFolder(Self.files)
            let measure = ["/usr/bin/python3", "-E", "-s", "-B", "\(Project.path)/Tests/Clients/measured.py", "300"]
            let command = [
                "/usr/bin/python3", "-E", "-s", "-B", Self.script, "child_that_stays_behind_a_hang", folder.path,
            ]
            let ran = try await ChildProcess.run(
                measure + [folder.path, Child.binary, "run", "one", "--timeout", "2", "--"] + command, in: folder.path,
                within: .seconds(400))
            let measured = try JSONDecoder().decode(Measured.self, from: Data(ran.output))
            #expect(
                measured.err.contains("had not ended after 2 s") || measured.out.contains("had not ended after 2 s"))
            #expect(measured.left == 0, "\(measured)")
        }
    #endif
}
