import Foundation
import ProctorExam
import ProctorTestSupport
import ProctorTrace
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a child of ours saw of ``ReferenceProtocol`` under the platform's URLSession; it may have trapped or hung.
struct UnderURLSessionSitting: Sendable {
    let ending: WatchedChild.Ending
    let lastErrorLine: String?
    let events: [TraceEvent]

    /// A step against the server of a room, in a process of its own under a watchdog.
    static func of(
        _ path: String, in room: ProtocolRoom, deadline: Int = 20_000,
        _ change: (inout Assignment.Step) -> Void = { _ in }
    ) async throws -> UnderURLSessionSitting {
        var step = Assignment.Step(url: "\(room.base)\(path)")
        change(&step)
        let assignment = Assignment(
            scenario: "test/one", caseName: "under", base: room.base, deadline: deadline, steps: [step])
        let child = WatchedChild(
            command: [BuiltProduct.referenceClient, "--under-urlsession"],
            environment: ProcessInfo.processInfo.environment,
            deadline: .milliseconds(deadline) + Patience.whole)
        let outcome = await child.run(input: [UInt8](try JSONEncoder().encode(assignment)))
        return UnderURLSessionSitting(
            ending: outcome.ending, lastErrorLine: outcome.lastErrorLine, events: try Trace(outcome.output).events)
    }

    /// Names of a lane in order, runs of `data` as one.
    func lane(_ lane: Lane) -> String {
        var symbols: [String] = []
        for event in events where event.lane == lane && event.phase == .enter {
            let symbol = event.name == .data ? "data+" : event.symbol.description
            if symbol != "data+" || symbols.last != symbol { symbols.append(symbol) }
        }
        return symbols.joined(separator: " ")
    }

    func first(_ name: EventName) -> TraceEvent? { events.first { $0.name == name && $0.phase == .enter } }

    var result: EventFacts { events.last { $0.name == .result }?.facts ?? [] }

    var text: String {
        "\(ending) \(lastErrorLine ?? "")\ntask: \(lane(.task))\nproto: \(lane(.proto))\nharness: \(lane(.harness))\n"
            + events.map { event in
                let facts = event.facts.map { "\($0.key.rawValue)=\($0.value)" }.joined(separator: " ")
                return "\(event.sequence) \(event.laneID) \(event.symbol) \(event.phase) \(event.thread ?? "") \(facts)"
            }.joined(separator: "\n")
    }
}
