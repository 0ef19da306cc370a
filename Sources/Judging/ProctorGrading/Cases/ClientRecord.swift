import ProctorBase
package import ProctorEvents
import ProctorScenario

/// The results of each step that the client reports, from its `result` or from the events that ended the step.
struct ClientRecord {
    private var steps: [Int: Step] = [:]
    private let reportedFacts: Set<FactKey>?
    /// Whether the client certainly reports the lane `task`, so that what does not stand there did not come.
    var tellsTasks = false
    /// What the client took of the machine; nil when it was not measured.
    var spending: ClientSpending?
    /// The facts that the family may leave out, by step.
    var untold: [Int: Untold] = [:]

    /// Which facts of a step are unknown because its family did not report its end.
    enum Untold {
        /// The error, unless a `result` has it.
        case error
        /// All facts: the family can't perform the program.
        case everything
    }

    struct Step {
        var result: TraceEvent?
        /// The call of a completion handler, or the return of an `await`.
        var handler: TraceEvent?
        var complete: TraceEvent?
        var response: TraceEvent?
        var willCache: TraceEvent?
        var metrics: TraceEvent?
        var redirects: [TraceEvent] = []
        /// The redirects that URLProtocol objects reported, where no task did.
        var redirectsOfObjects: [TraceEvent] = []
        /// The events of event streams, and how often an event source told that it connects again.
        var streamed: [TraceEvent] = []
        var retryCount = 0
        /// Whether a callback of the task was reported.
        var hasCallbacks = false
        /// Bytes since the last response; nil when a `data` event lacks its size.
        var byteCount: Int? = 0
    }

    /// `reportedFacts` as in ``CaseEvidence``; nil means all.
    init(_ events: some Sequence<TraceEvent>, reportedFacts: Set<FactKey>? = nil) {
        self.reportedFacts = reportedFacts
        for event in events where event.phase == .enter {
            if event.lane == .task { steps[event.task, default: Step()].hasCallbacks = true }
            switch (event.lane, event.name) {
            // The error of a step that its adapter gave up is not the client's.
            case (.harness, .result) where event.isGivenUp: break
            case (.harness, .result): steps[event.task, default: Step()].result = event
            case (.handler, .handler), (.handler, .awaited): steps[event.task, default: Step()].handler = event
            case (.task, .complete): steps[event.task, default: Step()].complete = event
            case (.task, .willCache): steps[event.task, default: Step()].willCache = event
            case (.task, .metrics): steps[event.task, default: Step()].metrics = event
            case (.task, .esEvent): steps[event.task, default: Step()].streamed.append(event)
            case (.task, .esError):
                if event.argument == EventVocabulary.retry { steps[event.task, default: Step()].retryCount += 1 }
            case (.task, .redirect): steps[event.task, default: Step()].redirects.append(event)
            case (.protocolClient, .redirect): steps[event.task, default: Step()].redirectsOfObjects.append(event)
            case (.task, .response):
                steps[event.task, default: Step()].response = event
                steps[event.task, default: Step()].byteCount = 0
            case (.task, .data):
                let size = event.facts.integer(.bytes) ?? event.facts.integer(.n)
                let sum = steps[event.task, default: Step()].byteCount.flatMap { known in
                    size.map { known.addingReportingOverflow($0).partialValue }
                }
                steps[event.task, default: Step()].byteCount = sum
            default: break
            }
        }
    }

    /// Whether a `result` or a handler reported the step's end.
    func hasResult(ofStep number: Int) -> Bool { steps[number]?.result != nil || steps[number]?.handler != nil }

    /// Whether a `result`, a handler or a callback reports how the step ended.
    func hasEnd(ofStep number: Int) -> Bool { hasResult(ofStep: number) || steps[number]?.complete != nil }

    /// Whether the client reports the fact.
    func tells(_ name: NamedFact) -> Bool { ClientFacts.fact(name).map(reports) ?? false }

    private func reports(_ fact: ClientFact) -> Bool {
        reportedFacts.map { reported in fact.keys.contains(where: reported.contains) } ?? true
    }

    /// The name of the error; nil when the step succeeded, or when the trace has no end of it.
    func errorName(ofStep number: Int) -> String? {
        measure("error", ofStep: number).values.first.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Measures a fact; one that no report of the client can contain is untold, one that a `result` lacks is absent.
    func measure(_ name: NamedFact, ofStep number: Int) -> Measurement {
        guard let step = steps[number], let fact = ClientFacts.fact(name) else { return .untold }
        if case .streamed(let measure) = fact.source {
            return step.hasCallbacks || tellsTasks ? measure(step, name) : .untold
        }
        guard reports(fact), untold[number] != .everything else { return .untold }
        switch fact.source {
        case .streamed: return .untold
        case .callbacks(let measure): return measure(step, name)
        case .ending(let read, let lacking, let otherwise):
            if let result = step.result {
                if let value = read(result, name) { return value }
                if name == "error", untold[number] == .error { return .untold }
                if let lacking { return lacking }
            }
            for event in [step.handler, step.complete, step.response] {
                if let event, let value = read(event, name) { return value }
            }
            return otherwise(step) { measure("error", ofStep: number) }
        }
    }
}

/// How the process of a client under test ended, as its watchdog saw it.
package enum ClientEnding: Sendable, Equatable {
    /// Exit code 0, or a client without a process of its own.
    case finished
    /// Another exit code, with which an adapter reports that it could not do its work.
    case exited(code: Int32, lastErrorLine: String?)
    /// Ended by a signal that the watchdog did not send, `SIGTRAP`, with the line of standard error that says why, or the last
    /// one.
    case crashed(signal: String, errorLine: String?)
    /// The client was still running after that time, and its watchdog ended it.
    case hung(afterMilliseconds: Int, lastErrorLine: String?)
    /// The client never ran; the reason is half a sentence.
    case couldNotStart(reason: String)
    /// The client wrote more than a limit permits, and its watchdog ended it; the reason is half a sentence.
    case outOfBounds(reason: String)

    /// The line of standard error that tells the end: that of a trap, else the last one; shortened to its limit.
    package var errorLine: String? {
        switch self {
        case .exited(_, let line), .crashed(_, let line), .hung(_, let line): line
        case .finished, .couldNotStart, .outOfBounds: nil
        }
    }

    /// The word in JSON: `finished`, `exited`, `crashed`, `hung`, `could-not-start` or `out-of-bounds`.
    package var word: String {
        switch self {
        case .finished: "finished"
        case .exited: "exited"
        case .crashed: "crashed"
        case .hung: "hung"
        case .couldNotStart: "could-not-start"
        case .outOfBounds: "out-of-bounds"
        }
    }
}

extension TraceEvent {
    /// The messages of a WebSocket in a `result`; nil for a text that is no list of texts in JSON.
    package var messages: [[UInt8]]? {
        guard let json = facts.text(.messages), case .list(let items)? = try? JSONTree.read(Array(json.utf8).span)
        else { return nil }
        let texts = items.compactMap { item in if case .text(let bytes) = item { bytes } else { nil } }
        return texts.count < items.count ? nil : texts
    }
}
