import ProctorBase
import ProctorSOCKS
import Testing

/// Feeds a reader whole, byte by byte, cut in two at every place, between empty pieces and before other bytes.
struct Verifier<Message: Equatable & Sendable> {
    /// What the messages of these pieces are, what is wrong at the end, and how many bytes were read.
    let read: ([[UInt8]]) -> Reading

    struct Reading: Equatable {
        var messages: [Message] = []
        var end: SOCKSViolation?
        var byteCount = 0
    }

    func reading(of input: [UInt8], sourceLocation: Testing.SourceLocation = #_sourceLocation) -> Reading {
        let whole = read([input])
        #expect(read(input.map { [$0] }) == whole, "byte by byte", sourceLocation: sourceLocation)
        for cut in 0...input.count {
            let parts = read([Array(input[..<cut]), Array(input[cut...])])
            #expect(parts == whole, "cut at \(cut)", sourceLocation: sourceLocation)
        }
        #expect(read([[], input, []]) == whole, "between empty pieces", sourceLocation: sourceLocation)
        for trailing: [UInt8] in [[0], [0xFF, 0xFF, 0xFF], Array("GET / HTTP/1.1\r\n\r\n".utf8)] {
            let longer = read([input + trailing]).messages
            #expect(
                Array(longer.prefix(whole.messages.count)) == whole.messages, "with trailing bytes",
                sourceLocation: sourceLocation)
        }
        return whole
    }
}

extension Verifier<SOCKSClientMessage> {
    /// `method` is selected behind the greeting.
    static func server(method: UInt8 = SOCKSMethod.none) -> Verifier {
        Verifier { pieces in
            var reader = SOCKSReader()
            var reading = Reading()
            for piece in pieces {
                var position = 0
                while let message = reader.next(piece.span, at: &position) {
                    reading.messages.append(message)
                    switch message {
                    case .greeting: method == SOCKSMethod.password ? reader.expectLogin() : reader.expectRequest()
                    case .login: reader.expectRequest()
                    case .request, .violation: continue
                    }
                }
                reading.byteCount += position
            }
            reading.end = reader.finish()
            return reading
        }
    }
}

extension Verifier<SOCKSProxyMessage> {
    /// What is expected one after the other.
    static func client(_ expected: [SOCKSReplyReader.Expected]) -> Verifier {
        Verifier { pieces in
            var reader = SOCKSReplyReader()
            var left = expected[...]
            var reading = Reading()
            if let first = left.popFirst() { reader.expect(first) }
            for piece in pieces {
                var position = 0
                while let message = reader.next(piece.span, at: &position) {
                    reading.messages.append(message)
                    if case .violation = message { continue }
                    if let next = left.popFirst() { reader.expect(next) }
                }
                reading.byteCount += position
            }
            reading.end = reader.finish()
            return reading
        }
    }
}
