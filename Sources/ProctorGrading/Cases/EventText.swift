import ProctorBase
import ProctorEvents

/// Events of a client as findings and timelines show them.
enum EventText {
    /// Without control characters, which come from the client or its peer; each shows as `?`.
    static func printable(_ text: String, limit: Int = 200) -> String {
        PrintableText.of(text, limit: limit)
    }

    /// `redirect(302)`.
    static func of(_ event: TraceEvent) -> String { printable(event.symbol.description) }

    /// `to=/b n=5`, the longest first cut.
    static func facts(of event: TraceEvent, limit: Int = 120) -> String {
        let text = event.facts.map { "\($0.key.rawValue)=\(Self.text(of: $0.value))" }.joined(separator: " ")
        return printable(text, limit: limit)
    }

    static func text(of value: FactValue) -> String {
        switch value {
        case .integer(let number): String(number)
        case .text(let text): text
        case .flag(let flag): flag ? "true" : "false"
        }
    }
}

/// Times of a trace, counted from its first event.
struct TraceClock {
    private let start: TraceEvent.Time?

    init(start: TraceEvent.Time?) {
        self.start = start
    }

    init(_ events: some Sequence<TraceEvent>) {
        start = events.lazy.compactMap(\.time).first
    }

    /// `12.345`, cut and not rounded; nil without a time, or one of another clock.
    func milliseconds(_ time: TraceEvent.Time?) -> String? {
        switch (start, time) {
        case (.monotonic(let start)?, .monotonic(let time)?):
            return (time < start ? "-" : "")
                + Self.text(microseconds: (time < start ? start - time : time - start) / 1000)
        case (.elsewhere(let start)?, .elsewhere(let time)?):
            let passed = time - start
            guard passed.magnitude < 1e12 else { return nil }
            return (passed < 0 ? "-" : "") + Self.text(microseconds: UInt64((passed.magnitude * 1000).rounded(.down)))
        default: return nil
        }
    }

    /// `, +12.345 ms`, or nothing.
    func offset(_ time: TraceEvent.Time?) -> String {
        milliseconds(time).map { $0.hasPrefix("-") ? ", \($0) ms" : ", +\($0) ms" } ?? ""
    }

    private static func text(microseconds: UInt64) -> String {
        let fraction = String(microseconds % 1000)
        return "\(microseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }
}
