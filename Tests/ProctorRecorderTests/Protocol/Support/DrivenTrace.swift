import Foundation
import ProctorEvents
import ProctorProgram
import ProctorRules
import ProctorTestSupport
import Testing

@testable import ProctorAssignments
@testable import ProctorRecorder

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The trace of a driven protocol, as tests look at it.
struct DrivenTrace: Sendable {
    let events: [TraceEvent]

    /// Waits for nothing that has no bound; whether the driver came back in time is the caller's to see.
    static func of(
        _ protocolClass: URLProtocol.Type, _ request: URLRequest = Self.request(),
        program: ProtocolProgram = .patient, deadline: Duration = Patience.whole
    ) async -> DrivenTrace {
        let driver = ProtocolDriver(protocolClass)
        return DrivenTrace(events: await driver.run(request, program: program, deadline: deadline))
    }

    /// Of a script, one call a line; `other:` in front is another thread.
    static func of(
        script: String, program: ProtocolProgram = .patient, deadline: Duration = Patience.whole
    ) async -> DrivenTrace {
        let load = ScriptedLoad(Self.calls(script), for: Self.request())
        defer { withExtendedLifetime(load) {} }
        return await of(ScriptedProtocol.self, load.request, program: program, deadline: deadline)
    }

    /// Of a script that does not end: given up as its deadline would, but at an event, so that no clock decides.
    static func of(
        script: String, program: ProtocolProgram = .patient, givenUpAfter name: EventName
    ) async -> DrivenTrace {
        let load = ScriptedLoad(Self.calls(script), for: Self.request())
        defer { withExtendedLifetime(load) {} }
        let run = ProtocolRun(
            ProtocolDriver(ScriptedProtocol.self).makers, program: program, cachedResponse: nil,
            deadline: Patience.whole)
        async let events = withCheckedContinuation { run.start(load.request, for: $0) }
        _ = await run.recorder.event(within: Patience.whole) { $0.name == name && $0.phase == .exit }
        run.giveUp()
        return DrivenTrace(events: await events)
    }

    static func calls(_ script: String) -> [Assignment.ProtocolCall] {
        script.split(separator: ",").map { line in
            var words = line.split(separator: " ", maxSplits: 1).map(String.init)
            let isElsewhere = words.first == "other:"
            if isElsewhere {
                words = words.dropFirst().flatMap { $0.split(separator: " ", maxSplits: 1).map(String.init) }
            }
            return Assignment.ProtocolCall(
                words.first ?? "", words.dropFirst().first, isOnOtherThread: isElsewhere)
        }
    }

    static func request(_ url: String = "http://example.test/a") -> URLRequest {
        URLRequest(url: URL(string: url) ?? URL(fileURLWithPath: "/"))
    }

    /// A lane as an expression would write it, returns left out.
    func lane(_ lane: Lane, _ object: Int? = nil) -> String {
        events.filter { $0.lane == lane && $0.phase == .enter && (object == nil || $0.object == object) }
            .map(\.symbol.description).joined(separator: " ")
    }

    func first(_ name: EventName, in lane: Lane? = nil, of object: Int? = nil) -> TraceEvent? {
        events.first {
            $0.name == name && $0.phase == .enter && (lane == nil || $0.lane == lane)
                && (object == nil || $0.object == object)
        }
    }

    /// The rules it breaks, each once.
    func rules(isHung: Bool = false) -> [Int] {
        Set(report(isHung: isHung).hits.map(\.rule.value)).sorted()
    }

    func report(isHung: Bool = false) -> TraceReport {
        var checker = TraceChecker(reportsAnswers: true)
        for event in events { checker.observe(event) }
        return checker.finish(isHung ? .hung : .finished)
    }

    /// For the message of a failed expectation.
    var text: String {
        events.map { event in
            let facts = event.facts.map { "\($0.key.rawValue)=\($0.value)" }.joined(separator: " ")
            return "\(event.sequence) \(event.laneID) \(event.symbol) \(event.phase) \(event.thread ?? "") \(facts)"
        }.joined(separator: "\n")
    }
}

extension ProtocolProgram {
    /// For tests that are not about blocking: a crowded machine must not look like a blocked thread.
    static var patient: ProtocolProgram {
        var program = ProtocolProgram()
        program.blockedThreshold = Patience.whole
        program.settling = Patience.whole
        return program
    }

    func redirecting(_ answers: String...) -> ProtocolProgram {
        var program = self
        program.onRedirect = answers.compactMap(Assignment.RedirectAnswer.init(word:))
        return program
    }

    func challenged(_ answers: String...) -> ProtocolProgram {
        var program = self
        program.onChallenge = answers.compactMap {
            Assignment.ChallengeAnswer(word: $0)
                ?? Assignment.ChallengeAnswer(word: $0, Assignment.Credential(user: "u", password: "p"))
        }
        return program
    }

    func cancelling(at event: String, count: Int = 1) -> ProtocolProgram {
        var program = self
        program.cancelAt = Assignment.Moment(event, count: count)
        return program
    }
}
