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

    /// So many are told one by one.
    private static let listLimit = 1_000

    let keepsSecrets: Bool
    /// What a recorder wrote in the place of values is no secret.
    var placeholders = Placeholders()
    private var words: [[UInt8]: String] = [:]
    /// The first ``listLimit``.
    private(set) var replacements: [Replacement] = []
    /// How many others were replaced.
    var untoldCount: Int { words.count - replacements.count }
    /// The secrets that are looked for everywhere.
    private var values: [[UInt8]] = []
    /// The matcher of ``values``; nil before ``prepare()``.
    private var matcher: ValueMatcher?

    init(keepsSecrets: Bool) { self.keepsSecrets = keepsSecrets }

    /// The word for a secret; the same for equal ones.
    mutating func word(for value: some Collection<UInt8>, _ what: @autoclosure () -> String, at place: String) -> String
    {
        let value = Array(value)
        if placeholders.contain(value) { return String(decoding: value, as: UTF8.self) }
        if let word = words[value] { return word }
        let word = "secret-\(words.count + 1)"
        words[value] = word
        if replacements.count < Self.listLimit {
            replacements.append(Replacement(place: place, what: what(), word: word))
        }
        if value.count >= Self.shortest, values.count < Self.most {
            values.append(value)
            matcher = nil
        }
        return word
    }

    /// Call it when all secrets are known and before texts are redacted, which is slow without it.
    mutating func prepare() {
        if matcher == nil { matcher = ValueMatcher(values) }
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
        guard !keepsSecrets, !values.isEmpty else { return bytes.isEmpty ? [] : [.plain(bytes[...])] }
        var pieces: [Piece] = []
        var end = 0
        for match in (matcher ?? ValueMatcher(values)).matches(in: bytes) {
            if match.range.lowerBound > end { pieces.append(.plain(bytes[end..<match.range.lowerBound])) }
            pieces.append(.secret(word: words[values[match.value]] ?? ""))
            end = match.range.upperBound
        }
        if end < bytes.count { pieces.append(.plain(bytes[end...])) }
        return pieces
    }
}
