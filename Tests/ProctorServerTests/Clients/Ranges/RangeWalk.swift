import Foundation
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// One row, walked: a server and a folder of its own, and the client as often as the row calls it.
struct RangeWalk {
    let exits: [Int32]
    let file: String
    let requests: [String]
    /// Of the client.
    let complaints: String
    let entries: [JournalEntry]

    /// Clients together; more would only wait for the processor.
    private static let gate = Gate(width: 2)

    static func take(_ row: RangeRow) async throws -> RangeWalk {
        try await gate.admit { try await RangeWalk(row) }
    }

    private init(_ row: RangeRow) async throws {
        let id = "range/\(row.scenario)"
        let scenario = try #require(ClientCase.library.scenarios.first { $0.id == id })
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

    /// For a person: everything that was seen.
    var account: String {
        "exits \(exits), file: \(file), requests \(requests)\n\(complaints)\n\(WireTimeline(entries))"
    }
}
