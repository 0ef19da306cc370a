import ProctorEvents
import ProctorJournal
import ProctorNotation
import ProctorScenario

/// Compares the `result` of a client without callbacks with an expression for clients with callbacks.
///
/// A `result` has the last status, the content and the error. Of `redirect(302) response(200) data+ complete(ok)` it
/// can confirm the last response, whether there was content, and the end.
struct ResultCheck {
    let expression: Notation
    let client: ClientRecord
    let step: Int
    /// Whether the client uses Foundation's error names, so that the name in the expression can be compared.
    let namesErrors: Bool
    /// Whether only the end is compared, because the expression is for another kind of load.
    var asksEndAlone = false

    enum Outcome: Equatable {
        case holds
        case fails(wanted: String, got: String, Finding.EndMismatch, Finding.EndMismatch.Seen)
        /// Nothing can be decided; the reason is half a sentence.
        case silent(String)
    }

    func outcome() -> Outcome {
        guard client.hasEnd(ofStep: step) else { return .silent("the client reported no result for step \(step)") }
        guard client.tells("error") else { return .silent("the client does not tell errors") }
        guard let terminal = Self.terminals.first(where: expression.eventNames.contains) else {
            return .silent("the expression does not say how the load ends")
        }
        let error = client.errorName(ofStep: step)
        let status = client.measure("status", ofStep: step)
        var events: [TraceEventSymbol] = []
        if asks(.response), !asksEndAlone, let bytes = status.values.first {
            events.append(TraceEventSymbol(EventName.response.rawValue, String(decoding: bytes, as: UTF8.self)))
        }
        let byteCount = client.measure("body.length", ofStep: step).number
        if asks(.response) || asks(.data), !asksEndAlone, let byteCount, byteCount > 0 {
            events.append(TraceEventSymbol(EventName.data.rawValue))
        }
        events.append(TraceEventSymbol(terminal, error ?? "ok"))
        let wanted = namesErrors ? expression : expression.replacing { Self.anyError($0) }
        // With several parts, the result has only the last one; but when there was no content at all, no part had data.
        let isEmpty = byteCount == 0 && !asksEndAlone && error == nil
        let mayBeAbsent = { (symbol: NotationSymbol) in
            symbol.name != terminal && !(isEmpty && symbol.name == EventName.data.rawValue)
        }
        let diagnosis = wanted.allowingAbsence(of: mayBeAbsent).diagnosis(
            of: events, ambient: nil, terminals: [terminal])
        let seen = Finding.EndMismatch.Seen(
            terminal: terminal, error: error,
            status: status.values.first.flatMap { Int(String(decoding: $0, as: UTF8.self)) },
            hasContent: (byteCount ?? 0) > 0)
        if diagnosis != nil {
            return .fails(
                wanted: expression.text, got: Self.text(events), Finding.EndMismatch(seen, from: wanted.symbols), seen)
        }
        guard error == nil, !asksEndAlone else { return .holds }
        if asks(.response), status == .absent {
            return .fails(wanted: expression.text, got: "\(Self.text(events)), and no status", .noStatus, seen)
        }
        // Of a command, which tells no status, the exit and the content are the end.
        if asks(.response), status == .untold, byteCount == nil {
            return .silent("the client does not tell the status")
        }
        if expression.fewestOccurrences(of: EventName.data.rawValue) > 0, byteCount == nil {
            return .silent("the client does not tell the content")
        }
        return .holds
    }

    private static let terminals = [EventName.complete, .handler, .awaited, .fileReady].map(\.rawValue)

    private func asks(_ name: EventName) -> Bool { expression.eventNames.contains(name.rawValue) }

    /// Replaces Foundation's error names by any error, since a client without Foundation's names only has to fail.
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
