import ProctorEvents
import ProctorHTTP
import ProctorProgram
import ProctorRules
import ProctorScenario

/// Reports callbacks of a load's reply that stand before the first request of the load: what a reply has can't be told
/// before it was asked for.
///
/// Only of the first load of a run, which no cache of the session can have answered, and where no tunnel was opened, whose own
/// reply a client may tell of. Server and client read one clock, and a request comes before its reply, so that no bound of time is
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
    /// Whether the event tells of a reply, and not of a question that a client asks before its request.
    fileprivate var tellsOfRequest: Bool {
        guard lane == .task || lane == .handler else { return false }
        switch name {
        case .response, .informational, .data, .progress, .fileReady, .downloadResumed, .willCache: return true
        // One from http to https may be the client's own (RFC 6797 §8.3), which Foundation tells as a 307.
        case .redirect: return argument != "307"
        case .challenge:
            let kind = argument.map { $0.hasPrefix("proxy") ? String($0.dropFirst(5)) : $0 }
            return kind.flatMap { SchemeName(rawValue: $0.lowercased()) }?.isOfHTTP ?? false
        case .complete, .handler, .awaited: return argument == URLErrorName.success && !isOfResumeData
        default: return false
        }
    }
}

/// Reports a second `response` of one reply: only parts of multipart/x-mixed-replace have one each (R26).
enum ResponseOnceCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard load.knowsWire, !load.hasCache else { return [] }
        var told: (count: Int, status: String)?
        var faults: [ContentFault] = []
        for (index, event) in load.events.enumerated() where event.lane == .task {
            switch event.name {
            case .redirect, .challenge, .downloadResumed: told = nil
            case .response where event.tellsOfReply:
                guard let count = load.begunCount(before: index), let status = event.argument,
                    let exchange = load.exchange(before: index), exchange.reply != nil, !exchange.isMixedReplace,
                    !exchange.request.hasBytesOfEffects
                else {
                    told = nil
                    continue
                }
                if let before = told, before.count == count, before.status == status {
                    faults.append(
                        event.fault(
                            "response", wanted: "one", got: "a second one",
                            reason: "the server sent one reply to \(exchange.request.shown)", rule: 26))
                }
                told = (count, status)
            default: break
            }
        }
        return faults
    }
}

/// Reports what a URLProtocol object tells its client before it was started: it loads from startLoading() on (NSURLProtocol.h).
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
                let told = early[object]
            else { continue }
            faults.append(
                told.fault(
                    "place", wanted: "behind startLoading", got: "before it",
                    reason: "an object loads from its start on (NSURLProtocol.h)"))
        }
        return faults
    }
}

/// Reports `created` behind `resume` or behind a request: it comes within the call that makes the task (NSURLSession.h, R46,
/// R56).
///
/// An `await` has no call of its own that resumes, and its recorder writes `resume` before: of that only the request counts.
/// `created` on a queue shows nothing, since a task may be made on any queue, that of the delegate too.
enum CreatedCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard !load.isPartial else { return [] }
        let isAwaited = load.program?.task == .async || load.events.contains { $0.name == .awaited }
        var isResumed = false
        var faults: [ContentFault] = []
        for (index, event) in load.events.enumerated() {
            if event.name == .resume, event.lane == .harness { isResumed = true }
            guard event.name == .created, event.lane == .task else { continue }
            if load.begunCount(before: index) ?? 0 > 0 {
                faults.append(
                    event.fault(
                        "place", wanted: "before the first request", got: "behind it",
                        reason: "it comes within the call that makes the task (NSURLSession.h)", rule: 56))
            } else if isResumed, !isAwaited {
                faults.append(
                    event.fault(
                        "place", wanted: "before resume", got: "behind it",
                        reason: "it comes within the call that makes the task (NSURLSession.h)", rule: 56))
            }
        }
        return faults
    }
}
