internal import ProctorBase
internal import ProctorHTTP

/// A change of a run's clock, in the words of a fixture, an effect or a call.
package enum ClockChange: Sendable, Equatable {
    /// To a moment, in seconds since 1970.
    case set(unixSeconds: Int)
    /// To so many nanoseconds after the real time; before it where negative.
    case setToReal(offset: Int)
    /// Moves the clock by so many nanoseconds; back where negative.
    case advance(Int)
    /// Stops it.
    case freeze
    /// Lets it go on from where it stands.
    case run

    /// The words as a regular expression.
    package static let pattern =
        "set ([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z|now( [+-] \(DurationText.pattern))?)"
        + "|advance \(DurationText.pattern)|back \(DurationText.pattern)|freeze|run"

    package static let expected =
        "set TIME, advance TIME, back TIME, freeze or run, like \"set 2030-01-31T12:00:00Z\", \"set now - 2h\" or \"advance 90m\""

    /// What a clock can show, in seconds since 1970: up to the end of 2199.
    package static let range = 0...7_258_118_399

    /// Nil for other words and for a moment outside ``range``.
    package init?(_ text: String) {
        let words = text.split(separator: " ", omittingEmptySubsequences: false).map { String($0) }
        switch (words.first, words.count) {
        case ("freeze", 1): self = .freeze
        case ("run", 1): self = .run
        case ("advance", 2):
            guard let time = DurationText.nanoseconds(words[1]) else { return nil }
            self = .advance(time)
        case ("back", 2):
            guard let time = DurationText.nanoseconds(words[1]) else { return nil }
            self = .advance(-time)
        case ("set", 2) where words[1] == "now": self = .setToReal(offset: 0)
        case ("set", 2):
            guard let seconds = HTTPDate.unixSeconds(ofTimestamp: words[1]), Self.range.contains(seconds) else {
                return nil
            }
            self = .set(unixSeconds: seconds)
        case ("set", 4):
            guard words[1] == "now", ["+", "-"].contains(words[2]), let time = DurationText.nanoseconds(words[3]) else {
                return nil
            }
            self = .setToReal(offset: words[2] == "-" ? -time : time)
        default: return nil
        }
    }

    /// The words, with times in seconds.
    package var text: String {
        switch self {
        case .set(let seconds): "set \(HTTPDate.timestamp(unixSeconds: seconds))"
        case .setToReal(0): "set now"
        case .setToReal(let offset): "set now \(offset < 0 ? "-" : "+") \(Duration.nanoseconds(abs(offset)))"
        case .advance(let time): "\(time < 0 ? "back" : "advance") \(Duration.nanoseconds(abs(time)))"
        case .freeze: "freeze"
        case .run: "run"
        }
    }
}
