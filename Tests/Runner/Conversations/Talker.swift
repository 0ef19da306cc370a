import ProctorTestWire

/// A connection of a conversation, and what came on it that no block has read yet.
final class Talker: @unchecked Sendable {
    /// How long a block waits for what it wants, on an idle machine.
    static let patience = Duration.seconds(15)

    let wire: Wire

    init(_ wire: Wire) { self.wire = wire }

    /// Reads the fewest bytes that fit a text, or all up to the end of the connection; gives them as text, with `<reset>` or
    /// `<silence>` behind where the connection did not end as wanted.
    ///
    /// Blocks; for a thread of its own. What can't fit any more ends the reading at once.
    func read(
        wanted: String, ending: Wire.Ending?, line: Int, isRecording: Bool, names: [String: String]
    ) throws -> String {
        if let ending {
            let received = try wire.readToEnd()
            return text(received.bytes, names) + (received.ending == ending ? "" : "<\(received.ending)>\n")
        }
        if isRecording, wanted.isEmpty {
            return Conversation.unfill(ByteText.text(Array(try wire.readReply().utf8)), names)
        }
        let pattern = TextPattern(wanted)
        let last = TextPattern.isExact(wanted) ? try ByteText.bytes(wanted, line: line) : nil
        var bytes: [UInt8] = []
        while true {
            if let last {
                if bytes == last { return text(bytes, names) }
                if !last.starts(with: bytes) { return text(bytes + rest(), names) }
            } else {
                let text = text(bytes, names)
                if pattern.matches(text) { return text }
                if bytes.last == 0x0A, !pattern.canBegin(with: Self.wholeLines(text)) {
                    return self.text(bytes + rest(), names)
                }
            }
            let byte = try wire.read(1)
            guard !byte.isEmpty else { return text(bytes, names) + "<end>\n" }
            bytes += byte
        }
    }

    /// What else comes within a moment, for a person to read.
    private func rest() -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < 4_096, !wire.isSilent(milliseconds: 100), let byte = try? wire.read(1), !byte.isEmpty {
            bytes += byte
        }
        return bytes
    }

    private func text(_ bytes: [UInt8], _ names: [String: String]) -> String {
        Conversation.unfill(ByteText.text(bytes), names)
    }

    /// The lines of a text but the last, which may go on; a line end that is written out belongs to a last one.
    private static func wholeLines(_ text: String) -> [String] {
        var lines = TextPattern.lines(of: text)
        if let last = lines.popLast(), last.hasSuffix("\\r\\n") { lines.append(String(last.dropLast(4))) }
        return lines
    }
}
