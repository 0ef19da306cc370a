import ProctorBase
package import ProctorEvents
import ProctorRules
internal import ProctorScenario

package enum EventText {
    /// The text with `?` in place of each control character, since the text comes from the client or its peer.
    package static func printable(_ text: String, limit: Int = 200) -> String {
        PrintableText.sanitize(text, limit: limit)
    }

    static func symbol(_ event: TraceEvent) -> String { printable(event.symbol.description) }

    /// Three spaces and the facts, as `to=/b n=5`, shortened; empty when the event has no facts.
    static func facts(of event: TraceEvent) -> String {
        let text = event.facts.map { "\($0.key.rawValue)=\(Self.text(of: $0.value))" }.joined(separator: " ")
        return text.isEmpty ? "" : "   " + printable(text, limit: 120)
    }

    /// A line for each fact of the event: `to=/b`.
    package static func allFacts(of event: TraceEvent) -> [String] {
        event.facts.map { "\($0.key.rawValue)=\(printable(text(of: $0.value), limit: RecordBounds.line))" }
    }

    static func text(of value: FactValue) -> String {
        switch value {
        case .integer(let number): String(number)
        case .text(let text): text
        case .flag(let flag): flag ? "true" : "false"
        }
    }
}

extension TraceEvent {
    /// The time by the server's clock; nil when the event has no time, or one of another clock.
    package var nanoseconds: UInt64? { if case .monotonic(let time)? = time { time } else { nil } }
}

/// Times of a trace, counted from its first event.
struct TraceClock {
    private let start: TraceEvent.Time?

    init(start: TraceEvent.Time?) { self.start = start }

    init(_ events: some Sequence<TraceEvent>) { start = events.lazy.compactMap(\.time).first }

    /// `12.345`, truncated and not rounded; nil without a time, or for a time of another clock.
    func milliseconds(_ time: TraceEvent.Time?) -> String? {
        switch (start, time) {
        case (.monotonic(let start)?, .monotonic(let time)?):
            return (time < start ? "-" : "") + WireText.thousandths((time < start ? start - time : time - start) / 1000)
        case (.elsewhere(let start)?, .elsewhere(let time)?):
            let passed = time - start
            guard passed.magnitude < 1e12 else { return nil }
            return (passed < 0 ? "-" : "") + WireText.thousandths(UInt64((passed.magnitude * 1000).rounded(.down)))
        default: return nil
        }
    }

    /// Nanoseconds since the first event; nil without a time, or for a time of another clock.
    func nanoseconds(_ time: TraceEvent.Time?) -> Int? {
        switch (start, time) {
        case (.monotonic(let start)?, .monotonic(let time)?):
            time < start ? -Int(clamping: start - time) : Int(clamping: time - start)
        case (.elsewhere(let start)?, .elsewhere(let time)?):
            (time - start).magnitude < 1e9 ? Int((time - start) * 1e6) : nil
        default: nil
        }
    }

    /// `, +12.345 ms`; empty without a time.
    func offset(_ time: TraceEvent.Time?) -> String {
        milliseconds(time).map { $0.hasPrefix("-") ? ", \($0) ms" : ", +\($0) ms" } ?? ""
    }
}

extension LoadState {
    /// `redirect(302) (event 3)`; nil when every question has its answer.
    var openQuestionText: String? {
        let questions = waitingQuestions
        guard !questions.isEmpty else { return nil }
        return questions.prefix(5).map { "\(EventText.symbol($0)), event \($0.sequence)" }.joined(separator: "; ")
    }
}
