import Foundation
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// Two runs of one scenario, used at once by one session of Python's requests, do not touch each other.
struct `Two runs at once` {
    private static let turnCount = 12

    /// Each turn is told apart by its body and leaves a cookie that says whose it is.
    private static func scenario() throws -> Scenario {
        let replies = (0..<turnCount).map { turn in
            """
                  - status: 200
                    headers: { Set-Cookie: "turn-\(turn)={{authority}}; Path=/" }
                    body: "turn \(turn) of {{authority}}\\n"
            """
        }
        return try InlineScenario.load(
            """
            summary: Every turn sets a cookie
            exchanges:
              - request: GET /turn
                times: \(turnCount)
                reply:
            \(replies.joined(separator: "\n"))
            """, id: "two-runs")
    }

    /// What the script says of the session.
    private struct Told: Decodable {
        let bodies: [String: [String]]
        /// Domain and value.
        let cookies: [[String]]
    }

    @Test func `turns, cookies and connections of one run are not the other's`() async throws {
        let scenario = try Self.scenario()
        let server = try await Server.start(Catalogue([scenario]))
        let runs = [try await server.run(scenario.id), try await server.run(scenario.id)]
        try #require(runs[0].base != runs[1].base)
        let command = Tools.script("requests_two_runs.py", ["\(Self.turnCount)"] + runs.map(\.base))
        let output = try await Tools.output(of: command, within: ClientTimes.whole)
        for run in runs { await run.stop(grace: Patience.whole) }
        await server.stop(grace: .zero)

        let told = try JSONDecoder().decode(Told.self, from: Data(output))
        for (run, other) in [(runs[0], runs[1]), (runs[1], runs[0])] {
            let authority = String(run.base.dropFirst("http://".count))
            let timeline = WireTimeline(run.journal.snapshot().entries).description
            // State: each run gave its own turns, each once and in order.
            #expect(told.bodies[run.base] == (0..<Self.turnCount).map { "turn \($0) of \(authority)\n" }, "\(timeline)")
            let seen = Seen(run.journal.snapshot().entries)
            #expect(seen.turns == Array(0..<Self.turnCount), "\(timeline)")
            // Connections: one, kept, with all requests of this run on it.
            #expect(seen.connectionCount == 1, "\(timeline)")
            #expect(seen.connectionOfRequest == Array(repeating: 0, count: Self.turnCount), "\(timeline)")
            #if os(Linux)
                // Cookies: all that this run has set so far come back to it, and none of the other's.
                let otherAuthority = String(other.base.dropFirst("http://".count))
                for (number, cookies) in seen.cookies.enumerated() {
                    let expected = (0..<number).map { "turn-\($0)=\(authority)" }
                    #expect(Set(cookies) == Set(expected), "request \(number)\n\(timeline)")
                    #expect(!cookies.contains { $0.contains(otherAuthority) })
                }
                #expect(told.cookies.count { $0[1].contains(authority) } == Self.turnCount)
            #endif
        }
    }

    @Test func `a run that is reset starts over and the other goes on`() async throws {
        let scenario = try Self.scenario()
        let server = try await Server.start(Catalogue([scenario]))
        let runs = [try await server.run(scenario.id), try await server.run(scenario.id)]
        func ask(_ turns: Int) async throws -> [String: [Substring]] {
            let command = Tools.script("requests_two_runs.py", ["\(turns)"] + runs.map(\.base))
            let output = try await Tools.output(of: command, within: ClientTimes.whole)
            return try JSONDecoder().decode(Told.self, from: Data(output)).bodies
                .mapValues { $0.map { $0.prefix { $0 != "o" } } }
        }
        let first = try await ask(2)
        runs[0].reset()
        let second = try await ask(2)
        for run in runs { await run.stop(grace: Patience.whole) }
        await server.stop(grace: .zero)

        #expect(first.values.allSatisfy { $0 == ["turn 0 ", "turn 1 "] })
        #expect(second[runs[0].base] == ["turn 0 ", "turn 1 "])
        #expect(second[runs[1].base] == ["turn 2 ", "turn 3 "])
        #expect(Seen(runs[0].journal.snapshot().entries).turns == [0, 1])
        #expect(Seen(runs[1].journal.snapshot().entries).turns == [0, 1, 2, 3])
    }
}

/// A journal's entries about turns, connections and cookies.
private struct Seen {
    private(set) var turns: [Int] = []
    private(set) var connectionCount = 0
    private(set) var connectionOfRequest: [Int] = []
    private(set) var cookies: [[String]] = []

    init(_ entries: [JournalEntry]) {
        for entry in entries {
            switch entry.event {
            case .connectionOpened: connectionCount += 1
            case .requestHead(let head, _):
                if let connection = entry.connection { connectionOfRequest.append(connection) }
                let lines = head.fields.values(named: Array("Cookie".utf8)).map { String(decoding: $0, as: UTF8.self) }
                cookies.append(lines.flatMap { $0.components(separatedBy: "; ") })
            case .exchangeChosen(_, let turn): turns.append(turn)
            default: break
            }
        }
    }
}
