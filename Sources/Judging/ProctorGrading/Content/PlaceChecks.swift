import ProctorEvents
import ProctorHTTP
import ProctorProgram
import ProctorRules
import ProctorScenario

/// Reports callbacks about a reply that came before the first request of the load.
///
/// Applies only to the first load of a run, which no cache can have answered, and only without tunnels, whose own reply
/// a client may report. Server and client read one clock, and a request arrives before its reply, so no tolerance is
/// needed.
enum BeforeRequestCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard load.number == 0, load.knowsWire, !load.hasCache, !load.hasTunnel else { return [] }
        return load.events.indices.lazy.prefix { load.begunCount(before: $0) == 0 }.compactMap { index in
            let event = load.events[index]
            guard event.tellsOfRequest, load.exchange(after: index) != nil else { return nil }
            return event.fault(
                "place", wanted: "behind the first request", got: "before it",
                reason: "the server had nothing to reply to (RFC 9110 §3.4)")
        }
    }
}

extension TraceEvent {
    /// Whether the event reports a reply; a question that a client asks before its request does not.
    fileprivate var tellsOfRequest: Bool {
        guard lane == .task || lane == .handler else { return false }
        switch name {
        case .response, .informational, .data, .progress, .fileReady, .downloadResumed, .willCache: return true
        // A client may redirect from http to https itself (RFC 6797 §8.3), which Foundation reports as a 307.
        case .redirect: return argument != "307"
        case .challenge:
            let kind = argument.map { $0.hasPrefix("proxy") ? String($0.dropFirst(5)) : $0 }
            return kind.map { SchemeNames.ofHTTP.contains($0.lowercased()) } ?? false
        case .complete, .handler, .awaited: return argument == URLErrorName.success && !isOfResumeData
        default: return false
        }
    }
}

/// Reports a second `response` of one reply: only parts of multipart/x-mixed-replace have one each (R26).
enum ResponseOnceCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard load.knowsWire, !load.hasCache else { return [] }
        var last: (count: Int, status: String)?
        var faults: [ContentFault] = []
        for (index, event) in load.events.enumerated() where event.lane == .task {
            switch event.name {
            case .redirect, .challenge, .downloadResumed: last = nil
            case .response where event.tellsOfReply:
                guard let count = load.begunCount(before: index), let status = event.argument,
                    let exchange = load.latestExchange(before: index), exchange.reply != nil, !exchange.isMixedReplace,
                    !exchange.hasBytesOfEffects
                else {
                    last = nil
                    continue
                }
                if let before = last, before.count == count, before.status == status {
                    faults.append(
                        event.fault(
                            "response", wanted: "one", got: "a second one",
                            reason: "the server sent one reply to \(exchange.shown)", rule: 26))
                }
                last = (count, status)
            default: break
            }
        }
        return faults
    }
}

/// Reports calls of a URLProtocol object on its client before the object was started: it loads after startLoading()
/// (NSURLProtocol.h).
enum ObjectStartCheck: ContentCheck {
    static func faults(in evidence: ContentEvidence) -> [ContentFault] {
        guard !evidence.isScripted else { return [] }
        var early: [Int: TraceEvent] = [:]
        var started: Set<Int> = []
        var faults: [ContentFault] = []
        for event in evidence.events where event.phase == .enter {
            let object = event.object ?? event.task
            if event.lane == .protocolClient, !started.contains(object) { early[object] = early[object] ?? event }
            guard event.lane == .proto, event.name == .pStart, started.insert(object).inserted,
                let question = early[object]
            else { continue }
            faults.append(
                question.fault(
                    "place", wanted: "behind startLoading", got: "before it",
                    reason: "an object loads from its start on (NSURLProtocol.h)"))
        }
        return faults
    }
}

/// Reports `created` after `resume` or after a request: it comes within the call that makes the task (NSURLSession.h,
/// R46, R56).
///
/// An `await` makes and resumes the task in one call, and its recorder writes `resume` first; there only the request is
/// compared. The queue of `created` is not checked, since a task may be made on any queue, the delegate's included.
enum CreatedCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard !load.isPartial else { return [] }
        let isAwaited = load.program?.task == .async || load.events.contains { $0.name == .awaited }
        var isResumed = false
        var faults: [ContentFault] = []
        for (index, event) in load.events.enumerated() {
            if event.name == .resume, event.lane == .harness { isResumed = true }
            guard event.name == .created, event.lane == .task else { continue }
            let isBehindRequest = load.begunCount(before: index) ?? 0 > 0
            guard isBehindRequest || isResumed && !isAwaited else { continue }
            faults.append(
                event.fault(
                    "place", wanted: "before \(isBehindRequest ? "the first request" : "resume")", got: "behind it",
                    reason: "it comes within the call that makes the task (NSURLSession.h)", rule: 56))
        }
        return faults
    }
}
