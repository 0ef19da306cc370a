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

    private struct Step {
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

    func tells(_ fact: FactName.ClientFact) -> Bool {
        reportedFacts.map { reported in fact.keys.contains(where: reported.contains) } ?? true
    }

    /// The name of the error; nil when the step succeeded, or when the trace has no end of it.
    func errorName(ofStep number: Int) -> String? {
        measure(.error, ofStep: number).values.first.map { String(decoding: $0, as: UTF8.self) }
    }

    /// Measures a fact; one that no report of the client can contain is untold, one that a `result` lacks is absent.
    func measure(_ fact: FactName.ClientFact, ofStep number: Int) -> Measurement {
        if let value = steps[number].flatMap({ measureStreamed(fact, in: $0) }) { return value }
        guard let step = steps[number], tells(fact) else { return .untold }
        if untold[number] == .everything { return .untold }
        if case .redirect(let index, let fact) = fact { return Self.measure(fact, ofRedirect: index, in: step) }
        if fact == .proposedStorage {
            guard let event = step.willCache else { return step.hasCallbacks ? .absent : .untold }
            return Self.value(event, .storage) ?? .untold
        }
        if fact == .measuredProtocol { return step.metrics.flatMap { Self.value($0, .protocol) } ?? .untold }
        if let result = step.result {
            if let value = Self.measureEvent(fact, in: result) { return value }
            switch fact {
            case .error where untold[number] == .error: return .untold
            // Without the key, the client was not asked or could not look it up.
            case .header, .trailer, .statusText, .storedCookies, .storedCookie, .storedProperty, .cached, .cachedNote,
                .file, .fileExists, .files, .temporaryFileExists, .resumeData, .messages:
                return .untold
            case .errorMessage, .errorMessageLength: break
            default: return .absent
            }
        }
        for event in [step.handler, step.complete, step.response] {
            if let event, let value = Self.measureEvent(fact, in: event) { return value }
        }
        switch fact {
        case .status: return step.response?.argument.map { Measurement($0) } ?? .untold
        case .error: return Self.outcome(step.handler ?? step.complete)
        case .bodyLength: return step.response == nil ? .untold : step.byteCount.map { Measurement($0) } ?? .untold
        case .errorMessage, .errorMessageLength: return measure(.error, ofStep: number) == .absent ? .absent : .untold
        default: return .untold
        }
    }

    /// A fact about the events of event streams; nil for another fact.
    private func measureStreamed(_ fact: FactName.ClientFact, in step: Step) -> Measurement? {
        let measure: (Step) -> Measurement
        switch fact {
        case .events: measure = { Measurement(ofList: $0.streamed.map { $0.facts.text(.data) ?? "" }) }
        case .eventCount: measure = { Measurement($0.streamed.count) }
        case .retries: measure = { Measurement($0.retryCount) }
        case .event(let index, let fact):
            measure = { step in
                guard step.streamed.indices.contains(index) else { return .absent }
                let event = step.streamed[index]
                switch fact {
                case .type: return event.argument.map { Measurement($0) } ?? .untold
                case .data: return Self.value(event, .data) ?? .untold
                case .id: return Self.value(event, .lastEventId) ?? .untold
                case .origin: return Self.value(event, .origin) ?? .untold
                }
            }
        default: return nil
        }
        return step.hasCallbacks || tellsTasks ? measure(step) : .untold
    }

    /// Untold when the client reports no callbacks; absent when it reported fewer redirects.
    private static func measure(
        _ fact: FactName.RedirectFact, ofRedirect index: Int, in step: Step
    ) -> Measurement {
        let redirects = step.hasCallbacks ? step.redirects : step.redirectsOfObjects
        guard redirects.indices.contains(index) else { return step.hasCallbacks ? .absent : .untold }
        let event = redirects[index]
        switch fact {
        case .status: return value(event, .status) ?? event.argument.map { Measurement($0) } ?? .untold
        // In a URLProtocol's redirect, the URL is that of the next request.
        case .url: return event.lane == .protocolClient ? .untold : value(event, .url) ?? .untold
        case .header(let name): return header(name, in: event) ?? .untold
        }
    }

    /// The result of a look-up with exactly this spelling; nil when none was reported.
    private static func header(_ name: String, in event: TraceEvent, of key: FactKey = .header) -> Measurement? {
        guard let lines = event.facts.text(key) else { return nil }
        let start = "\(name): "
        let line = lines.split(separator: "\n").first { $0.hasPrefix(start) }
        return line.map { Measurement(String($0.dropFirst(start.count))) } ?? .absent
    }

    private static func outcome(_ end: TraceEvent?) -> Measurement {
        guard let argument = end?.argument else { return .untold }
        return argument == "ok" ? .absent : Measurement(argument)
    }

    private static func measureEvent(_ fact: FactName.ClientFact, in event: TraceEvent) -> Measurement? {
        switch fact {
        case .bodyLength: bodyLength(event)
        case .body: body(event)
        case .error: value(event, .error).map { $0 == Measurement("ok") ? .absent : $0 }
        case .header(let name): header(name, in: event)
        case .trailer(let name): header(name, in: event, of: .trailer)
        case .errorMessageLength: event.facts.text(.message).map { Measurement($0.utf8.count) }
        case .redirect, .proposedStorage, .measuredProtocol, .events, .eventCount, .event, .retries: nil
        case .storedCookies:
            StoredCookies(event).map { $0.names.isEmpty ? .absent : Measurement(ofList: $0.names) }
        case .storedCookie(let name): StoredCookies(event).map { Measurement($0.value(of: name)) }
        case .storedProperty(let property, let name):
            StoredCookies(event).map { Measurement($0[property, name]) }
        case .cached, .cachedNote: cached(fact, in: event)
        case .status, .url, .mime, .suggestedName, .expectedLength, .textEncodingName, .statusText, .errorMessage:
            value(event, fact.keys[0])
        // A callback has the path of a file, but it does not report what exists after the end.
        case .file, .fileExists, .files, .temporaryFileExists, .resumeData, .closeCode, .closeReason, .chosenProtocol:
            event.name == .result ? value(event, fact.keys[0]) : nil
        case .messages: event.messages.map { .list($0) }
        }
    }

    /// A fact about the cached response; nil when the cache was not read, absent when it had no response.
    private static func cached(_ fact: FactName.ClientFact, in event: TraceEvent) -> Measurement? {
        guard event.facts[.cachedStatus] != nil else { return nil }
        guard event.facts.integer(.cachedStatus) != nil else { return .absent }
        switch fact {
        case .cachedNote(let name):
            let start = "\(name): "
            let lines = event.facts.text(.cachedNotes)?.split(separator: "\n") ?? []
            return lines.first { $0.hasPrefix(start) }.map { Measurement(String($0.dropFirst(start.count))) } ?? .absent
        case .cached(.body): return value(event, .cachedBody) ?? .untold
        default: return value(event, fact.keys[0]) ?? .untold
        }
    }

    private static func value(_ event: TraceEvent, _ key: FactKey) -> Measurement? {
        switch event.facts[key] {
        case .integer(let number)?: Measurement(number)
        case .text(let text)?: Measurement(text)
        case .flag(let flag)?: Measurement(flag)
        case nil: nil
        }
    }

    /// The length of the body: `bytes` of a `result` or of a handler.
    private static func bodyLength(_ event: TraceEvent) -> Measurement? {
        guard event.name == .result || event.lane == .handler else { return nil }
        if let count = event.facts.integer(.bytes) { return Measurement(count) }
        return event.keptBody.map { Measurement($0.count) }
    }

    private static func body(_ event: TraceEvent) -> Measurement? {
        guard event.name == .result || event.lane == .handler else { return nil }
        let count = event.facts.integer(.bytes)
        guard let kept = event.keptBody else {
            guard let count, count > 0 else { return count == 0 ? .text([]) : nil }
            return .notKept("the client kept none of \(Plural.count(count, "byte"))")
        }
        if let count, count != kept.count {
            return .notKept("the client kept \(kept.count) of \(Plural.count(count, "byte"))")
        }
        return .text(kept)
    }
}

extension FactName.ClientFact {
    /// The facts of a trace from which the fact is measured; most have its name.
    var keys: [FactKey] {
        switch self {
        case .body: [.body, .bodyBase64]
        case .bodyLength: [.bytes]
        case .errorMessage, .errorMessageLength: [.message]
        case .proposedStorage: [.storage]
        case .measuredProtocol: [.protocol]
        case .storedCookies, .storedCookie, .storedProperty: [.storedCookies]
        case .cached(.status): [.cachedStatus]
        case .cached(.body): [.cachedBody]
        case .cached(.storage): [.cachedStorage]
        case .cachedNote: [.cachedNotes]
        case .header, .redirect(_, .header): [.header]
        case .trailer: [.trailer]
        case .redirect(_, .status): [.status]
        case .redirect(_, .url): [.url]
        case .closeCode: [.closeCode]
        case .closeReason: [.closeReason]
        default: FactKey(rawValue: text).map { [$0] } ?? []
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
