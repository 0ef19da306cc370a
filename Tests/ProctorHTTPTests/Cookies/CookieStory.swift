import ProctorHTTP
import Testing

/// What a client of cookies lives through, in short: who sets what, and what is sent where.
struct CookieStory: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [Step]

    enum Step: Sendable {
        /// A response of that URL.
        case set(String, [String])
        /// A request to that URL, and what goes along by RFC 6265 and by its revision.
        case sends(String, String?, revised: String?)
        /// Seconds pass.
        case wait(Int)
        case endSession

        static func sends(_ url: String, _ both: String?) -> Step { .sends(url, both, revised: both) }
        static func set(_ url: String, _ fields: String...) -> Step { .set(url, fields) }
    }

    init(_ name: String, _ steps: Step...) {
        self.name = name
        self.steps = steps
    }

    var testDescription: String { name }

    /// 1 January 2026.
    static let start = 1_767_225_600
}

extension CookiePlace {
    /// `https://host/path`, what follows `?` left out.
    init(_ url: String) {
        let isSecure = url.hasPrefix("https://")
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        let path = rest.drop { $0 != "/" }.prefix { $0 != "?" }
        self.init(isSecure: isSecure, host: String(rest.prefix { $0 != "/" }), path: bytes(String(path)))
    }
}
