internal import ProctorBase
internal import ProctorHTTP

/// A frame that was read, with its meaning and the violations in the frame itself.
///
/// Whether the frame is permitted at this point of the connection, ``ConnectionState`` decides.
package struct ReadFrame: Sendable, Equatable {
    /// Without its payload if that is longer than the receiver accepts.
    package let frame: Frame
    /// Bytes from the first byte of the connection to the frame header.
    package let offset: Int
    /// The length in the frame header.
    package let payloadByteCount: Int
    /// nil if the payload does not have the form that its type requires.
    package let content: FrameContent?
    /// In the order of their offsets.
    package let violations: [HTTP2Violation]

    init(_ frame: Frame, at offset: Int, payloadByteCount: Int, maximum: Int) {
        (self.frame, self.offset, self.payloadByteCount) = (frame, offset, payloadByteCount)
        var reading = ContentReading(frame, at: offset)
        if payloadByteCount > maximum {
            // Field blocks, SETTINGS and frames of the connection change state that all streams share (§4.2).
            let isShared = frame.hasFieldBlock || frame.type == .settings || frame.stream == 0
            reading.report(
                .frameTooLong, isShared ? .connection : .stream,
                "\(payloadByteCount) bytes, and \(maximum) are taken")
            content = nil
        } else {
            content = reading.content()
        }
        violations = reading.violations
    }

    /// Parses a frame of our own, of any length; `offset` is its position in what we send.
    package init(sent frame: Frame, at offset: Int) {
        self.init(frame, at: offset, payloadByteCount: frame.payload.count, maximum: .max)
    }
}

/// Reads the payload of one frame.
private struct ContentReading {
    let frame: Frame
    let offset: Int
    var violations: [HTTP2Violation] = []

    init(_ frame: Frame, at offset: Int) {
        (self.frame, self.offset) = (frame, offset)
        if frame.hasReservedBit { report(.reservedBit) }
        let undefined = frame.flags.subtracting(frame.type.definedFlags)
        if !undefined.isEmpty { report(.undefinedFlag, detail: "0x\(String(undefined.rawValue, radix: 16))") }
    }

    mutating func report(_ kind: HTTP2Violation.Kind, _ scope: ViolationScope? = nil, _ detail: String = "") {
        violations.append(
            HTTP2Violation(kind, scope, at: offset, frame: frame.type, stream: frame.stream, detail: detail))
    }

    private mutating func report(_ kind: HTTP2Violation.Kind, detail: String) { report(kind, nil, detail) }

    private var payload: [UInt8] { frame.payload }

    mutating func content() -> FrameContent? {
        switch frame.type {
        case .data: return isOnStream() ? data() : nil
        case .headers: return isOnStream() ? headers() : nil
        case .priority: return isOnStream() ? priority() : nil
        case .resetStream:
            guard isOnStream(), hasLength(4) else { return nil }
            return .resetStream(ErrorCode(rawValue: BigEndian.word(payload, at: 0)))
        case .settings: return isOnConnection() ? settings() : nil
        case .pushPromise: return isOnStream() ? pushPromise() : nil
        case .ping: return isOnConnection() && hasLength(8) ? .ping(payload) : nil
        case .goAway:
            guard isOnConnection(), hasLength(atLeast: 8) else { return nil }
            return .goAway(
                lastStream: BigEndian.word(payload, at: 0) & Frame.streamMask,
                ErrorCode(rawValue: BigEndian.word(payload, at: 4)), debug: 8..<payload.count)
        case .windowUpdate: return windowUpdate()
        case .continuation: return isOnStream() ? .continuation(0..<payload.count) : nil
        case .priorityUpdate: return isOnConnection() ? priorityUpdate() : nil
        default: return .unknown
        }
    }

    // MARK: Streams and lengths

    private mutating func isOnStream() -> Bool {
        if frame.stream == 0 { report(.missingStream) }
        return frame.stream != 0
    }

    private mutating func isOnConnection() -> Bool {
        if frame.stream != 0 { report(.unwantedStream, detail: "stream \(frame.stream)") }
        return frame.stream == 0
    }

