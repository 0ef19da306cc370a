import Foundation
import ProctorJournal

/// What is on a WebSocket in short words, several in a line: `ws opened chat; < text hello; > ping a; < close 1000 bye`.
///
/// `>` is a frame of the client, and `<` one of the server, with what is complete with it; `< part` completes nothing. Behind
/// ` ! ` stands what a client must refuse of a frame: `< text x ! reserved-bit`.
enum JournalSockets {
    static func events(_ text: String, at line: Int) throws(RowError) -> [JournalEvent] {
        var events: [JournalEvent] = []
        for item in text.components(separatedBy: "; ") {
            events.append(.webSocket(WebSocketNote(try note(item, line))))
        }
        return events
    }

    private static func note(_ text: String, _ line: Int) throws(RowError) -> WebSocketNote.Event {
        let words = text.split(separator: " ", maxSplits: 2).map(String.init)
        if words.first == "opened" {
            return .opened(protocolName: words.count > 1 ? words[1] : nil, extensions: [])
        }
        let parts = text.components(separatedBy: " ! ")
        let sides = parts[0].split(separator: " ", maxSplits: 2).map(String.init)
        guard sides.count >= 2, sides[0] == ">" || sides[0] == "<" else {
            throw RowError(line, "expected opened, or a frame such as < text hello, found \"\(text)\"")
        }
        let rest = sides.count > 2 ? sides[2] : ""
        var message: WebSocketFrameNote.Message?
        if let kind = WebSocketFrameNote.Kind(rawValue: sides[1]) {
            let code = kind == .close ? rest.split(separator: " ").first.flatMap { Int($0) } : nil
            let content = kind == .close ? rest.split(separator: " ", maxSplits: 1).dropFirst().joined() : rest
            let bytes = try ByteText.bytes(inLine: content, line: line)
            message = .init(kind, byteCount: bytes.count, kept: bytes, code: code)
        }
        return .frame(
            WebSocketFrameNote(
                by: sides[0] == ">" ? .client : .server, opcode: message?.kind.rawValue ?? "text",
                flags: message == nil ? [] : ["FIN"], isMasked: sides[0] == ">", byteCount: message?.byteCount ?? 1,
                offset: 0, message: message, violation: parts.count > 1 ? parts[1] : nil))
    }
}
