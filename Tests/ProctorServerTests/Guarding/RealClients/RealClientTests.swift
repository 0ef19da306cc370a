import Foundation
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Programs and libraries that people use answer challenges; what comes of it stands in `Docs/results/challenges.tsv`.
@Suite(.wide)
struct `Clients that answer challenges` {
    @Test(arguments: Extent.of(RealClientRow.page, stride: 3))
    func `a client does what the page says`(row: RealClientRow) async throws {
        let (product, writtenFor) = row.client.writtenFor
        guard let version = try row.client.version() else {
            try Test.cancel("no \(product); Scripts/install-packages.sh test installs it")
        }
        let walk = try await RealClientWalk.take(row.client, row.feature)
        guard walk.cells != row.cells else { return }
        let isTheOne = version == writtenFor || version.hasPrefix(writtenFor + ".")
        let note = isTheOne ? "" : "the page is written for \(writtenFor), this is \(version)\n"
        Issue.record(
            "\(note)the page says \(row.cells), seen: \(walk.cells)\n\(walk.account)",
            severity: isTheOne ? .error : .warning)
    }

    @Test func `the page has a row for every client and every feature that it has to do with`() throws {
        let rows = try RealClientRow.lines.map(RealClientRow.init)
        let told = rows.map(\.testDescription)
        let wanted = RealClientRow.wanted.map { "\($0.client.rawValue): \($0.feature.name)" }
        #expect(told == wanted)
    }

    @Test func `the page has the counts of the file`() throws {
        let page = try String(contentsOfFile: "\(Tools.project)/Docs/clients/challenges.md", encoding: .utf8)
        let rows = try RealClientRow.lines.map(RealClientRow.init)
        for client in RealClient.allCases {
            let own = rows.filter { $0.client == client }
            let passing = own.count { $0.cells[0] == "passes" }
            #expect(page.contains("\n| `\(client.rawValue)` | \(passing) | \(own.count - passing) |\n"), "\(client)")
        }
    }
}

/// A line of `Docs/results/challenges.tsv`: what one client made of one feature.
struct RealClientRow: Sendable, CustomTestStringConvertible {
    let client: RealClient
    let feature: RealClientFeature
    /// Result, verdicts and the journal's sentence.
    let cells: [String]

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    /// The rows of the file, as they stand there.
    static let page: [RealClientRow] = (try? lines.map(RealClientRow.init)) ?? []

    static let lines: [String] = {
        let path = "\(Tools.project)/Docs/results/challenges.tsv"
        let text = (try? String(contentsOfFile: path, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").dropFirst().map(String.init)
    }()

    /// Every client with every feature that it has to do with.
    static let wanted: [(client: RealClient, feature: RealClientFeature)] = RealClient.allCases.flatMap { client in
        RealClientFeature.all.filter { client.groups.contains($0.group) }.map { (client, $0) }
    }

    init(_ line: String) throws {
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        guard cells.count == 6, let client = RealClient(rawValue: cells[0]),
            let feature = RealClientFeature.all.first(where: { $0.name == cells[1] })
        else { throw Failure(description: "no row: \(line)") }
        self.client = client
        self.feature = feature
        self.cells = Array(cells[2...4])
    }

    var testDescription: String { "\(client.rawValue): \(feature.name)" }
}

/// One client before one guard, with a server and a folder of its own.
struct RealClientWalk {
    /// Result, verdicts and sentence, as the page has them.
    let cells: [String]
    /// All observations, as text for a failure.
    let account: String

    /// Clients together; more would only wait for the processor.
    private static let gate = Gate(width: 2)

    static func take(_ client: RealClient, _ feature: RealClientFeature) async throws -> RealClientWalk {
        try await gate.admit { try await RealClientWalk(client, feature) }
    }

    private init(_ client: RealClient, _ feature: RealClientFeature) async throws {
        let scenario = try ProctorServerTests.scenario(feature.scenario, id: "auth/client")
        let folder = try TestFolder()
        defer { folder.remove() }
        let (outcome, entries) = try await withServer([scenario]) { server in
            let run = try await server.run(scenario.id)
            let outcome = try await ChildProcess.run(
                client.words(feature, base: run.base, folder: folder.path),
                environment: ["HOME": folder.path, "LC_ALL": "C.UTF-8"], in: folder.path, within: ClientTimes.whole)
            await run.stop(grace: Patience.whole)
            return (outcome, run.journal.snapshot().entries)
        }
        let verdicts = entries.compactMap { entry -> GuardVerdict? in
            if case .guarded(let verdict) = entry.event { verdict } else { nil }
        }
        let counts = verdicts.reduce(into: [:]) { $0[$1.outcome, default: 0] += 1 }
        // A wrong password is refused, and not given again and again.
        let isRight =
            feature.given == nil
            ? counts[.admitted] == feature.count : counts[.admitted] == nil && counts[.refused] == 1
        let told = verdicts.map { verdict in
            ([verdict.outcome.rawValue] + verdict.faults.map(\.kind.rawValue)).joined(separator: " ")
        }
        let sentence =
            verdicts.first { !$0.faults.isEmpty && $0.outcome != .stale }?.faults.map(\.description)
            .joined(separator: "; ") ?? ""
        cells = [
            isRight ? "passes" : "fails", told.joined(separator: ", "), Self.settled(sentence),
        ]
        account = "exit \(outcome.status): \(outcome.err)\n\(WireTimeline(entries))"
    }

    /// Without what chance has given: every run of sixteen or more digits and letters is left out.
    private static func settled(_ sentence: String) -> String {
        sentence.replacing(/[0-9A-Za-z+\/=]{16,}/, with: "…")
    }
}
