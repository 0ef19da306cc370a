import ProctorBase
import ProctorHTTP

/// The secrets of a recording, each with the word that replaces it everywhere.
struct SecretStore {
    /// A secret that was replaced, for the list that is printed; without its value.
    struct Replacement: Sendable {
        let place: String
        /// As in "the cookie session".
        let what: String
        let word: String
    }

    /// Shorter values are replaced at their own place alone, since they may stand elsewhere by chance.
    private static let shortest = 8
    /// Values beyond this number are replaced at their own place alone.
    private static let most = 1_000

    let keepsSecrets: Bool
    private var words: [[UInt8]: String] = [:]
    private(set) var replacements: [Replacement] = []
    /// The longest first, so that no part of one is replaced before it.
    private var values: [[UInt8]] = []

    init(keepsSecrets: Bool) { self.keepsSecrets = keepsSecrets }

    /// The word for a secret; the same for equal ones.
    mutating func word(for value: some Collection<UInt8>, _ what: @autoclosure () -> String, at place: String) -> String
    {
        let value = Array(value)
        if let word = words[value] { return word }
        let word = "secret-\(words.count + 1)"
        words[value] = word
        replacements.append(Replacement(place: place, what: what(), word: word))
        if value.count >= Self.shortest, values.count < Self.most {
            values.append(value)
            values.sort { $0.count > $1.count }
        }
        return word
    }

    /// The word for a value that is known as a secret.
    func known(_ value: [UInt8]) -> String? { words[value] }

    /// Remembers the secrets of tokens in a text by their form.
    mutating func collectTokens(in text: some Collection<UInt8>, at place: String) {
        let bytes = Array(text)
        for (range, kind) in TokenPatterns.matches(in: bytes[...]) {
            _ = word(for: bytes[range], "a \(kind)", at: place)
        }
    }

    /// The bytes with every known secret replaced.
    func redact(_ bytes: [UInt8]) -> [UInt8] {
        guard !keepsSecrets, !values.isEmpty else { return bytes }
        return pieces(of: bytes).reduce(into: []) { redacted, piece in
            switch piece {
            case .plain(let bytes): redacted += bytes
            case .secret(let word): redacted += word.utf8
            }
        }
    }

    enum Piece {
        case plain(ArraySlice<UInt8>)
        case secret(word: String)
    }

    /// The bytes as what is no secret and what is one.
    func pieces(of bytes: [UInt8]) -> [Piece] {
        guard !keepsSecrets else { return [.plain(bytes[...])] }
        var pieces: [Piece] = [.plain(bytes[...])]
        for value in values {
            pieces = pieces.flatMap { piece -> [Piece] in
                guard case .plain(var rest) = piece else { return [piece] }
                var parts: [Piece] = []
                while let range = rest.firstRange(ofBytes: value) {
                    parts.append(.plain(rest[..<range.lowerBound]))
                    parts.append(.secret(word: words[value] ?? ""))
                    rest = rest[range.upperBound...]
                }
                return parts + [.plain(rest)]
            }
        }
        return pieces.filter { if case .plain(let bytes) = $0 { !bytes.isEmpty } else { true } }
    }
}
