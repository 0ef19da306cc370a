import ProctorBase

/// The target of a recorded request as a pattern: secrets, and values that a client makes anew, are left open.
struct TargetPattern {
    let store: SecretStore
    /// Ids that replies have given to the client, which stay.
    let givenIDs: Set<String>
    /// Words that stand for any value.
    var placeholders = Placeholders()

    private static let changing: Set<String> = [
        "_", "t", "ts", "timestamp", "cb", "cachebuster", "nonce", "rand", "random", "_t", "time", "requestid",
    ]
    /// A pattern has at most 16 holes.
    private static let mostHoles = 16

    /// nil where the target can't stand in a fixture.
    ///
    /// `open` are segments that stand for any value.
    func pattern(_ target: String, open isAny: Set<String> = []) -> (text: String, isOpen: Bool)? {
        guard !target.isEmpty, !target.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else { return nil }
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var holes = 0
        var text = halves[0].split(separator: "/", omittingEmptySubsequences: false).map { segment -> String in
            if isNew(segment) || isAny.contains(String(segment)), holes < Self.mostHoles {
                holes += 1
                return holes == 1 ? "{id}" : "{id\(holes)}"
            }
            let found = placeholders.ranges(in: Array(segment.utf8))
            if !found.isEmpty, holes + found.count <= Self.mostHoles { return opened(segment, found, &holes) }
            return open(String(segment), &holes)
        }.joined(separator: "/")
        if halves.count == 2 {
            let pairs = halves[1].split(separator: "&", omittingEmptySubsequences: false).map { pair -> String in
                let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                guard parts.count == 2, holes < Self.mostHoles, isOpen(name: parts[0], value: parts[1]) else {
                    return open(String(pair), &holes)
                }
                holes += 1
                return LiteralText.pattern(String(parts[0])) + "=*"
            }
            text += "?" + pairs.joined(separator: "&")
        }
        return (text, holes > 0)
    }

    /// A segment with captures in the place of words, each of which ends with the segment at the latest.
    private func opened(_ segment: Substring, _ words: [Range<Int>], _ holes: inout Int) -> String {
        let bytes = Array(segment.utf8)
        var text = ""
        var end = 0
        for range in words {
            text += open(String(decoding: bytes[end..<range.lowerBound], as: UTF8.self))
            holes += 1
            text += holes == 1 ? "{id}" : "{id\(holes)}"
            end = range.upperBound
        }
        return text + open(String(decoding: bytes[end...], as: UTF8.self))
    }

    private func isNew(_ segment: Substring) -> Bool {
        ValueForms.isUUID(segment.utf8) && !givenIDs.contains(String(segment))
    }

    private func isOpen(name: Substring, value: Substring) -> Bool {
        guard !value.isEmpty else { return false }
        if !store.keepsSecrets, SecretNames.containsParameter(String(name)) { return true }
        if placeholders.stand(in: Array(value.utf8)) { return true }
        if Self.changing.contains(name.lowercased()), value.utf8.count >= 6 { return true }
        return isNew(value)
    }

    /// A piece of the target with `*` for known secrets.
    func open(_ text: String, _ holes: inout Int) -> String {
        store.pieces(of: Array(text.utf8)).map { piece in
            switch piece {
            case .plain(let bytes):
                return placeholders.isEmpty
                    ? LiteralText.pattern(String(decoding: bytes, as: UTF8.self)) : starred(Array(bytes), &holes)
            case .secret:
                holes += 1
                return "*"
            }
        }.joined()
    }

    /// Plain text with `*` for words that stand for any value.
    private func starred(_ bytes: [UInt8], _ holes: inout Int) -> String {
        var text = ""
        var end = 0
        for range in placeholders.ranges(in: bytes) {
            text += LiteralText.pattern(String(decoding: bytes[end..<range.lowerBound], as: UTF8.self)) + "*"
            holes += 1
            end = range.upperBound
        }
        return text + LiteralText.pattern(String(decoding: bytes[end...], as: UTF8.self))
    }

    func open(_ text: String) -> String {
        var holes = 0
        return open(text, &holes)
    }

    /// UUIDs in a text.
    static func ids(in text: [UInt8]) -> Set<String> {
        var ids: Set<String> = []
        guard text.count >= 36 else { return ids }
        var index = 0
        while index + 36 <= text.count {
            if text[index + 8] == UInt8(ascii: "-"), ValueForms.isUUID(text[index..<(index + 36)]) {
                ids.insert(String(decoding: text[index..<(index + 36)], as: UTF8.self))
                index += 36
            } else {
                index += 1
            }
        }
        return ids
    }
}
