import ProctorEvents
import ProctorJournal
import ProctorNotation
import ProctorScenario

/// Holds what a client without callbacks says of a step's end against the expression for those that have them.
///
/// A `result` has the last status, the content and the error. Of `redirect(302) response(200) data+ complete(ok)` it can
/// tell the last response, whether content came, and the end; what came before it cannot tell.
struct ResultCheck {
    /// The expression as the case writes it.
    let expression: Notation
    let client: ClientRecord
    let step: Int
    /// Whether the client has Foundation's names for errors, so that one name can be asked of it.
    let namesErrors: Bool
    /// Whether only the end is held against the expression, which was written for a load of another kind.
    var asksEndAlone = false

    /// What the result shows.
    enum Outcome: Equatable {
        case holds
        case fails(wanted: String, got: String)
        /// Half a sentence.
        case silent(String)
    }

    func outcome() -> Outcome {
        guard client.hasEnd(ofStep: step) else { return .silent("the client reported no result for step \(step)") }
        guard client.tells(.error) else { return .silent("the client does not tell errors") }
        guard let terminal = Self.terminals.first(where: expression.eventNames.contains) else {
            return .silent("the expression does not say how the load ends")
        }
        let error = client.errorName(ofStep: step)
        let status = client.measure(.status, ofStep: step)
        var events: [TraceEventSymbol] = []
        if asks(.response), !asksEndAlone, let bytes = status.values.first {
            events.append(TraceEventSymbol(EventName.response.rawValue, String(decoding: bytes, as: UTF8.self)))
        }
        let byteCount = client.measure(.bodyLength, ofStep: step).number
        if asks(.response) || asks(.data), !asksEndAlone, let byteCount, byteCount > 0 {
            events.append(TraceEventSymbol(EventName.data.rawValue))
        }
        events.append(TraceEventSymbol(terminal, error ?? "ok"))
        let wanted = namesErrors ? expression : expression.replacing { Self.anyError($0) }
        // Of several parts the result tells the last; but where nothing came at all, no part had data.
        let isEmpty = byteCount == 0 && !asksEndAlone && error == nil
        let mayBeAbsent = { (symbol: NotationSymbol) in
            symbol.name != terminal && !(isEmpty && symbol.name == EventName.data.rawValue)
        }
        let diagnosis = wanted.allowingAbsence(of: mayBeAbsent)
            .diagnosis(of: events, ambient: nil, terminals: [terminal])
        if diagnosis != nil { return .fails(wanted: expression.text, got: Self.text(events)) }
        guard error == nil, !asksEndAlone else { return .holds }
        if asks(.response), status == .absent {
            return .fails(wanted: expression.text, got: "\(Self.text(events)), and no status")
        }
        if asks(.response), status == .untold { return .silent("the client does not tell the status") }
        if expression.fewestOccurrences(of: EventName.data.rawValue) > 0, byteCount == nil {
            return .silent("the client does not tell the content")
        }
        return .holds
    }

    private static let terminals = [EventName.complete, .handler, .awaited, .fileReady].map(\.rawValue)

    private func asks(_ name: EventName) -> Bool { expression.eventNames.contains(name.rawValue) }

    /// The names of errors are Foundation's: of another client it can only be asked that the load fails.
    private static func anyError(_ symbol: NotationSymbol) -> NotationSymbol {
        guard terminals.contains(symbol.name) else { return symbol }
        let arguments = symbol.arguments.map { pattern -> NotationSymbol.ArgumentPattern in
            if case .exact("ok") = pattern { pattern } else { .anyError }
        }
        return NotationSymbol(name: symbol.name, arguments: arguments)
    }

    private static func text(_ events: [TraceEventSymbol]) -> String {
        events.map(\.description).joined(separator: " ")
    }
}

/// What a command that writes no trace says of its load, by its exit code.
public struct CommandResult: Sendable, Equatable {
    /// The neutral name of what its exit code stands for; nil: the load went well.
    public let error: String?

    /// A name as `complete(…)` shows it.
    public init(error: String?) {
        self.error = error
    }
}

extension CaseEvidence {
    /// Of a command: it has no callbacks, and of its result there is the end at most.
    static func ofCommand(_ entries: [JournalEntry], result: CommandResult?) -> CaseEvidence {
        var evidence = CaseEvidence(reportedLanes: [.harness], reportedFacts: [], journal: entries)
        guard let result else { return evidence }
        evidence.reportedFacts = [.error]
        var event = TraceEvent(sequence: 1, time: nil, lane: .harness, task: 0, name: .result, argument: nil, facts: [])
        if let error = result.error { event.facts.append(EventFact(.error, .text(error))) }
        evidence.events = [event]
        return evidence
    }
}
