import ProctorBase

extension RequestReader {
    mutating func readHead(_ input: Span<UInt8>, _ offset: inout Int) -> RequestEvent? {
        do throws(Violation) {
            if section.byteCount == 0 {
                guard try findRequestLine(input, &offset) else { return nil }
            }
            let start = offset
            while true {
                switch section.next(in: input, from: start, at: &offset, rules: headRules) {
                case .needsMore: return nil
                case .startLine: try readRequestLine(input.extracting(start..<offset))
                case .complete: return .head(try completeHead(input.extracting(start..<offset)))
                case .refused(let bound, let at): throw Violation(bound.kind, at: position + at, bound: bound.most)
                }
            }
        } catch {
            return refuse(error)
        }
    }

    /// Passes over empty lines; true at a byte that can begin a request line.
    ///
    /// A byte that cannot is refused at once: a peer that speaks TLS, or anything else without lines, would wait for us
    /// for ever.
    private mutating func findRequestLine(_ input: Span<UInt8>, _ offset: inout Int) throws(Violation) -> Bool {
        while offset < input.count {
            let byte = input[offset]
            switch emptyLines.take(byte, at: position, limit: limits.emptyLineCount, findings: &findings) {
            case .consumed:
                offset += 1
                position += 1
            case .bareCR: throw Violation(.bareCR, at: position - 1, detail: [.carriageReturn, byte])
            case .tooMany:
                throw Violation(
                    .tooManyEmptyLines, at: emptyLines.hasCR ? position - 1 : position, bound: limits.emptyLineCount)
            case .startLineBegins:
                guard byte.isTokenByte || byte.isStartLineBlank || findings.acceptsAnything && !byte.isControl else {
                    throw Violation(byte == 0x16 ? .tlsHandshake : .badMethod, at: position, detail: [byte])
                }
                // RFC 9112 §9.6 forbids a peer that said close to go on. Whether it is heard is the server's business.
                if asksToClose { findings.note(.requestAfterClose, at: position) }
                asksToClose = false
                findings.base = position
                return true
            }
        }
        return false
    }

    /// The line is complete, at the end of `arrived`; it is judged now, so that a peer who sends no more learns it.
    private mutating func readRequestLine(_ arrived: Span<UInt8>) throws(Violation) {
        if let line = section.joined(arrived) {
            requestLine = try RequestLine(line.span, end: line.count, limits: limits, findings: &findings)
        } else {
            requestLine = try RequestLine(arrived, end: arrived.count, limits: limits, findings: &findings)
        }
    }

    /// The head is complete, at the end of `arrived`.
    private mutating func completeHead(_ arrived: Span<UInt8>) throws(Violation) -> RequestHead {
        guard let line = requestLine else { throw Violation(.missingTarget, at: position) }
        var parser = FieldParser(lineCount: section.fieldCount)
        let bytes = section.finish(arrived)
        try parser.parse(bytes.span, from: line.end, findings: &findings)
        let meaning = try RequestMeaning(
            bytes.span, line: line, entries: parser.entries, unfolded: parser.unfolded.span, limits: limits,
            findings: &findings)
        let head = RequestHead(
            fields: FieldSection(bytes: bytes, unfolded: parser.unfolded, entries: parser.entries),
            precedingByteCount: position, line: line, meaning: meaning, violations: findings.take())

        asksToClose = meaning.asksToClose
        requestLine = nil
        emptyLines = EmptyLines()
        content.begin(meaning.framing.content, at: position + bytes.count)
        state = .content
        return head
    }
}
