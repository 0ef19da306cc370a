import ProctorBase
import ProctorHTTP

/// One byte for each scalar, so that a test can write any byte: `\u{FF}` is 0xFF.
func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }

/// A reader of either direction.
protocol MessageReading {
    associatedtype Head: Equatable & Sendable
    mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> MessageEvent<Head>?
    mutating func finish() -> MessageEvent<Head>?
}

extension RequestReader: MessageReading {}
extension ReplyReader: MessageReading {}

extension MessageReading {
    /// The first event that comes while such pieces of input are fed again and again, a hundred at most.
    mutating func firstEvent(feeding piece: [UInt8]) -> MessageEvent<Head>? {
        for _ in 0..<100 {
            var offset = 0
            if let event = next(piece.span, at: &offset) { return event }
        }
        return nil
    }
}
