import ProctorBase
import ProctorEvents
import ProctorScenario

/// What a client reports of each step at its end, from its `result` or from the events that ended the step.
struct ClientRecord {
    private var steps: [Int: Step] = [:]
    private let reportedFacts: Set<FactKey>?
    /// For each step whose family may leave out facts, which facts.
    var untold: [Int: Untold] = [:]

    /// What is unknown of a step whose family did not report its end.
    enum Untold {
        /// The error, unless a `result` states it.
        case error
        /// Everything: the family does not do what the program asks for.
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
        /// Whether a callback of the task was reported.
        var hasCallbacks = false
        /// Bytes since the last response; nil when a chunk did not state its size.
        var byteCount: Int? = 0
    }

    /// `reportedFacts` as in ``CaseEvidence``; nil means all.
    init(_ events: some Sequence<TraceEvent>, reportedFacts: Set<FactKey>? = nil) {
        self.reportedFacts = reportedFacts
        for event in events where event.phase == .enter {
            if event.lane == .task { steps[event.task, default: Step()].hasCallbacks = true }
            switch (event.lane, event.name) {
            case (.harness, .result): steps[event.task, default: Step()].result = event
            case (.handler, .handler), (.handler, .awaited): steps[event.task, default: Step()].handler = event
            case (.task, .complete): steps[event.task, default: Step()].complete = event
            case (.task, .willCache): steps[event.task, default: Step()].willCache = event
            case (.task, .metrics): steps[event.task, default: Step()].metrics = event
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

    /// Whether a `result`, a handler or a callback says how the step ended.
    func hasEnd(ofStep number: Int) -> Bool { hasResult(ofStep: number) || steps[number]?.complete != nil }

    func tells(_ fact: FactName.ClientFact) -> Bool {
        reportedFacts.map { reported in fact.keys.contains(where: reported.contains) } ?? true
    }

    /// nil where the step succeeded, or where the trace does not say.
    func errorName(ofStep number: Int) -> String? {
        measure(.error, ofStep: number).values.first.map { String(decoding: $0, as: UTF8.self) }
    }

    /// A fact that no report could state is untold; a fact that a `result` leaves out is absent.
    func measure(_ fact: FactName.ClientFact, ofStep number: Int) -> Measurement {
        guard let step = steps[number], tells(fact) else { return .untold }
        if untold[number] == .everything { return .untold }
        if case .redirect(let index, let fact) = fact { return Self.measure(fact, ofRedirect: index, in: step) }
        if fact == .proposedStorage {
            guard let event = step.willCache else { return step.hasCallbacks ? .absent : .untold }
            return Self.value(event, .storage) ?? .untold
        }
        if fact == .measuredProtocol { return step.metrics.flatMap { Self.value($0, .protocol) } ?? .untold }
        if let result = step.result {
            if let value = Self.measure(fact, in: result) { return value }
            switch fact {
            case .error where untold[number] == .error: return .untold
            // Without the key the client was not asked, or could not look it up.
            case .header, .statusText, .storedCookies, .storedCookie, .storedProperty, .cached, .cachedNote,
                .file, .fileExists, .files, .temporaryFileExists, .resumeData:
                return .untold
            case .errorMessage, .errorMessageLength: break
            default: return .absent
            }
        }
        for event in [step.handler, step.complete, step.response] {
            if let event, let value = Self.measure(fact, in: event) { return value }
        }
        switch fact {
        case .status: return step.response?.argument.map { Measurement($0) } ?? .untold
        case .error: return Self.outcome(step.handler ?? step.complete)
        case .bodyLength: return step.response == nil ? .untold : step.byteCount.map { Measurement($0) } ?? .untold
        case .errorMessage, .errorMessageLength: return measure(.error, ofStep: number) == .absent ? .absent : .untold
        case .url, .body, .mime, .suggestedName, .expectedLength, .textEncodingName, .statusText, .header, .redirect,
            .proposedStorage, .measuredProtocol, .storedCookies, .storedCookie, .storedProperty, .cached, .cachedNote,
            .file, .fileExists, .files, .temporaryFileExists, .resumeData:
            return .untold
        }
    }

    /// Untold where the client reports no callbacks; absent where it was told of fewer redirects.
    private static func measure(
        _ fact: FactName.RedirectFact, ofRedirect index: Int, in step: Step
    ) -> Measurement {
        let redirects = step.hasCallbacks ? step.redirects : step.redirectsOfObjects
        guard redirects.indices.contains(index) else { return step.hasCallbacks ? .absent : .untold }
        let event = redirects[index]
        switch fact {
        case .status: return value(event, .status) ?? event.argument.map { Measurement($0) } ?? .untold
        // The URL in a URLProtocol's redirect is that of the next request.
        case .url: return event.lane == .protocolClient ? .untold : value(event, .url) ?? .untold
        case .header(let name): return header(name, in: event) ?? .untold
        }
    }

    /// The value that the look-up of exactly this spelling gave; nil where none was reported.
    private static func header(_ name: String, in event: TraceEvent) -> Measurement? {
        guard let lines = event.facts.text(.header) else { return nil }
        let start = "\(name): "
        let line = lines.split(separator: "\n").first { $0.hasPrefix(start) }
        return line.map { Measurement(String($0.dropFirst(start.count))) } ?? .absent
    }

    private static func outcome(_ end: TraceEvent?) -> Measurement {
        guard let argument = end?.argument else { return .untold }
        return argument == "ok" ? .absent : Measurement(argument)
    }

    private static func measure(_ fact: FactName.ClientFact, in event: TraceEvent) -> Measurement? {
        switch fact {
        case .bodyLength: bodyLength(event)
        case .body: body(event)
        case .error: value(event, .error).map { $0 == Measurement("ok") ? .absent : $0 }
        case .header(let name): header(name, in: event)
        case .errorMessageLength: event.facts.text(.message).map { Measurement($0.utf8.count) }
        case .redirect, .proposedStorage, .measuredProtocol: nil
        case .storedCookies:
            StoredCookies(event).map { $0.names.isEmpty ? .absent : .list($0.names.map { Array($0.utf8) }) }
        case .storedCookie(let name): StoredCookies(event).map { $0.value(of: name).map { Measurement($0) } ?? .absent }
        case .storedProperty(let property, let name):
            StoredCookies(event).map { $0[property, name].map { Measurement($0) } ?? .absent }
        case .cached, .cachedNote: cached(fact, in: event)
        case .status, .url, .mime, .suggestedName, .expectedLength, .textEncodingName, .statusText, .errorMessage:
            value(event, fact.keys[0])
        // A callback's file is a path, and says nothing of what comes after the end.
        case .file, .fileExists, .files, .temporaryFileExists, .resumeData:
            event.name == .result ? value(event, fact.keys[0]) : nil
        }
    }

    /// nil where the cache was not read; absent where it had nothing.
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
        case .flag(let flag)?: Measurement(flag ? "true" : "false")
        case nil: nil
        }
    }

    /// `bytes` of a `result` and of a handler is the length of the body.
    private static func bodyLength(_ event: TraceEvent) -> Measurement? {
        guard event.name == .result || event.lane == .handler else { return nil }
        if let count = event.facts.integer(.bytes) { return Measurement(count) }
        return keptBody(event).map { Measurement($0.count) }
    }

    private static func body(_ event: TraceEvent) -> Measurement? {
        guard event.name == .result || event.lane == .handler else { return nil }
        let count = event.facts.integer(.bytes)
        guard let kept = keptBody(event) else {
            guard let count, count > 0 else { return count == 0 ? .text([]) : nil }
            return .notKept("the client kept none of \(Plural.count(count, "byte"))")
        }
        if let count, count != kept.count {
            return .notKept("the client kept \(kept.count) of \(Plural.count(count, "byte"))")
        }
        return .text(kept)
    }

    private static func keptBody(_ event: TraceEvent) -> [UInt8]? {
        if let text = event.facts.text(.body) { return Array(text.utf8) }
        return event.facts.text(.bodyBase64).flatMap { try? Base64Text.decode(Array($0.utf8)) }
    }
}

extension FactName.ClientFact {
    var keys: [FactKey] {
        switch self {
        case .status: [.status]
        case .url: [.url]
        case .mime: [.mime]
        case .suggestedName: [.suggestedName]
        case .expectedLength: [.expectedLength]
        case .error: [.error]
        case .body: [.body, .bodyBase64]
        case .bodyLength: [.bytes]
        case .textEncodingName: [.textEncodingName]
        case .statusText: [.statusText]
        case .errorMessage, .errorMessageLength: [.message]
        case .proposedStorage: [.storage]
        case .measuredProtocol: [.protocol]
        case .storedCookies, .storedCookie, .storedProperty: [.storedCookies]
        case .cached(.status): [.cachedStatus]
        case .cached(.body): [.cachedBody]
        case .cached(.storage): [.cachedStorage]
        case .cachedNote: [.cachedNotes]
        case .header, .redirect(_, .header): [.header]
        case .redirect(_, .status): [.status]
        case .redirect(_, .url): [.url]
        case .file: [.file]
        case .fileExists: [.fileExists]
        case .files: [.files]
        case .temporaryFileExists: [.temporaryFileExists]
        case .resumeData: [.resumeData]
        }
    }
}

/// How the process of a client under test ended, as its watchdog saw it.
package enum ClientEnding: Sendable, Equatable {
    /// Exit code 0, or a client that was no process of its own.
    case finished
    /// Another exit code, by which an adapter says that it could not do its work.
    case exited(code: Int32, lastErrorLine: String?)
    /// Ended by a signal that was not sent on purpose: `SIGTRAP`.
    case crashed(signal: String, lastErrorLine: String?)
    /// The client was still running after that time, and its watchdog ended it.
    case hung(afterMilliseconds: Int, lastErrorLine: String?)
    /// The client never ran; the reason is half a sentence.
    case couldNotStart(reason: String)
    /// The client wrote more than a bound permits, and its watchdog ended it; the reason is half a sentence.
    case outOfBounds(reason: String)

    /// The last line that the client wrote on standard error, as far as it was kept.
    package var lastErrorLine: String? {
        switch self {
        case .exited(_, let line), .crashed(_, let line), .hung(_, let line): line
        case .finished, .couldNotStart, .outOfBounds: nil
        }
    }

    /// As JSON writes it: `finished`, `exited`, `crashed`, `hung`, `could-not-start` or `out-of-bounds`.
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
