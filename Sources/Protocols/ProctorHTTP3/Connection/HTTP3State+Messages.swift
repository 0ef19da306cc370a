internal import ProctorBase
internal import ProctorHTTP

/// Request streams and push streams (RFC 9114 §4).
extension HTTP3State {
    mutating func readMessage(
        _ bytes: borrowing Span<UInt8>, _ position: inout Int, _ ends: Bool, _ stream: UInt64,
        _ incoming: inout IncomingStream, _ events: inout [HTTP3Event]
    ) {
        // A section that can't be decoded ends the stream for us.
        while incoming.kind != .ignored, let part = incoming.reader.next(bytes, at: &position) {
            let offset = incoming.reader.frameOffset
            switch part {
            case .data(let count): receiveData(count, stream, offset, &incoming.message, &events)
            case .content(let range):
                receiveContent(bytes.extracting(range), stream, offset, &incoming.message, &events)
            case .unknown(let type, let count): receiveUnknown(type, count, stream, offset, &events)
            case .tooLong(let type, let count):
                report(.frameTooLong, stream, offset, type, detail: "\(count) bytes", &events)
            case .frame(let frame):
                receiveFrame(frame, stream, &incoming, &events)
                if incoming.waiting != nil { return wait(bytes, from: position, ends, stream, &incoming, &events) }
            }
        }
    }

    /// Reads on where a section waited, as far as insertions permit; called after each insertion.
    private mutating func resume(_ events: inout [HTTP3Event]) {
        let inserted = decoder.insertCount
        let ready = streams.keys.filter { streams[$0]?.waiting.map { $0.insertCount <= inserted } ?? false }
        for stream in ready {
            guard var incoming = streams.remove(stream), let waiting = incoming.waiting else { continue }
            incoming.waiting = nil
            receiveFrame(waiting.frame, stream, &incoming, &events)
            // The same insertions are there, so that this section does not wait again.
            var position = 0
            readMessage(waiting.rest.span, &position, waiting.ends, stream, &incoming, &events)
            if waiting.ends, incoming.waiting == nil {
                endMessage(stream, incoming, &events)
            } else {
                streams[stream] = incoming
            }
        }
    }

    /// Reads the peer's encoder stream.
    mutating func readEncoder(
        _ bytes: borrowing Span<UInt8>, _ position: Int, _ stream: UInt64, _ incoming: inout IncomingStream,
        _ events: inout [HTTP3Event]
    ) {
        decoder.receiveInstructions(bytes.extracting(position..<bytes.count))
        do throws(QPACKError) {
            while try decoder.applyInstruction() {
                if decoder.blockedCount > 0 { resume(&events) }
            }
        } catch {
            report(.encoderStreamError, stream, incoming.reader.offset, detail: "not so: \(error)", &events)
            incoming.kind = .ignored
        }
    }

    // MARK: Frames

    private mutating func receiveData(
        _ count: UInt64, _ stream: UInt64, _ offset: Int, _ message: inout MessageState, _ events: inout [HTTP3Event]
    ) {
        switch message.phase {
        case .head: report(.dataBeforeHead, stream, offset, .data, &events)
        case .trailers: report(.frameBehindTrailers, stream, offset, .data, &events)
        case .content, .tunnel: break
        }
        if count > 0 {
            loads.earn()
        } else if loads.emptyFrames.exceeds(bounds.emptyFrames) {
            report(.emptyFrameFlood, stream, offset, .data, detail: "more than \(bounds.emptyFrames)", &events)
        }
    }

    private mutating func receiveContent(
        _ content: borrowing Span<UInt8>, _ stream: UInt64, _ offset: Int, _ message: inout MessageState,
        _ events: inout [HTTP3Event]
    ) {
        guard message.phase == .content || message.phase == .tunnel else { return }
        let before = message.contentByteCount
        message.contentByteCount += content.count
        if message.hasNoContent, before == 0 { report(.contentNotAllowed, stream, offset, .data, &events) }
        // Reported once, at the first byte too many; too few bytes are reported at the end of the stream.
        if let length = message.contentLength, before <= length, message.contentByteCount > length {
            report(.contentLengthDiffers, stream, offset, .data, detail: "more than \(length) bytes", &events)
        }
        events.append(.content(stream: stream, content.array))
    }

