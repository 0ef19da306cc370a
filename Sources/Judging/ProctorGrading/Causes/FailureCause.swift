import ProctorBase
import ProctorScenario

/// Why a case failed; equal for every case and every client in which the same departure occurs.
package struct FailureCause: Sendable, Hashable {
    /// The key for programs, and for `upstream` in ledgers: `credential: wrong-quoting`.
    ///
    /// It contains no addresses, times and numbers of requests or loads. Where ``kind`` alone would be the same for
    /// different departures, a distinction follows ` · `: `end of a load: wanted an error, got ok · RFC 9112 §8`.
    package let key: String

    /// Makes a cause from the key in a record or a ledger.
    package init(key: String) { self.key = key }

    init(_ kind: String, apart: String? = nil) { key = apart.map { "\(kind)\(Self.mark)\($0)" } ?? kind }

    private static let mark = " · "

    /// The key up to ` · `.
    package var kind: String { key.firstRange(ofText: Self.mark).map { String(key[..<$0.lowerBound]) } ?? key }

    /// Whether an entry of a ledger with this cause is about the other one: a cause without ` · ` is every cause of its kind.
    package func covers(_ other: FailureCause) -> Bool { self == other || key == other.kind }

    /// The text after ` · `: a section, or the place of a crash.
    package var apart: String? { key.firstRange(ofText: Self.mark).map { String(key[$0.upperBound...]) } }

    /// The cause for a person: `A load succeeded that had to fail (RFC 9112 §8)`.
    package var sentence: String {
        let words = Self.words(of: kind)
        return words.prefix(1).uppercased() + words.dropFirst() + (apart.map { " (\($0))" } ?? "")
    }

    private static func words(of kind: String) -> String {
        if let words = whole[kind] { return words }
        for form in forms {
            guard kind.hasPrefix(form.prefix) else { continue }
            return form.words(String(kind.dropFirst(form.prefix.count)))
        }
        return kind
    }

    private static let whole = Dictionary(
        uniqueKeysWithValues: TableCells.rows(of: "failure-causes").map { ($0["kind"], $0["words"]) })

    private static let forms: [(prefix: String, words: @Sendable (String) -> String)] = [
        ("requests: another ", { "a request had another \($0) than was wanted" }),
        ("mistake: ", { $0 }),
        ("credential: ", { "a credential was refused: \(spaced($0))" }),
        ("cookies: ", { "the cookies are not those that were wanted: \(spaced($0))" }),
        ("violation ", { "a request breaks the syntax or a rule of HTTP: \(spaced($0))" }),
        ("callback fact ", { "a callback tells another \($0) than was served" }),
        ("crash by ", { "the client crashed by \($0)" }),
        ("lane ", { callbacks(of: $0) }), ("fact ", { fact($0) }),
    ]

    /// `wrong quoting` for `wrong-quoting`.
    private static func spaced(_ name: String) -> String { String(name.map { $0 == "-" ? " " : $0 }) }

    private static func callbacks(of lane: String) -> String {
        let parts = lane.split(separator: ":", maxSplits: 1)
        return parts.count == 2 ? "callbacks of \(parts[0]):\(parts[1])" : "callbacks of \(lane)"
    }

    private static func fact(_ text: String) -> String {
        let endings = [
            (": unwanted", "came, and was not wanted"), (": missing", "is missing"),
            (": more", "is more than was wanted"), (": less", "is less than was wanted"),
        ]
        for (suffix, words) in endings where text.hasSuffix(suffix) {
            return "\(subject(String(text.dropLast(suffix.count)))) \(words)"
        }
        return "\(subject(text)) has not the value that was wanted"
    }

    /// `the field Te of a request` for `wire[].headers.Te`; a shortened name is not changed.
    private static func subject(_ name: String) -> String {
        guard let fact = try? FactName(parsing: name.replacing(text: "[]", with: "[0]")) else { return name }
        let nouns = [
            ("HTTP/2 connection 1", "a connection of HTTP/2"), ("request 1", "a request"),
            ("connection 1", "a connection"), ("handshake 1", "a handshake"), ("stream 1", "a stream"),
            ("part 1", "a part"),
        ]
        return nouns.reduce(fact.words) { $0.replacing(text: $1.0, with: $1.1) }
    }
}