    private mutating func hasLength(_ count: Int, _ scope: ViolationScope = .connection) -> Bool {
        if payload.count != count { report(.wrongLength, scope, "\(Plural.count(payload.count, "byte")) for \(count)") }
        return payload.count == count
    }

    private mutating func hasLength(atLeast count: Int, _ scope: ViolationScope = .connection) -> Bool {
        if payload.count < count {
            report(.wrongLength, scope, "\(Plural.count(payload.count, "byte")) for \(count) at least")
        }
        return payload.count >= count
    }

    /// The payload without padding, after a head of `headByteCount` bytes; nil if the padding is too long.
    private mutating func unpadded(
        behind headByteCount: Int, _ scope: ViolationScope
    ) -> (range: Range<Int>, padding: Padding?)? {
        let isPadded = frame.flags.contains(.padded)
        let start = headByteCount + (isPadded ? 1 : 0)
        guard hasLength(atLeast: start, scope) else { return nil }
        guard isPadded else { return (start..<payload.count, nil) }
        let count = Int(payload[0])
        guard count <= payload.count - start else {
            report(.paddingTooLong, detail: "\(count) bytes behind \(start) of \(payload.count)")
            return nil
        }
        let end = payload.count - count
        let isZero = payload[end...].allSatisfy { $0 == 0 }
        if !isZero { report(.paddingNotZero) }
        return (start..<end, Padding(byteCount: count, isZero: isZero))
    }

    // MARK: Types

    private mutating func data() -> FrameContent? {
        guard let (range, padding) = unpadded(behind: 0, .stream) else { return nil }
        return .data(range, padding: padding)
    }

    private mutating func headers() -> FrameContent? {
        let hasPriority = frame.flags.contains(.priority)
        guard let (range, padding) = unpadded(behind: hasPriority ? 5 : 0, .connection) else { return nil }
        let dependency = hasPriority ? dependency(at: range.lowerBound - 5) : nil
        return .headers(range, dependency: dependency, padding: padding)
    }

    private mutating func priority() -> FrameContent? {
        hasLength(5, .stream) ? .priority(dependency(at: 0)) : nil
    }

    /// The caller has checked that there are five bytes.
    private func dependency(at start: Int) -> StreamDependency {
        let word = BigEndian.word(payload, at: start)
        return StreamDependency(
            on: word, isExclusive: word & ~Frame.streamMask != 0, weight: Int(payload[start + 4]) + 1)
    }

    private mutating func settings() -> FrameContent? {
        if frame.isAck { return hasLength(0) ? .settings([]) : nil }
        guard payload.count.isMultiple(of: 6) else {
            report(.wrongLength, detail: "\(payload.count) bytes, which 6 does not divide")
            return nil
        }
        var settings: [Setting] = []
        settings.reserveCapacity(payload.count / 6)
        for start in stride(from: 0, to: payload.count, by: 6) {
            let identifier = HTTP2SettingIdentifier(rawValue: UInt16(payload[start]) << 8 | UInt16(payload[start + 1]))
            let setting = Setting(identifier, BigEndian.word(payload, at: start + 2))
            if let kind = setting.violation { report(kind, detail: setting.description) }
            settings.append(setting)
        }
        return .settings(settings)
    }

    private mutating func pushPromise() -> FrameContent? {
        guard let (range, padding) = unpadded(behind: 4, .connection) else { return nil }
        let promised = BigEndian.word(payload, at: range.lowerBound - 4) & Frame.streamMask
        if promised == 0 { report(.promisedStreamZero) }
        return .pushPromise(promised: promised, range, padding: padding)
    }

    private mutating func windowUpdate() -> FrameContent? {
        guard hasLength(4) else { return nil }
        let increment = BigEndian.word(payload, at: 0) & Frame.streamMask
        if increment == 0 { report(.windowIncrementZero, frame.stream == 0 ? .connection : .stream) }
        return .windowUpdate(increment)
    }

    private mutating func priorityUpdate() -> FrameContent? {
        guard hasLength(atLeast: 4) else { return nil }
        let stream = BigEndian.word(payload, at: 0) & Frame.streamMask
        if stream == 0 { report(.prioritizedStreamZero) }
        return .priorityUpdate(stream, 4..<payload.count)
    }
}
