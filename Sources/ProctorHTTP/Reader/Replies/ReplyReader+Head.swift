import ProctorBase

extension ReplyReader {
    mutating func readHead(_ input: Span<UInt8>, _ offset: inout Int) -> ReplyEvent? {
        do throws(Violation) {
            if section.byteCount == 0 {
                guard try findStatusLine(input, &offset) else { return nil }
            }
            if statusLine == nil { try checkOpening(input, from: offset) }
            let start = offset
            while true {
                switch section.next(in: input, from: start, at: &offset, rules: headRules) {
                case .needsMore: return nil
                case .startLine: try readStatusLine(input.extracting(start..<offset))
                case .complete: return .head(try completeHead(input.extracting(start..<offset)))
                case .refused(let bound, let at):
                    throw Violation(bound.kind, in: .reply, at: position + at, bound: bound.most)
                }
            }
        } catch {
            return refuse(error)
        }
    }

    /// Passes over empty lines, which a client may discard (RFC 9112 §9.2); true at another byte, if a reply is expected.
    ///
    /// Any other byte between replies belongs to no request of ours: it MUST NOT be taken for a reply (§9.2), since a
    /// peer or somebody between may have put it there to be taken for the next one.
    private mutating func findStatusLine(_ input: Span<UInt8>, _ offset: inout Int) throws(Violation) -> Bool {
        while offset < input.count {
            let byte = input[offset]
            let isExpected = !expected.isEmpty && !isLastReplyRead
            switch emptyLines.take(byte, at: position, limit: limits.emptyLineCount, findings: &findings) {
            case .consumed:
                offset += 1
                position += 1
            case .bareCR:
                throw Violation(
                    isExpected ? .bareCR : .bytesAfterReply, in: .reply, at: position - 1,
                    detail: [.carriageReturn, byte])
            case .tooMany:
                throw Violation(
                    .tooManyEmptyLines, in: .reply, at: emptyLines.hasCR ? position - 1 : position,
                    bound: limits.emptyLineCount)
            case .startLineBegins:
                guard isExpected else { throw Violation(.bytesAfterReply, in: .reply, at: position, detail: [byte]) }
                findings.base = position
                return true
            }
        }
        return false
    }

    /// Looks at what begins a reply, before the line is complete: a peer that speaks anything else may send no line.
    ///
    /// Bytes over a limit are left to the section, so that it makes no difference how much is already there.
    private mutating func checkOpening(_ input: Span<UInt8>, from start: Int) throws(Violation) {
        let limit = min(headRules.startLine?.most ?? 0, headRules.section.most)
        var index = start
        while index < input.count, !opening.isStatusLine, opening.byteCount < limit {
            if let kind = opening.take(input[index]) {
                throw Violation(kind, in: .reply, at: position + opening.blankCount, detail: opening.seen)
            }
            index += 1
        }
    }

    /// The line is complete, at the end of `arrived`; it is judged now, so that a client whose peer sends no more learns it.
    private mutating func readStatusLine(_ arrived: Span<UInt8>) throws(Violation) {
        let line: StatusLine
        if let joined = section.joined(arrived) {
            line = try StatusLine(joined.span, end: joined.count, findings: &findings)
        } else {
            line = try StatusLine(arrived, end: arrived.count, findings: &findings)
        }
        if ReplyHead.isInterim(line.status), interimCount >= limits.interimCount {
            throw findings.fatal(.tooManyInterimReplies, at: 0, bound: limits.interimCount)
        }
        statusLine = line
    }

    /// The head is complete, at the end of `arrived`.
    private mutating func completeHead(_ arrived: Span<UInt8>) throws(Violation) -> ReplyHead {
        guard let line = statusLine, let method = expected.first else {
            throw Violation(.missingStatusLine, in: .reply, at: position)
        }
        var parser = FieldParser(lineCount: section.fieldCount)
        let bytes = section.finish(arrived)
        try parser.parse(bytes.span, from: line.end, findings: &findings)
        let meaning = try ReplyMeaning(
            bytes.span, line: line, to: method, entries: parser.entries, unfolded: parser.unfolded.span,
            limits: limits, undoesCodings: undoesCodings, findings: &findings)
        let head = ReplyHead(
            fields: FieldSection(bytes: bytes, unfolded: parser.unfolded, entries: parser.entries),
            precedingByteCount: position, line: line, meaning: meaning, violations: findings.take())

        statusLine = nil
        opening = Opening()
        emptyLines = EmptyLines()
        if head.isInterim {
            // Its fields are its own: a close that it says is no word of the final reply's.
            interimCount += 1
            position = 0
        } else {
            interimCount = 0
            keepsConnection = meaning.keepsConnection
            content.begin(
                meaning.framing.content, at: position + bytes.count,
                objection: meaning.forbidsContent ? .contentIn205 : nil)
            state = .content
        }
        return head
    }

    mutating func endInHead() -> ReplyEvent? {
        if emptyLines.hasCR, expected.isEmpty || isLastReplyRead {
            return refuse(Violation(.bytesAfterReply, in: .reply, at: position - 1, detail: [.carriageReturn]))
        }
        if section.byteCount > 0 || emptyLines.hasCR {
            let byteCount = section.byteCount + (emptyLines.hasCR ? 1 : 0)
            return refuse(
                Violation(.incompleteHead, in: .reply, at: position + section.byteCount, bound: byteCount))
        }
        if interimCount > 0 { return refuse(Violation(.missingFinalReply, in: .reply, at: position)) }
        pending = findings.take().reversed().map { .violation($0) }
        return pending.popLast()
    }
}
