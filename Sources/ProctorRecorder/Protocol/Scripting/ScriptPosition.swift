internal import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// Where a script is and what it waits for.
struct ScriptPosition {
    /// Next states: any but itself by a call of the script; `nothing` when what it waits for has come.
    enum Waiting {
        case nothing
        case until(UInt64)
        case answer
        case stop
        /// A call that runs on another thread.
        case otherThread
    }

    enum Next {
        case call(Assignment.ProtocolCall)
        case pause
        case end
    }

    private var calls: ArraySlice<Assignment.ProtocolCall>
    var waiting: Waiting = .nothing
    var isStopped = false
    var isAnswered = false
    /// A redirect is under way whose target has the rest of the script.
    private(set) var isRedirecting = false
    var challenge: Handover<URLAuthenticationChallenge>?
    var challengeCount = 0
    /// The object itself, for calls after its stop.
    var kept: Handover<URLProtocol>?

    init(_ calls: [Assignment.ProtocolCall]) { self.calls = calls[...] }

    /// Whether a stop is what the script waits for, sooner or later, to go on then.
    var goesOnAfterStop: Bool {
        if case .stop = waiting { return !calls.isEmpty }
        guard let index = calls.firstIndex(where: { $0.call == "await-stop" }) else { return false }
        return calls.index(after: index) < calls.endIndex
    }

    /// The next call, taken out of the script.
    mutating func next(at now: UInt64) -> Next {
        if case .otherThread = waiting { return .pause }
        if isStopped {
            skipToStop()
            return calls.popFirst().map { .call($0) } ?? .end
        }
        switch waiting {
        case .nothing: break
        case .until(let time): if now < time { return .pause }
        case .answer: if !isAnswered { return .pause }
        case .stop, .otherThread: return .pause
        }
        waiting = .nothing
        return calls.popFirst().map { .call($0) } ?? .end
    }

    /// Once stopped, only what comes behind `await-stop` is left.
    private mutating func skipToStop() {
        if isBehindStop { return }
        isBehindStop = true
        if case .stop = waiting {
            waiting = .nothing
            return
        }
        waiting = .nothing
        if let index = calls.firstIndex(where: { $0.call == "await-stop" }) {
            calls = calls[calls.index(after: index)...]
        } else {
            calls = []
        }
    }

    private var isBehindStop = false

    /// Cuts off what belongs to the target of a redirect, if the script waits for what becomes of it.
    mutating func handOver() -> ArraySlice<Assignment.ProtocolCall>? {
        guard let index = calls.firstIndex(where: { $0.call == "await-answer" || $0.call == "await-stop" }) else {
            return nil
        }
        let rest = calls[calls.index(after: index)...]
        calls = calls[...index]
        isRedirecting = true
        return rest
    }

    mutating func giveUp() {
        calls = []
        waiting = .nothing
    }

    mutating func letGo() {
        kept = nil
        challenge = nil
    }
}
