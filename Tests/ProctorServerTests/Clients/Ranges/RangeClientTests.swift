import Foundation
import ProctorCoding
import ProctorFixtures
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Programs that people fetch files with walk the range family; what they make of it stands in ``RangeRow/all``.
@Suite(.wide)
struct `Range clients` {
    @Test(
        .enabled(if: RangeClient.Program.curl.isInstalled, "no curl; Scripts/install-packages.sh test installs it"),
        arguments: RangeRow.curl)
    func `curl does what the table says`(row: RangeRow) async throws {
        try await Self.walk(row)
    }

    @Test(
        .enabled(if: RangeClient.Program.wget.isInstalled, "no wget; Scripts/install-packages.sh test installs it"),
        arguments: RangeRow.wget)
    func `wget does what the table says`(row: RangeRow) async throws {
        try await Self.walk(row)
    }

    @Test(
        .enabled(if: RangeClient.Program.aria2c.isInstalled, "no aria2c; Scripts/install-packages.sh test installs it"),
        arguments: RangeRow.aria)
    func `aria2c does what the table says`(row: RangeRow) async throws {
        try await Self.walk(row)
    }

    private static func walk(_ row: RangeRow) async throws {
        let walk = try await RangeWalk.take(row)
        guard walk.exits != row.exits || walk.file != row.file || walk.requests != row.requests else { return }
        let program = row.client.program
        let version = try program.version()
        let isTheOne = version == program.writtenFor || version.hasPrefix(program.writtenFor + ".")
        let note = isTheOne ? "" : "the table is written for \(program.writtenFor), this is \(version)\n"
        Issue.record(
            "\(note)wanted \(row.exits), \(row.file), \(row.requests)\n\(walk.account)",
            severity: isTheOne ? .error : .warning)
    }

    /// Which parts it asks for depends on how fast each of them comes, so no row can say it.
    @Test(
        .enabled(if: RangeClient.Program.aria2c.isInstalled, "no aria2c; Scripts/install-packages.sh test installs it"))
    func `aria2c puts a file together from parts that come at once`() async throws {
        let walk = try await RangeWalk.take(
            RangeRow(.ariaSplit, "parts-at-once", file: "whole", requests: []))
        #expect(walk.exits == [0] && walk.file == "whole", "\(walk.account)")
        // How the parts are shared out is a race of its own; that there are parts is not.
        let starts = Set(walk.requests.compactMap { Int($0.prefix { $0 != "-" }) })
        #expect(starts.contains { $0 > 0 }, "\(walk.account)")
        let open = walk.entries.reduce(into: (now: 0, most: 0)) { count, entry in
            switch entry.event {
            case .connectionOpened: count.now += 1
            case .connectionClosed: count.now -= 1
            default: break
            }
            count.most = max(count.most, count.now)
        }
        #expect(open.most >= 2, "\(walk.account)")
    }

