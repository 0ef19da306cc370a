import ProctorBase

extension RequestReader {
    mutating func readHead(_ input: Span<UInt8>, _ offset: inout Int) -> RequestEvent? {
        if scanner.byteCount == 0 {
            do throws(Violation) {
                guard try findRequestLine(input, &offset) else { return nil }
            } catch {
                return refuse(error)
            }
        }
        let start = offset
        while true {
            let isRequestLine = requestLine == nil
            let outcome = scanner.nextLine(
                in: input, at: &offset,
                lineLimit: isRequestLine ? limits.requestLineByteCount : limits.fieldLineByteCount,
                sectionLimit: limits.boundedHeadByteCount)
            switch outcome {
            case .needsMore:
                held.append(input.extracting(start..<offset))
                return nil
            case .line where isRequestLine:
                do throws(Violation) {
                    try readRequestLine(input.extracting(start..<offset))
                } catch {
                    return refuse(error)
                }
            case .line(let from):
                guard scanner.lineCount - 1 <= limits.fieldCount else {
                    return refuse(.tooManyFields, at: from, bound: limits.fieldCount)
                }
            case .emptyLine:
                do throws(Violation) {
                    return .head(try completeHead(input.extracting(start..<offset)))
                } catch {
                    return refuse(error)
                }
            case .lineTooLong(let at):
                let kind = isRequestLine ? Violation.Kind.requestLineTooLong : .fieldLineTooLong
                return refuse(
                    kind, at: at, bound: isRequestLine ? limits.requestLineByteCount : limits.fieldLineByteCount)
            case .sectionTooLarge(let at):
                return refuse(.headTooLarge, at: at, bound: limits.boundedHeadByteCount)
            }
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
            case .requestLineBegins:
                guard byte.isTokenByte || byte.isRequestLineBlank else {
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
        if held.isEmpty {
            requestLine = try RequestLine(arrived, end: scanner.byteCount, limits: limits, findings: &findings)
        } else {
            var line = held
            line.append(arrived)
            requestLine = try RequestLine(line.span, end: line.count, limits: limits, findings: &findings)
        }
    }

    /// The head is complete, at the end of `arrived`; where nothing was held back it is copied once.
    private mutating func completeHead(_ arrived: Span<UInt8>) throws(Violation) -> RequestHead {
        guard let line = requestLine else { throw Violation(.missingTarget, at: position) }
        var bytes: [UInt8]
        if held.isEmpty {
            bytes = arrived.array
        } else {
            bytes = held
            held = []
            bytes.append(arrived)
        }
        var parser = FieldParser(lineCount: scanner.lineCount - 1)
        try parser.parse(bytes.span, from: line.end, findings: &findings)
        let meaning = try HeadMeaning(
            bytes.span, line: line, entries: parser.entries, unfolded: parser.unfolded.span, limits: limits,
            findings: &findings)
        findings.sort()
        let head = RequestHead(
            fields: FieldSection(bytes: bytes, unfolded: parser.unfolded, entries: parser.entries),
            precedingByteCount: position, line: line, meaning: meaning, violations: findings.violations)

        position += bytes.count
        asksToClose = meaning.asksToClose
        forgetSection()
        switch meaning.framing {
        case .none, .length(0): state = .end
        case .length(let byteCount): state = .length(byteCount)
        case .chunked: state = .chunkLine
        }
        return head
    }

    /// Makes ready for another section: nothing held, nothing found.
    mutating func forgetSection() {
        scanner = LineScanner()
        requestLine = nil
        emptyLines = EmptyLines()
        findings = Findings(base: 0)
    }

    mutating func refuse(_ kind: Violation.Kind, at offset: Int, bound: Int) -> RequestEvent? {
        refuse(Violation(kind, at: position + offset, bound: bound))
    }
}
