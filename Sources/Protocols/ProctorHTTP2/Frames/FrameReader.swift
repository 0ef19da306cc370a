internal import ProctorBase
internal import ProctorHTTP

/// Reads the frames of one direction of a connection, from bytes in pieces of any length (RFC 9113 §3.4, §4).
///
/// It continues after every violation except a wrong preface, since the frame header always says where the next frame
/// begins; the caller decides what a violation ends.
package struct FrameReader: Sendable {
    /// The receiver's SETTINGS_MAX_FRAME_SIZE; may be changed between two calls.
    package var maximumPayloadByteCount: Int
    /// The number of bytes read since the first byte of the connection.
    package private(set) var offset = 0
    /// The bytes of the preface that are still to come.
    private var prefaceRest: ArraySlice<UInt8>
    private var isBroken = false
    private var head: [UInt8] = []
    /// The frame whose payload is being read.
    private var frame: Frame?
    private var frameOffset = 0
    private var payloadByteCount = 0
    /// The bytes still to come of a payload that is too long, which are skipped.
    private var skippedByteCount = 0

    /// The connection preface of a client.
    package static let preface = Array("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".utf8)

    /// One result of reading.
    package enum Part: Sendable, Equatable {
        /// The connection preface of a client.
        case preface
        case frame(ReadFrame)
        /// The preface is wrong; no further bytes are read.
        case notHTTP2(HTTP2Violation)
    }

    /// `expectsPreface` is true if the peer is a client.
    package init(expectsPreface: Bool, maximumPayloadByteCount: Int = FrameLimits.smallestMaximum) {
        prefaceRest = expectsPreface ? Self.preface[...] : []
        self.maximumPayloadByteCount = maximumPayloadByteCount
    }

    /// Whether the bytes so far end between two frames.
    package var isBetweenFrames: Bool {
        frame == nil && head.isEmpty && prefaceRest.isEmpty && skippedByteCount == 0
    }

    /// The next result; nil if more bytes are needed, after all of `bytes` were consumed.
    ///
    /// Moves `position` after the consumed bytes.
    package mutating func next(_ bytes: borrowing Span<UInt8>, at position: inout Int) -> Part? {
        guard !isBroken else {
            position = bytes.count
            return nil
        }
        if !prefaceRest.isEmpty { return readPreface(bytes, at: &position) }
        if let whole = readWhole(bytes, at: &position) { return .frame(whole) }
        while position < bytes.count {
            if skippedByteCount > 0 {
                let count = min(skippedByteCount, bytes.count - position)
                skippedByteCount -= count
                position += count
                offset += count
                continue
            }
            if frame == nil {
                readHead(bytes, at: &position)
                // A frame without payload is complete with its header.
                guard frame != nil else { continue }
            } else {
                readPayload(bytes, at: &position)
            }
            if let whole = completeFrame() { return .frame(whole) }
        }
        return nil
    }

    private mutating func readPreface(_ bytes: borrowing Span<UInt8>, at position: inout Int) -> Part? {
        while let wanted = prefaceRest.first, position < bytes.count {
            guard bytes[position] == wanted else {
                isBroken = true
                let violation = HTTP2Violation(
                    .badPreface, at: offset, frame: .settings, stream: 0,
                    detail: "0x\(String(bytes[position], radix: 16)) at byte \(offset)")
                position = bytes.count
                return .notHTTP2(violation)
            }
            prefaceRest.removeFirst()
            position += 1
            offset += 1
        }
        return prefaceRest.isEmpty ? .preface : nil
    }

    /// The next frame where it stands whole in the bytes, as most do; nil otherwise, and where its payload is too long.
    private mutating func readWhole(_ bytes: borrowing Span<UInt8>, at position: inout Int) -> ReadFrame? {
        let start = position + Frame.headByteCount
        guard frame == nil, head.isEmpty, skippedByteCount == 0, start <= bytes.count else { return nil }
        let count = Int(bytes[position]) << 16 | Int(bytes[position + 1]) << 8 | Int(bytes[position + 2])
        guard count <= maximumPayloadByteCount, count <= bytes.count - start else { return nil }
        var word: UInt32 = 0
        for place in position + 5..<start { word = word << 8 | UInt32(bytes[place]) }
        let whole = Frame(
            FrameType(rawValue: bytes[position + 3]), flags: FrameFlags(rawValue: bytes[position + 4]),
            stream: word, hasReservedBit: word & ~Frame.streamMask != 0,
            payload: bytes.extracting(start..<start + count).array)
        defer { offset += Frame.headByteCount + count }
        position = start + count
        return ReadFrame(whole, at: offset, payloadByteCount: count, maximum: maximumPayloadByteCount)
    }

    private mutating func readHead(_ bytes: borrowing Span<UInt8>, at position: inout Int) {
        if head.isEmpty { frameOffset = offset }
        let count = min(Frame.headByteCount - head.count, bytes.count - position)
        head.append(bytes.extracting(position..<position + count))
        position += count
        offset += count
        guard head.count == Frame.headByteCount else { return }
        payloadByteCount = Int(head[0]) << 16 | Int(head[1]) << 8 | Int(head[2])
        let word = BigEndian.word(head, at: 5)
        var begun = Frame(
            FrameType(rawValue: head[3]), flags: FrameFlags(rawValue: head[4]), stream: word & Frame.streamMask,
            hasReservedBit: word & ~Frame.streamMask != 0)
        head.removeAll(keepingCapacity: true)
        if payloadByteCount <= maximumPayloadByteCount { begun.payload.reserveCapacity(payloadByteCount) }
        frame = begun
    }

    private mutating func readPayload(_ bytes: borrowing Span<UInt8>, at position: inout Int) {
        let count = min(payloadByteCount - (frame?.payload.count ?? 0), bytes.count - position)
        frame?.payload.append(bytes.extracting(position..<position + count))
        position += count
        offset += count
    }

    private mutating func completeFrame() -> ReadFrame? {
        guard let done = frame else { return nil }
        if payloadByteCount > maximumPayloadByteCount {
            // The header is enough to refuse the frame, and its payload may never come.
            skippedByteCount = payloadByteCount
        } else if done.payload.count != payloadByteCount {
            return nil
        }
        frame = nil
        return ReadFrame(
            done, at: frameOffset, payloadByteCount: payloadByteCount, maximum: maximumPayloadByteCount)
    }
}

/// Numbers of several bytes, the most significant one first.
enum BigEndian {
    /// The caller has checked that there are four bytes.
    static func word(_ bytes: some RandomAccessCollection<UInt8>, at distance: Int) -> UInt32 {
        var word: UInt32 = 0
        let start = bytes.index(bytes.startIndex, offsetBy: distance)
        for byte in bytes[start...].prefix(4) { word = word << 8 | UInt32(byte) }
        return word
    }

    static func append(_ word: UInt32, to bytes: inout [UInt8]) {
        bytes.append(UInt8(truncatingIfNeeded: word >> 24))
        bytes.append(UInt8(truncatingIfNeeded: word >> 16))
        bytes.append(UInt8(truncatingIfNeeded: word >> 8))
        bytes.append(UInt8(truncatingIfNeeded: word))
    }
}
