import FuzzSupport
import ProctorSOCKS

/// Input: one byte of options, two bytes of cut, then what a client of SOCKS sends, or a proxy.
///
/// Options: 1 user and password are asked for, 2 the reply is one of SOCKS 4, 0x80 the bytes are those of a proxy.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let options = input.byte()
    let cut = input.number()
    let bytes = input.remaining
    let place = cut % (bytes.count + 1)
    let halves = [Array(bytes[..<place]), Array(bytes[place...])]
    if options & 0x80 == 0 {
        let whole = readClient([bytes], options)
        check(readClient(halves, options) == whole, "cut at \(place): \(shown(bytes))")
        check(readClient(bytes.map { [$0] }, options) == whole, "byte by byte: \(shown(bytes))")
        for case .request(let request) in whole.messages { checkWritten(request) }
    } else {
        let whole = readProxy([bytes], options)
        check(readProxy(halves, options) == whole, "cut at \(place): \(shown(bytes))")
        check(readProxy(bytes.map { [$0] }, options) == whole, "byte by byte: \(shown(bytes))")
    }
    return 0
}

private struct Reading<Message: Equatable>: Equatable {
    var messages: [Message] = []
    var end: SOCKSViolation?
    var byteCount = 0
}

private func readClient(_ pieces: [[UInt8]], _ options: UInt8) -> Reading<SOCKSClientMessage> {
    var reader = SOCKSReader()
    var reading = Reading<SOCKSClientMessage>()
    for piece in pieces {
        var position = 0
        while let message = reader.next(piece.span, at: &position) {
            reading.messages.append(message)
            switch message {
            case .greeting: if options & 1 == 0 { reader.expectRequest() } else { reader.expectLogin() }
            case .login: reader.expectRequest()
            case .violation(let violation):
                check(violation.offset <= reading.byteCount + position, "\(violation) behind what was read")
            case .request: continue
            }
        }
        reading.byteCount += position
    }
    reading.end = reader.finish()
    return reading
}

private func readProxy(_ pieces: [[UInt8]], _ options: UInt8) -> Reading<SOCKSProxyMessage> {
    var reader = SOCKSReplyReader()
    var expected: [SOCKSReplyReader.Expected] =
        options & 2 == 0 ? [.selection(among: [0, 2]), .login, .reply(.five)] : [.reply(.four)]
    reader.expect(expected.removeFirst())
    var reading = Reading<SOCKSProxyMessage>()
    for piece in pieces {
        var position = 0
        while let message = reader.next(piece.span, at: &position) {
            reading.messages.append(message)
            if case .violation = message { continue }
            if !expected.isEmpty { reader.expect(expected.removeFirst()) }
        }
        reading.byteCount += position
    }
    reading.end = reader.finish()
    return reading
}

/// What was read is written as it came, and read again.
private func checkWritten(_ request: SOCKSRequest) {
    let bytes = SOCKSWriter.request(request)
    let again = readClient([request.version == .five ? [5, 1, 0] + bytes : bytes], 0).messages
    check(again.contains(.request(request)), "\(request) was written as \(shown(bytes))")
}