    private mutating func receiveFrame(
        _ frame: HTTP3Frame, _ stream: UInt64, _ incoming: inout IncomingStream, _ events: inout [HTTP3Event]
    ) {
        let offset = incoming.reader.frameOffset
        guard let content = HTTP3FrameContent(frame) else {
            return report(
                .wrongLength, stream, offset, frame.type, detail: Plural.count(frame.payload.count, "byte"), &events)
        }
        switch content {
        case .headers:
            switch incoming.message.phase {
            case .trailers: return report(.frameBehindTrailers, stream, offset, .headers, &events)
            case .tunnel: return report(.headersInTunnel, stream, offset, .headers, &events)
            case .head, .content: break
            }
            guard let section = decode(frame.payload, frame, stream, &incoming, &events) else { return }
            receiveSection(section, frame.payload.count, stream, offset, &incoming, &events)
        case .pushPromise(let id, let start):
            guard role == .client else { return report(.frameByWrongEnd, stream, offset, .pushPromise, &events) }
            guard incoming.kind == .message else {
                return report(.frameOnWrongStream, stream, offset, .pushPromise, detail: "a push stream", &events)
            }
            let bytes = Array(frame.payload[start...])
            guard let section = decode(bytes, frame, stream, &incoming, &events) else { return }
            let check = FieldSectionCheck(section.fields, as: .promise)
            let block = HTTP3Event.FieldBlock(section: section, check: check, byteCount: bytes.count)
            reportFaults(of: block, stream, offset, .pushPromise, &events)
            if let method = check.method, !RegisteredMethods.isSafe(method) || check.contentLength ?? 0 > 0 {
                report(.unsafePush, stream, offset, .pushPromise, &events)
            }
            receivePromise(id, block, stream, offset, &events)
        default:
            report(.frameOnWrongStream, stream, offset, frame.type, detail: "a request or push stream", &events)
        }
    }

    /// nil if the section waits, which the stream remembers, or is wrong.
    private mutating func decode(
        _ bytes: [UInt8], _ frame: HTTP3Frame, _ stream: UInt64, _ incoming: inout IncomingStream,
        _ events: inout [HTTP3Event]
    ) -> QPACKDecoder.Section? {
        let offset = incoming.reader.frameOffset
        let limits = FieldSectionLimits(
            listByteCount: ours.maxFieldSectionSize.map { Int(clamping: $0) } ?? 64 << 10,
            fieldCount: bounds.fieldCount)
        do throws(QPACKError) {
            switch try decoder.decode(bytes, on: stream, limits) {
            case .blocked(let insertCount):
                incoming.waiting = IncomingStream.Waiting(frame: frame, insertCount: insertCount)
                events.append(.blocked(stream: stream, insertCount: insertCount))
                return nil
            case .section(let section):
                if section.usedInsertCount < section.insertCount {
                    report(
                        .insertCountTooLarge, stream, offset, frame.type,
                        detail: "\(section.insertCount) for \(section.usedInsertCount)", &events)
                }
                return section
            }
        } catch {
            report(
                error.reason == .tooManyBlocked ? .tooManyBlockedStreams : .decompressionFailed, stream, offset,
                frame.type, detail: "not so: \(error)", &events)
            incoming.kind = .ignored
            return nil
        }
    }

    // MARK: Sections

