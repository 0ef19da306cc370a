import Foundation
import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorTestSupport
import Testing

/// Programs that people fetch files with walk the range family; what they make of it stands in ``RangeRow/all``.
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
        let known = Set(ClientCase.library.scenarios.map(\.id))
        for row in RangeRow.all { #expect(known.contains("range/\(row.scenario)"), "\(row)") }
        // The client cancels, which none of these does.
        let resumes = known.filter { $0.hasPrefix("range/resume-") }.subtracting(["range/resume-after-cancelling"])
        for program in RangeClient.Program.allCases {
            let walked = Set(RangeRow.all.filter { $0.client.program == program }.map { "range/\($0.scenario)" })
            #expect(resumes.subtracting(walked).isEmpty, "\(program)")
        }
    }

    @Test func `the page has the same table`() throws {
        let text = try String(contentsOfFile: "\(Tools.project)/Docs/range-clients.md", encoding: .utf8)
        let lines = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let wanted = RangeRow.all.map(\.line)
        #expect(lines == wanted, "it should be:\n\(wanted.joined(separator: "\n"))")
    }
}
