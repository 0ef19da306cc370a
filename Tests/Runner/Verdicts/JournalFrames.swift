import Foundation
import ProctorJournal

/// Frames of HTTP/2 in short words, several in a line: `frames > SETTINGS; < GOAWAY last 1; > HEADERS 3 END_HEADERS`.
///
/// `>` is a frame of the client, and `<` one of the server. Behind its type stand the number of its stream, flags, and
/// `last N` of GOAWAY, `opaque TEXT` of PING, `bytes N` for another length than 4, `code NAME` (behind `last N`), and `×N` for N of them.
enum JournalFrames {
    static func events(_ text: String, at line: Int) throws(RowError) -> [JournalEvent] {
        var events: [JournalEvent] = []
        for frame in text.components(separatedBy: "; ") { events += try Self.frames(frame, at: line) }
        return events
    }

    private static func frames(_ text: String, at line: Int) throws(RowError) -> [JournalEvent] {
        var words = text.split(separator: " ").map(String.init)[...]
        guard let side = words.popFirst(), side == ">" || side == "<", let type = words.popFirst() else {
            throw RowError(line, "expected a frame such as > HEADERS 1 END_HEADERS, found \"\(text)\"")
        }
        var (stream, byteCount, count): (UInt32, Int, Int) = (0, 4, 1)
        var flags: [String] = []
        var detail: FrameNote.Detail? = nil
        while let word = words.popFirst() {
            switch word {
            case "last":
                detail = .goAway(lastStream: words.popFirst().flatMap { UInt32($0) } ?? 0, code: "NO_ERROR", debug: [])
            case "opaque": detail = .opaque(Array((words.popFirst() ?? "").utf8))
            case "code":
                let code = words.popFirst() ?? ""
                detail =
                    if case .goAway(let last, _, _) = detail { .goAway(lastStream: last, code: code, debug: []) } else {
                        .code(code)
                    }
            case "bytes": byteCount = words.popFirst().flatMap { Int($0) } ?? 0
            case _ where word.first == "×": count = Int(word.dropFirst()) ?? 0
            default: if let number = UInt32(word) { stream = number } else { flags.append(word) }
            }
        }
        if type == "SETTINGS", flags.isEmpty { detail = .settings([]) }
        let note = FrameNote(
            by: side == ">" ? .client : .server, type: type, flags: flags, stream: stream, byteCount: byteCount,
            offset: 0, detail: detail)
        return Array(repeating: .frame(note), count: count)
    }
}
