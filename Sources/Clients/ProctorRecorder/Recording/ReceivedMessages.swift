internal import ProctorBase
package import ProctorEvents

/// The messages that a WebSocket gave to the application, as a `result` reports them.
package struct ReceivedMessages: Sendable {
    private var texts: [String] = []
    private var byteCount = 0

    package init() {}

    package mutating func append(_ bytes: [UInt8], isText: Bool) {
        byteCount += bytes.count
        guard byteCount <= KeptBody.limit else { return }
        texts.append(Self.text(of: bytes, isText: isText))
    }

    /// `text TEXT` or `binary 00ff`; a text that is not UTF-8 is `text:` and its bytes.
    package static func text(of bytes: [UInt8], isText: Bool) -> String {
        // iOS 16 cannot validate; decoding replaces what is not UTF-8, so the bytes differ then.
        let text = String(decoding: bytes, as: UTF8.self)
        if isText, text.utf8.elementsEqual(bytes) { return "text \(text)" }
        let digits = bytes.map { $0.hexadecimal() }.joined()
        return (isText ? "text: " : "binary ") + digits
    }

    /// `messages`: a list in JSON; nothing where the messages are too long for a trace.
    package var facts: EventFacts {
        guard byteCount <= KeptBody.limit / 2 else { return [] }
        var json = JSONText()
        json.list(texts) { $1.string($0) }
        return [EventFact(.messages, .text(String(decoding: json.bytes, as: UTF8.self)))]
    }
}
