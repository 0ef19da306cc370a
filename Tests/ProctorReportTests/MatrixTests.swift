import Foundation
import ProctorCoding
import ProctorScenario
import ProctorTestSupport
import Testing

@testable import ProctorGrading

/// The committed matrices, Docs/matrix and those below it, of HTTP/2, of HTTP/3 and of clients of one family: they can be read, are of
/// these fixtures, and their pages say what the records say.
@Suite(.wide)
struct MatrixTests {
    private static let root: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()
    /// Exams are read once; by day some of them, since 50 clients have 220,000 records.
    final class Matrix: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let folder: String
        let leastCount: Int
        private let records: Result<(clients: [String], exams: [ExamRecord]), any Error>

        init(_ name: String, leastCount: Int) {
            testDescription = name
            folder = "\(root)/\(name)"
            self.leastCount = leastCount
            records = Result { try MatrixTests.read(name) }
        }

        /// Of each client that was asked.
        func clients() throws -> [String] { try records.get().clients }

        func exams() throws -> [ExamRecord] { try records.get().exams }
    }

    private static let all = [
        Matrix("Docs/matrix", leastCount: 14), Matrix("Docs/matrix/http2", leastCount: 4),
        Matrix("Docs/matrix/http3", leastCount: 1), Matrix("Docs/matrix/around", leastCount: 19),
    ]

    @Test func `every shipped client stands in one of them`() throws {
        let names = Set(try Self.all.flatMap { try $0.clients() })
        let adapters = try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/clients/adapters")
        // What has a version of PyPI in its name has a page of its own, Docs/matrix/current.md.
        let shipped = Set(
            adapters.filter { !$0.contains(".") && !$0.contains("@") && !["src", "__pycache__"].contains($0) })
        #expect(shipped.subtracting(names).isEmpty, "shipped, but in no matrix")
    }

    @Test(arguments: all)
    func `the packed records have at most 40 kB for each client`(_ matrix: Matrix) throws {
        let size = try FileManager.default.attributesOfItem(atPath: "\(matrix.folder)/records.jsonl.zst")[.size] as? Int
        #expect(try #require(size) < 40_000 * matrix.clients().count)
    }

    @Test(arguments: all)
    func `many clients were asked, each with its version and the day`(_ matrix: Matrix) throws {
        let clients = try matrix.clients()
        #expect(clients.count >= matrix.leastCount && Set(clients).count == clients.count)
        let exams = try matrix.exams()
        #expect(!exams.isEmpty)
        for exam in exams {
            let header = exam.header
            #expect(header.absence == nil && header.clientVersion?.isEmpty == false, "\(header.client)")
            #expect(header.date?.wholeMatch(of: /\d{4}-\d\d-\d\dT.*/) != nil, "\(header.client)")
            #expect(header.caseCount == exam.cases.count && !exam.cases.isEmpty, "\(header.client)")
        }
    }

    @Test(arguments: all)
    func `every case is one of the fixtures, or stands in the list of those that are gone`(_ matrix: Matrix) throws {
        let cases = Set(try matrix.exams().flatMap { $0.cases.map(\.id) })
        let lines = try String(contentsOfFile: "\(matrix.folder)/gone.txt", encoding: .utf8).split(separator: "\n")
        let listed = Set(lines.filter { !$0.hasPrefix("#") }.map(String.init))
        var gone: Set<String> = []
        for (scenario, ids) in Dictionary(grouping: cases, by: \.scenario) {
            let names = try Self.caseNames(of: scenario)
            for id in ids {
                let name = id.name.replacing("@download", with: "")
                // A key with a hyphen at its end is that of cases with words behind it.
                let isThere = names.contains(name) || names.contains { $0.hasSuffix("-") && name.hasPrefix($0) }
                if !isThere { gone.insert(id.description) }
            }
        }
        #expect(
            gone.subtracting(listed).isEmpty,
            "these cases are gone: examine the clients again (make matrix), or list them in \(matrix.testDescription)/gone.txt"
        )
        // Another client than those that were read may have them.
        guard Extent.isWhole else { return }
        #expect(listed.subtracting(gone).isEmpty, "these are in \(matrix.testDescription)/gone.txt, and not gone")
    }

    @Test(arguments: all)
    func `the page has a row and a paragraph for each client, and the row is what the records say`(
        _ matrix: Matrix
    ) throws {
        let page = try String(contentsOfFile: "\(matrix.folder)/README.md", encoding: .utf8)
        let totals = try #require(page.components(separatedBy: "<!-- totals -->").last)
        let rows = totals.split(separator: "\n").filter { $0.hasPrefix("| ") }
        for exam in try matrix.exams() {
            let name = exam.header.client
            let row = try #require(rows.first { $0.hasPrefix("| \(name) |") }, "\(name) has no row")
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let numbers = cells.dropFirst(2).map { Int($0.replacing(",", with: "")) }
            let failures = Case.Kind.allCases.filter { $0 != .observes }.flatMap { kind in
                let own = exam.cases.filter { $0.kind == kind }
                return [own.count { Self.passed.contains($0.outcome) }, own.count { Self.failed.contains($0.outcome) }]
            }
            #expect(Array(numbers.prefix(4)) == failures.map(Optional.some), "\(name): run Scripts/matrix.py again")
            #expect(page.contains("**\(name)**"), "\(name) has no paragraph")
        }
    }

    @Test(arguments: all)
    func `a failure says what broke, and by which section or rule`(_ matrix: Matrix) throws {
        for exam in try matrix.exams() {
            for record in exam.cases where record.outcome == "fail" || record.outcome == "known" {
                let explained = record.findings.contains {
                    !$0.sentence.isEmpty && !($0.spec.isEmpty && $0.rules.isEmpty)
                }
                #expect(explained && record.cause != nil, "\(exam.header.client) \(record.id)")
            }
        }
    }

    private static let passed = ["pass", "observed", "fixed"]
    private static let failed = ["fail", "known", "hang", "crash", "not-judged"]

    private static func read(_ name: String) throws -> (clients: [String], exams: [ExamRecord]) {
        let packed = ContiguousArray(try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(name)/records.jsonl.zst")))
        var decoder = try CodingDecoder(.zstd)
        var text: [UInt8] = []
        var offset = 0
        while try decoder.decode(packed.span, at: &offset, into: &text) {}
        try decoder.finish()
        let parts = try parts(of: text)
        var reader = ExamRecordReader()
        for part in Extent.of(parts, stride: 12) { try reader.read(part.lines, file: "\(name)/records.jsonl.zst") }
        return (parts.map(\.client), reader.exams)
    }

    /// The lines of each exam, which begin with its header.
    private static func parts(of text: [UInt8]) throws -> [(client: String, lines: [UInt8])] {
        let mark = Array("{\"exam\":".utf8)
        var starts: [Int] = []
        var index = 0
        // From line to line; a search through all 45 MB by generic functions takes many seconds in a debug build.
        while index < text.count {
            if text[index] == mark[0], text[index...].starts(with: mark) { starts.append(index) }
            index = unsafe text.withUnsafeBytes { bytes in
                guard let base = bytes.baseAddress, let found = unsafe memchr(base + index, 0x0A, bytes.count - index)
                else { return bytes.count }
                return unsafe UnsafeRawPointer(found) - base + 1
            }
        }
        return try zip(starts, starts.dropFirst() + [text.endIndex]).map { start, end in
            let head = String(decoding: text[start..<min(start + 400, end)], as: UTF8.self)
            let client = try #require(head.firstMatch(of: /"client":"([^"]+)"/), "\(head)")
            return (String(client.1), Array(text[start..<end]))
        }
    }

    /// The keys of `cases`, by their indent alone: reading 1,300 fixtures as YAML would take longer than this test may.
    ///
    /// The key of an entry with `each` has a hyphen at its end.
    private static func caseNames(of scenario: String) throws -> Set<String> {
        guard let text = try? String(contentsOfFile: "\(root)/fixtures/\(scenario).yaml", encoding: .utf8) else {
            return []
        }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard let start = lines.firstIndex(of: "cases:") else { return [] }
        var names: Set<String> = []
        var key = ""
        for line in lines[(start + 1)...] {
            if line.hasPrefix("    each:") {
                names.remove(key)
                names.insert("\(key)-")
            }
            guard line.hasPrefix("  "), let end = line.firstIndex(of: ":") else { continue }
            let name = line[..<end].dropFirst(2)
            if !name.hasPrefix(" "), !name.hasPrefix("#") {
                key = String(name)
                names.insert(key)
            }
        }
        return names
    }
}
