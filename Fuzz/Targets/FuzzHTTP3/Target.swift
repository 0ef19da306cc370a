import FuzzSupport
import ProctorHTTP
import ProctorHTTP3

/// Input: one byte of options, then steps: a byte of what comes, a byte of its length, and so many bytes.
///
/// Options: 1 we are a client, 2 our decoder has a table and waits, 4 our GOAWAY is out, 8 pushes are permitted. What comes:
/// the lowest 4 bits are the stream, 16 ends it, 32 resets it (without a length), 64 stops it.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = unsafe FuzzInput(start, count)
    let whole = read(input, isSlow: false)
    let slow = read(input, isSlow: true)
    check(joined(slow) == joined(whole), "byte by byte:\n\(slow)\nwhole:\n\(whole)")
    return 0
}

private func read(_ input: FuzzInput, isSlow: Bool) -> [HTTP3Event] {
    var input = input
    let options = input.byte()
    let isClient = options & 1 != 0
    var settings: [HTTP3Setting] = []
    if options & 2 != 0 { settings = [HTTP3Setting(.maxTableCapacity, 220), HTTP3Setting(.blockedStreams, 2)] }
    var state = HTTP3State(role: isClient ? .client : .server, settings: settings)
    state.bounds.frameByteCount = 200
    state.bounds.waitingByteCount = 64
    if options & 4 != 0 { state.sentGoAway(8) }
    if options & 8 != 0 {
        state.sentMaxPushID(1)
        state.sentRequest([0x47], on: 0)
    }
    var events: [HTTP3Event] = []
    var seen = 0
    while !input.remaining.isEmpty {
        let kind = input.byte()
        let stream = UInt64(kind & 15)
        if kind & 32 != 0 {
            state.receiveReset(stream, .noError, into: &events)
        } else if kind & 64 != 0 {
            state.receiveStop(stream, .noError, into: &events)
        } else {
            let length = Int(input.byte())
            let bytes = (0..<min(length, input.remaining.count)).map { _ in input.byte() }
            seen += bytes.count
            let ends = kind & 16 != 0
            for (index, byte) in bytes.enumerated() where isSlow {
                state.receive([byte].span, on: stream, ends: ends && index == bytes.count - 1, into: &events)
            }
            if !isSlow || bytes.isEmpty { state.receive(bytes.span, on: stream, ends: ends, into: &events) }
        }
    }
    check(state.streamCount <= 16, "\(state.streamCount) streams")
    for case .violation(let violation) in events {
        check(0...seen ~= violation.offset && violation.section.hasPrefix("RFC "), "\(violation)")
        check(violation.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "raw bytes in \(violation)")
    }
    return events
}

/// Content that came in pieces as one event.
private func joined(_ events: [HTTP3Event]) -> [HTTP3Event] {
    var joined: [HTTP3Event] = []
    for event in events {
        if case .content(let stream, let more) = event, case .content(stream, let before)? = joined.last {
            joined[joined.count - 1] = .content(stream: stream, before + more)
        } else {
            joined.append(event)
        }
    }
    return joined
}
