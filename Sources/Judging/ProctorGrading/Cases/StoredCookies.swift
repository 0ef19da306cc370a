import ProctorEvents
import ProctorScenario

/// The cookies that a client found in its store after a step.
struct StoredCookies {
    /// For each cookie `NAME=VALUE`, then its properties as `Path=/`, or as a single word.
    private let cookies: [[String]]

    /// nil when the client did not read the store.
    init?(_ event: TraceEvent) {
        guard let lines = event.facts.text(.storedCookies) else { return nil }
        cookies = lines.split(separator: "\n").map { line in
            line.split(separator: ";").map { String($0.drop { $0 == " " }) }
        }
    }

    var names: [String] { cookies.compactMap { $0.first.map(Self.name) } }

    func value(of name: String) -> String? {
        first(name)?.first.map { String($0.dropFirst(name.count + 1)) }
    }

    /// A property of a cookie; nil when there is no such cookie.
    subscript(property: Property, name: String) -> String? {
        guard let words = first(name)?.dropFirst() else { return nil }
        switch property {
        case .text(let key):
            return words.first { $0.hasPrefix("\(key)=") }.map { String($0.dropFirst(key.count + 1)) }
        case .word(let word): return "\(words.contains(word))"
        }
    }

    enum Property: Sendable {
        /// `Path=/`.
        case text(of: String)
        /// `Secure`, or nothing.
        case word(String)
    }

    private func first(_ name: String) -> [String]? {
        cookies.first { $0.first.map(Self.name) == name }
    }

    private static func name(_ pair: String) -> String { String(pair.prefix { $0 != "=" }) }
}
