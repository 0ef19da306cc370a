internal import ProctorBase

extension RequestReader {
    mutating func readChunkLine(_ input: Span<UInt8>, _ offset: inout Int) -> RequestEvent? {
        switch chunkLine.take(input, &offset, limit: limits.chunkLineByteCount) {
        case .needsMore: return nil
        case .refused(let kind, let at):
            let detail = offset < input.count ? [input[offset]] : []
            return refuse(
                Violation(
                    kind, at: position + at, detail: detail,
                    bound: kind == .chunkLineTooLong ? limits.chunkLineByteCount : nil))
        case .complete: return completeChunkLine()
        }
    }

    private mutating func completeChunkLine() -> RequestEvent? {
        let line = chunkLine
        chunkLine = ChunkLine()
        let (sum, overflow) = contentByteCount.addingReportingOverflow(line.size)
        guard !overflow, sum <= limits.bodyByteCount else {
            return refuse(.contentTooLarge, at: 0, bound: limits.bodyByteCount)
        }
        contentByteCount = sum
        findings.base = position
        ChunkExtensions.check(
            line.extensions, at: line.byteCount - 2 - line.extensions.count, findings: &findings)
        position += line.byteCount
        state = line.size == 0 ? .trailers : .chunkContent(line.size)
        return give(.chunk(byteCount: line.size, extensions: line.extensions))
    }

    mutating func readTrailers(_ input: Span<UInt8>, _ offset: inout Int) -> RequestEvent? {
        let start = offset
        findings.base = position
        while true {
            switch scanner.nextLine(
                in: input, at: &offset, lineLimit: limits.fieldLineByteCount,
                sectionLimit: limits.boundedTrailerByteCount)
            {
            case .needsMore:
                held.append(input.extracting(start..<max(start, offset)))
                return nil
            case .line(let from):
                guard scanner.lineCount <= limits.fieldCount else {
                    return refuse(.tooManyFields, at: from, bound: limits.fieldCount)
                }
            case .emptyLine:
                do throws(Violation) {
                    return try completeTrailers(input.extracting(start..<offset))
                } catch {
                    return refuse(error)
                }
            case .lineTooLong(let at): return refuse(.fieldLineTooLong, at: at, bound: limits.fieldLineByteCount)
            case .sectionTooLarge(let at):
                return refuse(.trailersTooLarge, at: at, bound: limits.boundedTrailerByteCount)
            }
        }
    }

    private mutating func completeTrailers(_ arrived: Span<UInt8>) throws(Violation) -> RequestEvent? {
        var bytes = held
        held = []
        bytes.append(arrived)
        var parser = FieldParser(lineCount: scanner.lineCount)
        try parser.parse(bytes.span, from: 0, findings: &findings)
        for entry in parser.entries where KnownField.isForbiddenTrailer(bytes.span.extracting(entry.name)) {
            // Trailers are kept apart from the head and never merged into it, so that reading one does no harm.
            findings.note(.forbiddenTrailer, at: entry.raw.lowerBound, bytes.span.excerpt(entry.name))
        }
        position += bytes.count
        scanner = LineScanner()
        state = .end
        guard !parser.entries.isEmpty else { return give(nil) }
        return give(.trailers(FieldSection(bytes: bytes, unfolded: parser.unfolded, entries: parser.entries)))
    }

    /// Gives out what was found on the way, then `event`, or without one the end that the state holds.
    private mutating func give(_ event: RequestEvent?) -> RequestEvent? {
        if findings.violations.isEmpty, let event { return event }
        findings.sort()
        pending = [event].compactMap(\.self) + findings.violations.reversed().map { .violation($0) }
        findings = Findings(base: 0)
        if let event = pending.popLast() { return event }
        beginNextRequest()
        return .end
    }
}
