internal import ProctorHTTP

/// Field blocks (RFC 9113 §4.3).
extension ConnectionState {
    mutating func openBlock(
        _ range: Range<Int>, promised: UInt32?, _ frame: ReadFrame, _ events: inout [ConnectionEvent]
    ) {
        // A block that was left incomplete cannot be decoded, so the tables of both ends differ from now on.
        if block != nil { decoder.abandon() }
        block = OpenBlock(
            stream: frame.frame.stream, promised: promised, endsStream: frame.frame.endsStream,
            bytes: range.count == frame.frame.payload.count ? frame.frame.payload : Array(frame.frame.payload[range]))
        if range.isEmpty, !frame.frame.flags.contains(.endHeaders) {
            spend(\.emptyFrames, bounds.emptyFrames, .emptyFrameFlood, frame, &events)
        }
        boundBlock(frame, &events)
        if frame.frame.flags.contains(.endHeaders) { finishBlock(frame, &events) }
    }

    mutating func continueBlock(_ range: Range<Int>, _ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        guard block?.stream == frame.frame.stream else {
            // Within the block of another stream, the violation was reported already.
            if block == nil { report(.continuationWithoutHeaders, in: frame, &events) }
            return
        }
        if range.isEmpty, !frame.frame.flags.contains(.endHeaders) {
            spend(\.emptyFrames, bounds.emptyFrames, .emptyFrameFlood, frame, &events)
        }
        if block?.isDropped == false {
            block?.frameCount += 1
            block?.bytes += frame.frame.payload[range]
            boundBlock(frame, &events)
        }
        if frame.frame.flags.contains(.endHeaders) { finishBlock(frame, &events) }
    }

    private mutating func boundBlock(_ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        // In place: a copy of the block would copy its bytes again for each of its frames.
        let (frameCount, byteCount) = (block?.frameCount ?? 0, block?.bytes.count ?? 0)
        guard frameCount > bounds.blockFrames || byteCount > bounds.blockBytes else { return }
        let bound =
            byteCount > bounds.blockBytes ? "\(bounds.blockBytes) bytes" : "\(bounds.blockFrames) frames"
        block?.isDropped = true
        // Assigning [] here would leak the bytes: Swift 6.3 does not release what an optional chain of a noncopyable
        // value replaces.
        block?.bytes.removeAll()
        decoder.abandon()
        report(.continuationFlood, in: frame, detail: "more than \(bound)", &events)
    }

    private mutating func finishBlock(_ frame: ReadFrame, _ events: inout [ConnectionEvent]) {
        guard let open = block.take() else { return }
        guard !open.isDropped else { return }
        let limits = HeaderDecoder.Limits(
            listByteCount: ours.maxHeaderListSize.map(Int.init) ?? 64 << 10, fieldCount: fieldCount)
        let section: HeaderDecoder.Section
        do throws(BlockError) {
            section = try decoder.decode(open.bytes, limits)
        } catch {
            report(.compressionError, in: frame, on: open.stream, detail: "\(error)", &events)
            return
        }
        if let promised = open.promised {
            push(promised, open, section, frame, &events)
        } else {
            head(open, section, frame, &events)
        }
    }

    /// The section with its meaning; faults in it are faults of `stream`.
    mutating func fieldBlock(
        _ open: OpenBlock, _ section: HeaderDecoder.Section, as kind: SectionKind
    ) -> ConnectionEvent.FieldBlock {
        let allowsProtocol = ours.enableConnectProtocol
        var check: FieldSectionCheck?
        // Arrays that share one buffer compare as equal at once.
        if let judged, judged.kind == kind, judged.allowsProtocol == allowsProtocol,
            judged.block.section.fields == section.fields
        {
            let last = judged.block
            if last.endsStream == open.endsStream, last.frameCount == open.frameCount,
                last.blockByteCount == open.bytes.count, last.section == section
            {
                return last
            }
            check = last.check
        }
        let block = ConnectionEvent.FieldBlock(
            section: section,
            check: check ?? FieldSectionCheck(section.fields, as: kind, allowsProtocol: allowsProtocol),
            endsStream: open.endsStream, frameCount: open.frameCount, blockByteCount: open.bytes.count)
        judged = JudgedBlock(kind: kind, allowsProtocol: allowsProtocol, block: block)
        return block
    }

    mutating func noteFaults(
        of fields: ConnectionEvent.FieldBlock, on stream: UInt32, _ frame: ReadFrame,
        _ events: inout [ConnectionEvent]
    ) {
        if fields.section.isCut {
            let section = fields.section
            report(
                .headerListTooLong, in: frame, on: stream,
                detail: "\(section.listByteCount) bytes in \(section.fieldCount) fields", &events)
        }
        for fault in fields.check.faults {
            report(HTTP2Violation.Kind(fault.kind), in: frame, on: stream, detail: fault.detail, &events)
        }
    }
}
