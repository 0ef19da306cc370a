import Foundation
import ProctorCoding
import ProctorScenario
import ProctorTestSupport
import Testing

@testable import ProctorGrading

/// The committed results, Docs/matrix: each sitting can be read, is of these fixtures, and the page says what the records say.
@Suite(.wide)
struct MatrixTests {
    private static let root: String = {
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(3).joined(separator: "/")
    }()
    private static let folder = "\(root)/Docs/matrix"
    private static let file = "\(folder)/records.jsonl.zst"

    /// One exam of many clients, as the file has it.
    enum Sitting: String, CaseIterable {
        case http1, http2, http3, around

        var leastCount: Int {
            switch self {
            case .http1: 14
            case .http2: 4
            case .http3: 1
            case .around: 19
            }
        }

        /// Of each client that was asked.
        func clients() throws -> [String] { try read.clients }

        func exams() throws -> [ExamRecord] { try read.exams }

        private var read: (clients: [String], exams: [ExamRecord]) {
            get throws { try #require(try MatrixTests.sittings.get()[self]) }
        }
    }

    /// Exams are read once; by day some of them, since 90 clients have 350,000 records.
    private static let sittings = Result { try read() }

    @Test func `every shipped client stands in one of them`() throws {
        let names = Set(try Sitting.allCases.flatMap { try $0.clients() })
        let adapters = try FileManager.default.contentsOfDirectory(atPath: "\(Self.root)/clients/adapters")
        // Of what has a version of PyPI in its name the causes of failures are kept, Docs/matrix/causes.md.
        let shipped = Set(
            adapters.filter { !$0.contains(".") && !$0.contains("@") && !["src", "__pycache__"].contains($0) })
        #expect(shipped.subtracting(names).isEmpty, "shipped, but in no matrix")
    }

    @Test func `the packed records have at most 30 kB for each client`() throws {
        let size = try FileManager.default.attributesOfItem(atPath: Self.file)[.size] as? Int
        #expect(try #require(size) < 30_000 * Sitting.allCases.map { try $0.clients().count }.reduce(0, +))
    }

    @Test(arguments: Sitting.allCases)
    func `many clients were asked, each with its version and the day`(_ sitting: Sitting) throws {
        let clients = try sitting.clients()
        #expect(clients.count >= sitting.leastCount && Set(clients).count == clients.count)
        let exams = try sitting.exams()
        #expect(!exams.isEmpty)
        for exam in exams {
            let header = exam.header
            #expect(header.absence == nil && header.clientVersion?.isEmpty == false, "\(header.client)")
            #expect(header.date?.wholeMatch(of: /\d{4}-\d\d-\d\dT.*/) != nil, "\(header.client)")
            #expect(header.caseCount == exam.cases.count && !exam.cases.isEmpty, "\(header.client)")
        }
    }

    @Test func `every case is one of the fixtures, or stands in the list of those that are gone`() throws {
        let cases = Set(try Sitting.allCases.flatMap { try $0.exams().flatMap { $0.cases.map(\.id) } })
        let lines = try String(contentsOfFile: "\(Self.folder)/gone.txt", encoding: .utf8).split(separator: "\n")
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
            "these cases are gone: examine the clients again (make matrix), or list them in Docs/matrix/gone.txt")
        // Another client than those that were read may have them.
        guard Extent.isWhole else { return }
        #expect(listed.subtracting(gone).isEmpty, "these are in Docs/matrix/gone.txt, and not gone")
    }

    @Test(arguments: Sitting.allCases)
    func `the page has a row for each client, which is what the records say, and its failures are told`(
        _ sitting: Sitting
    ) throws {
        let page = try String(contentsOfFile: "\(Self.folder)/README.md", encoding: .utf8)
        let found = try String(contentsOfFile: "\(Self.folder)/found.md", encoding: .utf8)
        let table = try #require(page.components(separatedBy: "<!-- \(sitting) -->").last)
        let rows = table.components(separatedBy: "<!-- end of").first?.split(separator: "\n") ?? []
        for exam in try sitting.exams() {
            let name = exam.header.client
            let row = try #require(
                rows.first { $0.hasPrefix("| \(name) |") || $0.hasPrefix("| [\(name)](") }, "\(name) has no row")
            let cells = row.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            let numbers = cells.dropFirst(2).map { Int($0.replacing(",", with: "")) }
            let failures = Case.Kind.allCases.filter { $0 != .observes }.flatMap { kind in
                let own = exam.cases.filter { $0.kind == kind }
                return [own.count { Self.passed.contains($0.outcome) }, own.count { Self.failed.contains($0.outcome) }]
            }
            #expect(Array(numbers.prefix(4)) == failures.map(Optional.some), "\(name): run Scripts/results.py pages")
            let isTold = page.contains("[\(name)](../clients/") || found.contains("**\(name)**")
            #expect(isTold, "\(name) has neither a page nor a paragraph")
        }
    }

    @Test(arguments: Sitting.allCases)
    func `a failure says what broke, and by which section or rule`(_ sitting: Sitting) throws {
        for exam in try sitting.exams() {
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

    private static func read() throws -> [Sitting: (clients: [String], exams: [ExamRecord])] {
        let packed = ContiguousArray(try Data(contentsOf: URL(fileURLWithPath: file)))
        var decoder = try CodingDecoder(.zstd)
        var text: [UInt8] = []
        var offset = 0
        while try decoder.decode(packed.span, at: &offset, into: &text) {}
        try decoder.finish()
        let lines = lines(of: text)
        return try Dictionary(
            uniqueKeysWithValues: Sitting.allCases.map { sitting in
                let before = "{\"sitting\":\"\(sitting)\","
                let headers = try lines.filter { $0.start == "\(before)\"exam\":\"proctor\"" }.map { line in
                    let head = String(decoding: text[line.place.prefix(400)], as: UTF8.self)
                    let match = try #require(head.firstMatch(of: /"client":"([^"]+)"/), "\(head)")
                    return (client: String(match.1), line: line)
                }
                let asked = Extent.of(headers, stride: 12)
                let starts = Set(asked.map { "\(before)\"client\":\"\($0.client)\"" })
                var own: [UInt8] = []
                for line in asked.map(\.line) + lines.filter({ starts.contains($0.start) }) {
                    own.append(UInt8(ascii: "{"))
                    own += text[line.place.dropFirst(before.utf8.count)]
                }
                var reader = ExamRecordReader()
                try reader.read(own, file: file)
                return (sitting, (headers.map(\.client), reader.exams))
            })
    }

    /// A line: its first two keys with their values, and its place with its end.
    private typealias Line = (start: String, place: Range<Int>)

    /// From line to line; a search through all 100 MB by generic functions takes many seconds in a debug build.
    private static func lines(of text: [UInt8]) -> [Line] {
        unsafe text.withUnsafeBytes { bytes in
            func end(of byte: UInt8, from index: Int) -> Int {
                guard let base = bytes.baseAddress,
                    let found = unsafe memchr(base + index, Int32(byte), bytes.count - index)
                else { return bytes.count }
                return unsafe UnsafeRawPointer(found) - base + 1
            }
            var lines: [Line] = []
            var index = 0
            while index < bytes.count {
                let place = index..<end(of: 0x0A, from: index)
                let comma = UInt8(ascii: ",")
                let start = end(of: comma, from: end(of: comma, from: index)) - 1
                let head = unsafe String(decoding: bytes[index..<min(start, place.upperBound)], as: UTF8.self)
                lines.append((head, place))
                index = place.upperBound
            }
            return lines
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
