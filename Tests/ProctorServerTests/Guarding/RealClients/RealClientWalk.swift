import Foundation
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// One client before one guard, with a server and a folder of its own.
struct RealClientWalk {
    /// Result, verdicts and sentence, as the page has them.
    let cells: [String]
    /// For a person: everything that was seen.
    let account: String

    /// Clients together; more would only wait for the processor.
    private static let gate = Gate(width: 2)

    static func take(_ client: RealClient, _ feature: RealClientFeature) async throws -> RealClientWalk {
        try await gate.admit { try await RealClientWalk(client, feature) }
    }

    private init(_ client: RealClient, _ feature: RealClientFeature) async throws {
        let scenario = try InlineScenario.load(feature.scenario, id: "auth/client")
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
        sentence.replacing(/[0-9A-Za-z+\/=]{16,}/, with: "…").replacing("|", with: "\\|")
    }
}
