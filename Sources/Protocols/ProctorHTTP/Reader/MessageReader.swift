import ProctorBase

/// What a reader found next: a message is `head`, any number of the others, and `end`, or it is `refused`.
package enum MessageEvent<Head: Equatable & Sendable>: Sendable, Equatable {
    /// A complete head; `end` follows, even without content.
    ///
    /// After an interim reply another head follows.
    case head(Head)
    /// Content as a range of the input, not copied.
    ///
    /// After a `tunnel` head the bytes are no longer HTTP.
    case content(Range<Int>)
    /// A chunk-size line, also the last one (0); `extensions` are the raw bytes after the size.
    case chunk(byteCount: Int, extensions: [UInt8])
    /// The trailer fields, only when there are any.
    case trailers(FieldSection)
    /// A violation after which reading continues, found after the head or before the fatal one of a refused head.
    case violation(Violation)
    /// The message is complete; the next byte belongs to another one.
    case end
    /// The message cannot be read; the reader consumes everything after it.
    case refused(Violation)
}

struct MessageReader<Head: Equatable & Sendable>: Sendable {
    typealias Event = MessageEvent<Head>

    let rules: MessageRules
    var state = State.head
    /// The number of bytes of this message before its head.
    var position = 0
    var section = SectionReader()
    var findings: Findings
    var emptyLines = EmptyLines()
    var content: ContentReader<Head>
    var pending: [Event] = []

    enum State: Sendable, Equatable {
        /// Next: head (behind an interim reply), content, refused.
        case head
        /// Also for a message without content, until its `end` was returned.
        ///
        /// Next: head, refused.
        case content
        case refused
    }

    init(_ rules: MessageRules, of message: MessageKind, acceptsAnything: Bool = false) {
        self.rules = rules
        findings = Findings(of: message, acceptsAnything: acceptsAnything)
        self.content = ContentReader(rules, of: message, acceptsAnything: acceptsAnything)
    }

    /// Handles an event of the content reader; the end of the content prepares for the next head.
    @inline(__always)
    mutating func advance(by event: Event?) -> Event? {
        switch event {
        case .end:
            state = .head
            position = 0
        case .refused: state = .refused
        case .head, .content, .chunk, .trailers, .violation, nil: break
        }
        return event
    }

    /// Returns earlier findings first, then the refusal; nothing is read after it.
    mutating func refuse(_ violation: Violation) -> Event? {
        state = .refused
        section = SectionReader()
        pending = [.refused(violation)] + findings.removeAll().reversed().map { .violation($0) }
        return pending.popLast()
    }

    /// Skips empty lines; returns the byte that begins a start line and does not consume it.
    ///
    /// `bareCR` is the violation of a CR without LF.
    @inline(__always)
    mutating func skipEmptyLines(
        _ input: Span<UInt8>, _ offset: inout Int, bareCR: Violation.Kind = .bareCR
    ) throws(Violation) -> UInt8? {
        while offset < input.count {
            let byte = input[offset]
            switch emptyLines.read(byte, at: position, limit: rules.emptyLineCount, findings: &findings) {
            case .consumed:
                offset += 1
                position += 1
            case .bareCR:
                throw Violation(bareCR, in: findings.message, at: position - 1, detail: [.carriageReturn, byte])
            case .tooMany:
                throw Violation(
                    .tooManyEmptyLines, in: findings.message, at: emptyLines.hasCR ? position - 1 : position,
                    bound: rules.emptyLineCount)
            case .startLineBegins: return byte
            }
        }
        return nil
    }

    @inline(__always)
    mutating func completeFields(_ arrived: Span<UInt8>, from lineEnd: Int) throws(Violation) -> FieldSection {
        var parser = FieldParser(lineCount: section.fieldCount)
        let bytes = section.finish(arrived)
        try parser.parse(bytes.span, from: lineEnd, findings: &findings)
        return FieldSection(bytes: bytes, unfolded: parser.unfolded, entries: parser.entries)
    }

    /// The peer closed inside a head; nil when none has begun.
    mutating func refuseIncompleteHead() -> Event? {
        guard section.byteCount > 0 || emptyLines.hasCR else { return nil }
        let byteCount = section.byteCount + (emptyLines.hasCR ? 1 : 0)
        return refuse(
            Violation(.incompleteHead, in: findings.message, at: position + section.byteCount, bound: byteCount))
    }

    /// Returns the findings for empty lines that no message followed.
    mutating func giveFindings() -> Event? {
        pending = findings.removeAll().reversed().map { .violation($0) }
        return pending.popLast()
    }
}
