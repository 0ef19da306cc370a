import ProctorBase

extension ContentReader {
    mutating func readChunkLine(_ input: Span<UInt8>, _ offset: inout Int) -> Event? {
        switch chunkLine.take(input, &offset, limit: limits.chunkLineByteCount) {
        case .needsMore: return nil
        case .refused(let kind, let at):
            return refuse(
                kind, at: at, offset < input.count ? [input[offset]] : [],
                bound: kind == .chunkLineTooLong ? limits.chunkLineByteCount : nil)
        case .complete: return completeChunkLine()
        }
    }

    private mutating func completeChunkLine() -> Event? {
        let line = chunkLine
        chunkLine = ChunkLine()
        let (sum, overflow) = byteCount.addingReportingOverflow(line.size)
        guard !overflow, sum <= limits.bodyByteCount else {
            return refuse(.contentTooLarge, at: 0, bound: limits.bodyByteCount)
        }
        byteCount = sum
        findings.base = position
        if let objection, line.size > 0 {
            findings.note(objection, at: 0)
            self.objection = nil
        }
        ChunkExtensions.check(
            line.extensions, at: line.byteCount - 2 - line.extensions.count, findings: &findings)
        position += line.byteCount
        state = line.size == 0 ? .trailers : .chunkContent(line.size)
        return give(.chunk(byteCount: line.size, extensions: line.extensions))
    }

    mutating func readTrailers(_ input: Span<UInt8>, _ offset: inout Int) -> Event? {
        let start = offset
        findings.base = position
        switch section.next(in: input, from: start, at: &offset, rules: limits.trailers) {
        case .needsMore, .startLine: return nil
        case .refused(let bound, let at): return refuse(bound.kind, at: at, bound: bound.most)
        case .complete:
            do throws(Violation) {
                return try completeTrailers(input.extracting(start..<offset))
            } catch {
                return refuse(error)
            }
        }
    }

    private mutating func completeTrailers(_ arrived: Span<UInt8>) throws(Violation) -> Event? {
        var parser = FieldParser(lineCount: section.fieldCount)
        let bytes = section.finish(arrived)
        try parser.parse(bytes.span, from: 0, findings: &findings)
        for entry in parser.entries
        where KnownField.isForbiddenTrailer(bytes.span.extracting(entry.name), of: findings.message) {
            // To be ignored or kept apart, never merged into the header section (RFC 9110 §6.5.1): kept apart.
            findings.note(.forbiddenTrailer, at: entry.raw.lowerBound, bytes.span.excerpt(entry.name))
        }
        state = .done
        guard !parser.entries.isEmpty else { return give(.end) }
        return give(.trailers(FieldSection(bytes: bytes, unfolded: parser.unfolded, entries: parser.entries)))
    }

    /// Gives out what was found on the way, then `event`.
    private mutating func give(_ event: Event) -> Event? {
        if findings.violations.isEmpty { return event }
        pending = [event] + findings.take().reversed().map { .violation($0) }
        return pending.popLast()
    }
}
