import Foundation
import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// Two hundred requests at once: every turn is given exactly once.
struct `Parallel requests` {
    private static let count = 200

    private static func listOfReplies() throws -> Scenario {
        let replies = (0..<count).map { "      - { status: 200, body: \"turn \($0)\" }" }
        return try scenario(
            """
            summary: A reply for each of many requests
            exchanges:
              - request: GET /next
                times: \(count)
                reply:
            \(replies.joined(separator: "\n"))
            """, id: "parallel/list")
    }

    /// A sequence that must be kept, of exchanges that all match.
    private static func strictSequence() throws -> Scenario {
        let exchanges = (0..<count).map {
            "  - { request: \"GET /next?*\", times: 1, reply: { status: 200, body: \"turn \($0)\" } }"
        }
        return try scenario(
            """
            summary: An exchange for each of many requests
            sequence: strict
            exchanges:
            \(exchanges.joined(separator: "\n"))
            """, id: "parallel/strict")
    }

    private static let everyTurn = (0..<count).map { "turn \($0)" }.sorted()

    @Test func `requests threads get every reply of a list once`() async throws {
        let scenario = try Self.listOfReplies()
        let server = try await Server.start(Catalogue([scenario]))
        let run = try await server.run(scenario.id)
        let bodies = try await Self.askByThreads("\(run.base)/next")
        await run.stop(grace: Patience.whole)
        await server.stop(grace: .zero)

        #expect(bodies.sorted() == Self.everyTurn)
        let entries = run.journal.snapshot().entries
        #expect(Self.turns(entries).map(\.turn) == Array(0..<Self.count))
        #expect(entries.count { if case .connectionOpened = $0.event { true } else { false } } == Self.count)
    }

    /// The shared port listens on every loop, so there two threads change one state.
    @Test func `two loops of the shared port give every reply of a list once`() async throws {
        let scenario = try Self.listOfReplies()
        var configuration = ServerConfiguration()
        configuration.threadCount = 2
        let server = try await Server.start(Catalogue([scenario]), configuration: configuration)
        let first = try await Self.askByThreads("\(server.base)/\(scenario.id)/next")
        // In the standing mount the list starts over.
        let second = try await Self.askByThreads("\(server.base)/\(scenario.id)/next")
        await server.stop(grace: Patience.whole)

        #expect(first.sorted() == Self.everyTurn)
        #expect(second.sorted() == Self.everyTurn)
    }

    @Test func `curl in parallel gets every exchange of a strict sequence once and in order`() async throws {
        let scenario = try Self.strictSequence()
        let server = try await Server.start(Catalogue([scenario]))
        let run = try await server.run(scenario.id)
        let folder = try TestFolder()
        defer { folder.remove() }
        let command = [
            Tools.curl, "-q", "-s", "--noproxy", "*", "-m", "\(ClientTimes.step)", "--parallel",
            "--parallel-immediate", "--parallel-max", "\(Self.count)", "-o", "\(folder.path)/#1",
            "\(run.base)/next?n=[1-\(Self.count)]",
        ]
        _ = try await Tools.output(of: command, within: ClientTimes.whole)
        await run.stop(grace: Patience.whole)
        await server.stop(grace: .zero)

        let bodies = try (1...Self.count).map { try String(contentsOfFile: "\(folder.path)/\($0)", encoding: .utf8) }
        #expect(bodies.sorted() == Self.everyTurn)
        let entries = run.journal.snapshot().entries
        #expect(Self.turns(entries).map(\.exchange) == Array(0..<Self.count))
        #expect(!entries.contains { if case .missed = $0.event { true } else { false } })
    }

    private static func askByThreads(_ url: String) async throws -> [String] {
        let output = try await Tools.output(
            of: Tools.script("requests_in_parallel.py", [url, "\(count)"]), within: ClientTimes.whole)
        return try JSONDecoder().decode([String].self, from: Data(output))
    }

    private static func turns(_ entries: [JournalEntry]) -> [(exchange: Int, turn: Int)] {
        entries.compactMap { entry in
            if case .exchangeChosen(let exchange, let turn) = entry.event { (exchange, turn) } else { nil }
        }
    }
}
