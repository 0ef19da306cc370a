import ProctorBase
import ProctorWebSocket
import Testing

/// The reader's UTF-8 against the standard library's.
@Suite struct UTF8Tests {
    /// The index of the first byte that can't stand there, by trying each beginning; the count where the end is missing.
    private func firstWrong(_ bytes: [UInt8]) -> Int? {
        // What may follow a beginning so that it is text, one of these in each case.
        let endings: [[UInt8]] = [
            [], [0x80], [0xA0], [0x80, 0x80], [0xA0, 0x80], [0x90, 0x80, 0x80], [0x80, 0x80, 0x80],
        ]
        for count in 0...bytes.count {
            let isBeginning = endings.contains { String(validating: bytes[..<count] + $0, as: UTF8.self) != nil }
            if !isBeginning { return count - 1 }
        }
        return String(validating: bytes, as: UTF8.self) == nil ? bytes.count : nil
    }

    @Test(arguments: 0x00...0xFF) func `the first two bytes of a text are right or wrong as in the library`(
        _ first: Int
    ) {
        var reader = WebSocketReader(role: .client)
        var start = 0
        // Both sides of each place where RFC 3629 §4 divides the second bytes.
        for second in [0x00, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF] {
            for tail: [UInt8] in [[], [0x80], [0x80, 0x80]] {
                let bytes = [UInt8(first), UInt8(second)] + tail
                let frame = WebSocketFrame(.text, payload: bytes).bytes
                var position = 0
                var found: Int?
                while let event = reader.next(frame.span, at: &position) {
                    if case .violation(let violation) = event { found = violation.offset - start - 2 }
                }
                start += frame.count
                if found != firstWrong(bytes) { Issue.record("\(bytes): \(String(describing: found))") }
            }
        }
    }
}
