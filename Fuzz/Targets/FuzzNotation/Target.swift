import FuzzSupport
import ProctorEvents
import ProctorNotation

/// Input: one byte of lane, then an expression, an ambient one (or nothing) and a trace, with a NUL between them.
///
/// Each byte of the trace is an event: an even one is something the matcher wants, an odd one any event there is.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let lane = Lane.allCases[Int(input.byte()) % Lane.allCases.count]
    let text = String(decoding: input.section(endingWith: 0), as: UTF8.self)
    let ambientText = String(decoding: input.section(endingWith: 0), as: UTF8.self)
    guard let notation = parsed(text, lane) else { return 0 }
    var ambient: Notation?
    if !ambientText.isEmpty, let other = parsed(ambientText, lane), (try? other.checkAsAmbient()) != nil {
        ambient = other
    }
    follow(NotationMatcher(notation, ambient: ambient), by: input.remaining.prefix(200), lane)
    return 0
}

/// A typing error must point into the text, and be printable.
private func parsed(_ text: String, _ lane: Lane) -> Notation? {
    do {
        return try Notation(parsing: text, lane: lane)
    } catch {
        check(0...text.utf8.count ~= error.offset, "offset \(error.offset) outside the text: \(error)")
        check(error.line >= 1 && error.column >= 1 && !error.sentence.isEmpty, "\(error)")
        check(
            !error.sentence.utf8.contains { $0 < 0x20 || $0 == 0x7F },
            "control characters in \(shown(error.sentence.utf8))")
        check(error.caretLines.split(separator: "\n", omittingEmptySubsequences: false).count == 2, "\(error)")
        return nil
    }
}

private func follow(_ start: NotationMatcher, by choices: some Sequence<UInt8>, _ lane: Lane) {
    var matcher = start
    for choice in choices {
        let index = Int(choice >> 1)
        if choice & 1 == 0 {
            let wanted = matcher.wanted
            guard !wanted.isEmpty else { break }
            guard let event = wanted[index % wanted.count].example else { continue }
            // What ends the lane is kept back as long as something ambient is owed.
            let isKeptBack =
                EventVocabulary.terminalNames.contains(event.name) && matcher.missing.contains(where: \.isAmbient)
            let accepted = matcher.accept(event)
            check(
                accepted || isKeptBack || matcher.overflow != nil,
                "\(matcher.notation) with \(matcher.ambient?.text ?? "nothing"): \(event) was wanted and is refused")
        } else {
            let kind = EventVocabulary.kinds[index % EventVocabulary.kinds.count]
            _ = matcher.accept(TraceEventSymbol(kind.name, kind.argument == .none ? nil : "ok"))
        }
        checkState(matcher, lane)
        if matcher.refusal != nil || matcher.overflow != nil { break }
    }
    checkState(matcher, lane)
}

private func checkState(_ matcher: NotationMatcher, _ lane: Lane) {
    let diagnosis = matcher.diagnosis
    check((diagnosis == nil) == matcher.isAccepting, "\(matcher.notation): accepted and diagnosed at once")
    if matcher.refusal == nil, matcher.overflow == nil {
        check(matcher.missing.isEmpty == matcher.isAccepting, "\(matcher.notation): missing \(matcher.missing)")
    }
    if let diagnosis {
        check(!diagnosis.description.isEmpty && !diagnosis.sentence.isEmpty, "no words for \(matcher.notation)")
    }
    for wanted in matcher.wanted.prefix(4) {
        guard let symbol = wanted.symbol else { continue }
        // A symbol is described as it can be written.
        let again = try? Notation(parsing: symbol.description, lane: lane)
        check(
            again.flatMap { NotationMatcher($0).wanted.first?.symbol } == symbol,
            "\(symbol) is read back otherwise")
    }
}

extension WantedEvent {
    /// An event that this asks for.
    fileprivate var example: TraceEventSymbol? {
        guard let symbol else { return TraceEventSymbol("data") }
        let argument: String? =
            switch symbol.arguments.first {
            case .exact(let text): text
            case .prefix(let text): text + "x"
            case .anyError: "timedOut"
            case nil: nil
            }
        let event = TraceEventSymbol(symbol.name, argument)
        check(symbol.matches(event), "\(symbol) does not match \(event)")
        return event
    }
}