    @Test func `every row speaks of a scenario of the family, and every resume is walked by all`() {
        let known = Set(ShippedLibrary.contents.scenarios.map(\.id))
        for row in RangeRow.all { #expect(known.contains("range/\(row.scenario)"), "\(row)") }
        // The client cancels, which none of these does.
        let resumes = known.filter { $0.hasPrefix("range/resume-") }.subtracting(["range/resume-after-cancelling"])
        for program in RangeClient.Program.allCases {
            let walked = Set(RangeRow.all.filter { $0.client.program == program }.map { "range/\($0.scenario)" })
            #expect(resumes.subtracting(walked).isEmpty, "\(program)")
        }
    }

    @Test func `the page has the same table`() throws {
        let text = try String(contentsOfFile: "\(Tools.project)/Docs/clients/ranges.md", encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let wanted = RangeRow.all.map(\.line)
        #expect(lines == wanted, "it should be:\n\(wanted.joined(separator: "\n"))")
    }
}

/// One row, walked: a server and a folder of its own, and the client as often as the row calls it.
struct RangeWalk {
    let exits: [Int32]
    let file: String
    let requests: [String]
    let complaints: String
    let entries: [JournalEntry]

    /// Clients together; more would only wait for the processor.
    private static let gate = Gate(width: 2)

    static func take(_ row: RangeRow) async throws -> RangeWalk {
        try await gate.admit { try await RangeWalk(row) }
    }

    private init(_ row: RangeRow) async throws {
        let id = "range/\(row.scenario)"
        let scenario = try #require(ShippedLibrary.contents.scenarios.first { $0.id == id })
        let content = try RangeContent(scenario)
        let folder = try TestFolder()
        defer { folder.remove() }
        let path = "\(folder.path)/file"
        if let before = row.before {
            try Data(content.beginning(before)).write(to: URL(fileURLWithPath: path))
        }
        let server = try await Server.start(Catalogue([scenario]))
        let run = try await server.run(id)
        var exits: [Int32] = []
        var complaints = ""
        do {
            for _ in row.exits {
                let words = row.client.words(row.argument, url: "\(run.base)/file", file: path)
                let outcome = try await ChildProcess.run(
                    words, environment: ["HOME": folder.path], in: folder.path, within: ClientTimes.whole)
                exits.append(outcome.status)
                complaints += outcome.err
            }
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
        await run.stop(grace: Patience.whole)
        entries = run.journal.snapshot().entries
        await server.stop(grace: .zero)
        self.exits = exits
        self.complaints = complaints
        file = content.account(of: (try? Data(contentsOf: URL(fileURLWithPath: path))).map { [UInt8]($0) })
        requests = entries.compactMap(Self.request)
    }

    /// The Range of a request without its unit, and If-Range behind it.
    private static func request(_ entry: JournalEntry) -> String? {
        guard case .requestHead(let head, _) = entry.event else { return nil }
        func value(_ name: String) -> String? {
            head.fields.values(named: Array(name.utf8)).first.map { String(decoding: $0, as: UTF8.self) }
        }
        let range = value("Range").map { $0.hasPrefix("bytes=") ? String($0.dropFirst("bytes=".count)) : $0 } ?? "-"
        return ([range] + [value("If-Range").map { "if \($0)" }].compactMap(\.self)).joined(separator: " ")
    }

    /// All observations, as text for a failure.
    var account: String {
        "exits \(exits), file: \(file), requests \(requests)\n\(complaints)\n\(WireTimeline(entries))"
    }
}

/// The bytes that a scenario serves, before and after it changed, and words for what a client made of them.
struct RangeContent {
    private let old: [UInt8]
    private let new: [UInt8]

    /// What most scenarios of the family serve.
    static let alphabet = Array("0123456789abcdefghijklmnopqrstuvwxyz".utf8)

    init(_ scenario: Scenario) throws {
        let replies = scenario.exchanges.flatMap(\.replies)
        old = try replies.first.flatMap(Self.whole) ?? Self.alphabet
        new = try replies.last.flatMap(Self.whole) ?? old
    }

    /// The first bytes of what is served first.
    func beginning(_ count: Int) -> [UInt8] { Array(old.prefix(count)) }

    /// What a file holds, in words that a table can compare.
    func account(of file: [UInt8]?) -> String {
        guard let file else { return "none" }
        if file.isEmpty { return "empty" }
        if file == old { return "whole" }
        if file == new { return "the new one" }
        if old.starts(with: file) { return "the first \(file.count)" }
        if old.suffix(file.count).elementsEqual(file) { return "the last \(file.count)" }
        if old.count < 100, let start = old.indices.first(where: { old[$0...].starts(with: file) }) {
            return "\(start)-\(start + file.count - 1)"
        }
        if isMixed(file) { return "half old, half new" }
        return "other bytes"
    }

    /// Whether it begins as the old file and ends as the new one.
    private func isMixed(_ file: [UInt8]) -> Bool {
        guard file.count == new.count else { return false }
        let oldCount = zip(file, old).prefix { $0 == $1 }.count
        let newCount = zip(file.reversed(), new.reversed()).prefix { $0 == $1 }.count
        return oldCount > 0 && newCount > 0 && oldCount + newCount >= file.count
    }

    /// The content of a reply with status 200, coded as it is sent; nil for others.
    private static func whole(_ reply: Reply) throws -> [UInt8]? {
        guard case .structured(let message) = reply.message, message.status == 200 else { return nil }
        let context = TemplateContext(base: [], authorities: [])
        let bytes = try message.body.flatMap { piece in
            if case .bytes(let source) = piece { try source.bytes(in: context) } else { [UInt8]() }
        }
        guard case .apply(let steps) = message.coding?.plan else { return bytes }
        return try CodingEncoder.encode(bytes, steps: steps)
    }
}
