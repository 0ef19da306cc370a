import Foundation
import ProctorHTTP
import ProctorJournal

/// Entries about a request, by the verbs of ``JournalScript``.
enum JournalWords {
    /// nil for a verb that is none of these.
    static func event(_ verb: String, _ rest: String, at line: Int) throws(RowError) -> JournalEvent? {
        switch verb {
        case "sent":
            let words = rest.split(separator: " ")
            guard words.count == 2, let count = Int(words[1]) else { throw RowError(line, "expected sent 200 90") }
            return .replySent(status: Int(words[0]), byteCount: count)
        case "aborted":
            let sides = rest.split(separator: ": ", maxSplits: 1).map(String.init)
            guard sides.count == 2, let count = Int(sides[0]) else {
                throw RowError(line, "expected aborted 31: reason")
            }
            return .replyAborted(sentByteCount: count, reason: sides[1])
        case "effect":
            let sides = rest.components(separatedBy: " at ")
            guard sides.count == 2 else { throw RowError(line, "expected effect close at body 3") }
            return .effectPlayed(PlayedEffect(action: sides[0], at: sides[1]))
        case "exchange":
            let words = rest.split(separator: " ")
            guard words.count == 3, let exchange = Int(words[0]), let turn = Int(words[2]) else {
                throw RowError(line, "expected exchange 0 turn 2")
            }
            return .exchangeChosen(exchange: exchange, turn: turn)
        case "missed":
            let sides = rest.split(separator: ": ", maxSplits: 1).map(String.init)
            return .missed(
                Miss(
                    nearestExchange: sides.first.flatMap { Int($0) },
                    differences: sides.count > 1 ? sides[1].components(separatedBy: "; ") : []))
        case "reply": return .replyBegun(try reply(rest, line))
        default: return nil
        }
    }

    private static func reply(_ text: String, _ line: Int) throws(RowError) -> SentReply {
        let parts = text.components(separatedBy: " | ")
        var fields: [(name: [UInt8], value: [UInt8])] = []
        var words: [String: String] = [:]
        for part in parts.dropFirst() {
            let sides = part.split(separator: ": ", maxSplits: 1).map(String.init)
            if ["content", "coded", "of", "head", "unknown", "sha256"].contains(sides[0]) {
                words[sides[0]] = sides.count > 1 ? sides[1] : ""
            } else {
                let colon = part.firstIndex(of: ":") ?? part.endIndex
                fields.append(
                    (
                        Array(part[..<colon].utf8),
                        try ByteText.bytes(
                            inLine: String(part[colon...].dropFirst().drop { $0 == " " }), line: line)
                    ))
            }
        }
        func content(_ text: String) throws(RowError) -> SentContent {
            let kept = try ByteText.bytes(inLine: text, line: line)
            return SentContent(
                byteCount: words["of"].flatMap { Int($0) } ?? kept.count, kept: kept, sha256: words["sha256"])
        }
        let status = Int(parts[0])
        var coded: SentContent?
        if let text = words["coded"] {
            let kept = try ByteText.bytes(inLine: text, line: line)
            coded = SentContent(byteCount: kept.count, kept: kept)
        }
        let isUnknown = words["unknown"] != nil || status == nil
        return SentReply(
            status: status, fields: status == nil ? nil : FieldSection(fields),
            headByteCount: status == nil ? nil : words["head"].flatMap { Int($0) } ?? 20,
            content: isUnknown ? nil : try content(words["content"] ?? ""), codedContent: coded)
    }
}
