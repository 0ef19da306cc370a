import FuzzSupport
import ProctorHTTP
import ProctorHTTP2

/// Input: one byte of options, two bytes of cut, then what a peer sends behind the preface.
///
/// Options: 1 we are a client, 2 a stream is open from our side, 4 the bytes are one field block, 8 our SETTINGS are out.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let options = input.byte()
    let cut = input.number()
    let bytes = input.remaining
    if options & 4 != 0 {
        decode(bytes)
        return 0
    }
    let whole = read([bytes], options)
    let place = cut % (bytes.count + 1)
    let parts = read([Array(bytes[..<place]), Array(bytes[place...])], options)
    check(parts == whole, "cut at \(place) of \(bytes.count):\n\(parts)\nwhole:\n\(whole)")
    return 0
}

private func read(_ pieces: [[UInt8]], _ options: UInt8) -> [ConnectionEvent] {
    let role: ConnectionState.Role = options & 1 == 0 ? .server : .client
    guard var state = ConnectionState(role: role) else { finding("no memory") }
    if options & 8 != 0 {
        state.willSend(.settings([Setting(.initialWindowSize, 9), Setting(.maxConcurrentStreams, 1)]))
        state.willSend(.settings([Setting(.headerTableSize, 0)]))
    }
    if options & 2 != 0 { state.willSend(.headers([0x82], on: 1)) }
    var reader = FrameReader(expectsPreface: false, maximumPayloadByteCount: 512)
    var events: [ConnectionEvent] = []
    var end = 0
    for piece in pieces {
        var position = 0
        while let part = reader.next(piece.span, at: &position) {
            guard case .frame(let frame) = part else { finding("no frame: \(part)") }
            check(frame.offset == end, "a frame at \(frame.offset) behind one that ends at \(end)")
            end = frame.offset + Frame.headByteCount + frame.payloadByteCount
            writeAgain(frame)
            state.receive(frame, into: &events)
        }
        check(position == piece.count, "nil at \(position) of \(piece.count)")
    }
    check(state.streamCount <= state.bounds.streams, "\(state.streamCount) streams")
    check(state.receiveWindow.size <= 0x7FFF_FFFF && state.sendWindow.size <= 0x7FFF_FFFF, "a window is too large")
    for case .violation(let violation) in events {
        check(0...end ~= violation.offset && violation.section.hasPrefix("RFC "), "\(violation)")
        check(violation.description.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "raw bytes in \(violation)")
    }
    return events
}

/// A whole frame is written as it came.
private func writeAgain(_ frame: ReadFrame) {
    guard frame.payloadByteCount == frame.frame.payload.count else { return }
    var bytes: [UInt8] = []
    FrameWriter.append(frame.frame, to: &bytes)
    var reader = FrameReader(expectsPreface: false, maximumPayloadByteCount: 512)
    var position = 0
    guard case .frame(let copy)? = reader.next(bytes.span, at: &position) else { finding("no frame: \(frame)") }
    check(copy.frame == frame.frame && copy.content == frame.content, "read again: \(copy), before: \(frame)")
}

/// What is decoded is within its bounds, has a representation for each field, and is encoded and decoded again; coders
/// that rest between two blocks do the same as those that do not.
private func decode(_ block: [UInt8]) {
    guard let decoder = HeaderDecoder(), let other = HeaderDecoder(), let resting = HeaderDecoder(),
        let encoder = HeaderEncoder(), let restingEncoder = HeaderEncoder()
    else { finding("no memory") }
    do throws(BlockError) {
        let section = try decoder.decode(block, HeaderDecoder.Limits(listByteCount: 4_096, fieldCount: 40))
        check(section.fields.count <= 40 && section.items.filter(\.isField).count == section.fieldCount, "\(section)")
        _ = try resting.decode(block)
        resting.rest()
        check((try? resting.decode(block)) == (try? decoder.decode(block)), "after a rest: \(section)")
        for _ in 0..<2 {
            guard let again = encoder.encode(section.fields) else { finding("not encoded: \(section)") }
            check(restingEncoder.encode(section.fields) == again, "after a rest: \(section)")
            restingEncoder.rest()
            let fields = try other.decode(again.bytes).fields
            check(fields.map(\.name) == section.fields.map(\.name), "\(fields)")
            check(fields.map(\.value) == section.fields.map(\.value), "\(fields)")
        }
    } catch {
        check(0...block.count ~= error.offset, "\(error)")
    }
}
