#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Colour for the few words that carry a judgement; only on a terminal, and never against NO_COLOR.
struct Style: Sendable {
    let isOn: Bool

    static let plain = Style(isOn: false)

    /// For standard error; see no-color.org: any value but the empty one turns colour off.
    static func ofStandardError(environment: [String: String]) -> Style {
        let isRefused = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return Style(isOn: isatty(STDERR_FILENO) == 1 && !isRefused && environment["TERM"] != "dumb")
    }

    func good(_ text: String) -> String { paint(text, 32) }
    func bad(_ text: String) -> String { paint(text, 31) }

    private func paint(_ text: String, _ code: Int) -> String {
        isOn ? "\u{1B}[1;\(code)m\(text)\u{1B}[0m" : text
    }
}
