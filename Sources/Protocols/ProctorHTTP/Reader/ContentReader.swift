import ProctorBase

/// The state of reading content.
enum ContentState: Sendable, Equatable {
    /// Everything was read.
    ///
    /// Next: the state of the next content.
    case done
    /// The number of bytes still to come, never 0.
    ///
    /// Next: done.
    case length(Int)
    /// Next: chunkContent, trailers.
    case chunkLine
    /// The number of bytes still to come.
    ///
    /// Next: chunkEnd.
    case chunkContent(Int)
    /// The CRLF after a chunk.
    ///
    /// Next: chunkLine.
    case chunkEnd(hasCR: Bool)
    /// Next: done.
    case trailers
    /// All bytes until the peer closes; HTTP content has a limit, a tunnel has none.
    ///
    /// Next: done.
    case untilClose(isTunnel: Bool)
}

/// Reads the content of requests and replies: by length, by chunks with trailers, or to the end.
struct ContentReader<Head: Equatable & Sendable>: Sendable {
    typealias Event = MessageEvent<Head>

    private let rules: MessageRules
    var state = ContentState.done
    var position = 0
    var section = SectionReader()
    var chunkLine = ChunkLine()
    var findings: Findings
    var byteCount = 0
    /// The violation to report at the first byte of content, if there must be none.
    var objection: Violation.Kind?
    var pending: [Event] = []

    init(_ rules: MessageRules, of message: MessageKind, acceptsAnything: Bool = false) {
        self.rules = rules
        findings = Findings(of: message, acceptsAnything: acceptsAnything)
    }

    private var limits: ContentLimits { rules.content }

    /// Prepares for the content after a head of `position` bytes.
    mutating func prepare(_ state: ContentState, at position: Int, objection: Violation.Kind? = nil) {
        self.state = state == .length(0) ? .done : state
        self.position = position
        self.objection = objection
        byteCount = 0
    }

    mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> Event? {
        if let event = pending.popLast() { return event }
        while true {
            switch state {
            case .done: return .end
            case .length(let missing):
                guard let range = consume(missing, input, at: &offset) else { return nil }
                state = range.count == missing ? .done : .length(missing - range.count)
                return .content(range)
            case .chunkLine: return readChunkLine(input, &offset)
            case .chunkContent(let missing):
                guard let range = consume(missing, input, at: &offset) else { return nil }
                state = range.count == missing ? .chunkEnd(hasCR: false) : .chunkContent(missing - range.count)
                return .content(range)
            case .chunkEnd(let hasCR):
                guard offset < input.count else { return nil }
                guard input[offset] == (hasCR ? .lineFeed : .carriageReturn) else {
                    return refuse(.missingCRLFAfterChunk, at: 0, [input[offset]])
                }
                offset += 1
                position += 1
                state = hasCR ? .chunkLine : .chunkEnd(hasCR: true)
            case .trailers: return readTrailers(input, &offset)
            case .untilClose(let isTunnel):
                return readToEnd(input, &offset, limit: isTunnel ? nil : limits.bodyByteCount)
            }
        }
    }

    mutating func finish() -> Event? {
        if let event = pending.popLast() { return event }
        switch state {
        case .done: return .end
        case .untilClose:
            state = .done
            return .end
        case .length(let missing): return refuse(.incompleteContent, at: 0, bound: missing)
        case .chunkLine, .chunkContent, .chunkEnd, .trailers:
            return refuse(.incompleteChunkedContent, at: section.byteCount + chunkLine.byteCount)
        }
    }

    private mutating func consume(_ missing: Int, _ input: Span<UInt8>, at offset: inout Int) -> Range<Int>? {
        guard offset < input.count else { return nil }
        let range = offset..<offset + min(missing, input.count - offset)
        offset = range.upperBound
        position += range.count
        return range
    }

    private mutating func readToEnd(_ input: Span<UInt8>, _ offset: inout Int, limit: Int?) -> Event? {
        guard offset < input.count else { return nil }
        if let objection {
            self.objection = nil
            return .violation(Violation(objection, in: findings.message, at: position, detail: [input[offset]]))
        }
        let room = limit.map { $0 - byteCount } ?? .max
        guard room > 0, let range = consume(room, input, at: &offset) else {
            return refuse(.contentTooLarge, at: 0, bound: limit)
        }
        // A tunnel may transfer more bytes than an Int can count.
        byteCount &+= range.count
        return .content(range)
    }

    /// Returns earlier findings first, then the refusal; `offset` is relative to `position`.
    mutating func refuse(_ kind: Violation.Kind, at offset: Int, _ detail: [UInt8] = [], bound: Int? = nil) -> Event? {
        refuse(Violation(kind, in: findings.message, at: position + offset, detail: detail, bound: bound))
    }

    mutating func refuse(_ violation: Violation) -> Event? {
        section = SectionReader()
        pending = [.refused(violation)] + findings.removeAll().reversed().map { .violation($0) }
        return pending.popLast()
    }
}

extension ContentReader {
    mutating func readChunkLine(_ input: Span<UInt8>, _ offset: inout Int) -> Event? {
        switch chunkLine.read(input, &offset, limit: limits.chunkLineByteCount) {
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
            findings.report(objection, at: 0)
            self.objection = nil
        }
        ChunkExtensions.check(line.extensions, at: line.byteCount - 2 - line.extensions.count, findings: &findings)
        position += line.byteCount
        state = line.size == 0 ? .trailers : .chunkContent(line.size)
        return deliver(.chunk(byteCount: line.size, extensions: line.extensions))
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
            // Forbidden trailers are ignored or kept apart, never merged into the header section (RFC 9110 §6.5.1).
            // This reader keeps them apart.
            findings.report(.forbiddenTrailer, at: entry.raw.lowerBound, bytes.span.excerpt(entry.name))
        }
        state = .done
        guard !parser.entries.isEmpty else { return deliver(.end) }
        return deliver(.trailers(FieldSection(bytes: bytes, unfolded: parser.unfolded, entries: parser.entries)))
    }

    private mutating func deliver(_ event: Event) -> Event? {
        if findings.violations.isEmpty { return event }
        pending = [event] + findings.removeAll().reversed().map { .violation($0) }
        return pending.popLast()
    }
}