    private mutating func receiveSection(
        _ section: QPACKDecoder.Section, _ byteCount: Int, _ stream: UInt64, _ offset: Int,
        _ incoming: inout IncomingStream, _ events: inout [HTTP3Event]
    ) {
        let isTrailers = incoming.message.phase == .content
        let kind: SectionKind = isTrailers ? .trailers : role == .server ? .request : .response
        let known = block(of: section, byteCount, as: kind)
        let (block, check) = (known.block, known.block.check)
        reportFaults(of: block, stream, offset, .headers, &events)
        loads.earn()
        if isTrailers {
            incoming.message.phase = .trailers
            events.append(.trailers(stream: stream, block))
            return
        }
        if role == .server {
            if !known.hasAuthority {
                report(.authorityMissing, stream, offset, .headers, &events)
            }
            incoming.message.phase = .content
            incoming.message.method = check.method
            incoming.message.contentLength = check.method == Self.connect ? nil : check.contentLength
        } else if check.kind != .interim {
            let (method, status) = (incoming.message.method, check.status ?? 0)
            let isTunnel = method == Self.connect && 200..<300 ~= status
            incoming.message.phase = isTunnel ? .tunnel : .content
            incoming.message.hasNoContent = method == Self.headMethod || status == 204 || status == 304
            incoming.message.contentLength =
                isTunnel || incoming.message.hasNoContent ? nil : check.contentLength
        }
        events.append(.head(stream: stream, block))
    }

    private mutating func block(
        of section: QPACKDecoder.Section, _ byteCount: Int, as kind: SectionKind
    ) -> KnownBlock {
        // Arrays of one buffer are equal at once.
        if let lastBlock, lastBlock.asked == kind, lastBlock.block.byteCount == byteCount,
            lastBlock.block.section == section
        {
            return lastBlock
        }
        let check = FieldSectionCheck(section.fields, as: kind, allowsProtocol: ours.enableConnectProtocol)
        let made = KnownBlock(
            block: HTTP3Event.FieldBlock(section: section, check: check, byteCount: byteCount), asked: kind,
            hasAuthority: Self.hasAuthority(section.fields, check))
        lastBlock = made
        return made
    }

    /// A section that came as this kind.
    struct KnownBlock: Sendable {
        let block: HTTP3Event.FieldBlock
        let asked: SectionKind
        /// Whether a request names its authority where it has to.
        let hasAuthority: Bool
    }

    private static let connect = Array("CONNECT".utf8)
    private static let headMethod = Array("HEAD".utf8)

    /// Whether a request of http or https names its authority (RFC 9114 §4.3.1); others need not.
    private static func hasAuthority(_ fields: [HeaderField], _ check: FieldSectionCheck) -> Bool {
        guard check.scheme == Array("http".utf8) || check.scheme == Array("https".utf8) else { return true }
        if let authority = check.authority { return !authority.isEmpty }
        return fields.contains { $0.name == Array("host".utf8) && !$0.value.isEmpty }
    }

    private func reportFaults(
        of block: HTTP3Event.FieldBlock, _ stream: UInt64, _ offset: Int, _ type: HTTP3FrameType,
        _ events: inout [HTTP3Event]
    ) {
        if block.section.isCut {
            report(
                .fieldSectionTooLong, stream, offset, type,
                detail: "\(block.section.listByteCount) bytes in \(block.section.fieldCount) fields", &events)
        }
        for fault in block.check.faults {
            report(HTTP3Violation.Kind(fault.kind), stream, offset, type, detail: fault.detail, &events)
        }
    }

    /// FIN has come.
    mutating func endMessage(_ stream: UInt64, _ incoming: IncomingStream, _ events: inout [HTTP3Event]) {
        guard incoming.kind != .ignored else { return }
        let message = incoming.message
        if !incoming.reader.isBetweenFrames {
            report(.frameCut, stream, incoming.reader.frameOffset, nil, &events)
        } else if message.phase == .head {
            report(role == .server ? .requestIncomplete : .endWithoutHead, stream, incoming.reader.offset, nil, &events)
        } else if let length = message.contentLength, message.contentByteCount < length {
            report(
                .contentLengthDiffers, stream, incoming.reader.offset,
                detail: "\(Plural.count(message.contentByteCount, "byte")) for \(length)", &events)
        }
        loads.resets.earn()
        events.append(.end(stream: stream))
    }
}
