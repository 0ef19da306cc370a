import ProctorBase

/// Reads the parts of `multipart/x-mixed-replace`, `multipart/mixed` and similar types (RFC 2046 §5.1.1).
///
/// A value without I/O: the same bytes give the same events however they are split, except that content ends where the
/// input ends. Stores at most one boundary or one part's head. Preamble and epilogue are skipped.
package struct MultipartReader: Sendable {
    let dashBoundary: [UInt8]
    let headByteLimit: Int
    var state = State.content
    var match = Match.line(.none, 0)
    /// False before the first boundary.
    var isInPart = false
    var position = 0
    var head: [UInt8] = []
    var scanner = LineScanner()
    var pending: [MultipartEvent] = []

    enum State: Sendable, Equatable {
        /// Content of a part, or the preamble.
        ///
        /// Next: delimiter, over.
        case content
        /// After a boundary: the number of dashes, and whether two dashes can still close the body.
        ///
        /// Next: head, over.
        case delimiter(dashes: Int, canClose: Bool)
        case head
        /// After the closing boundary, the end or a refusal.
        case over
    }

    /// How many bytes of a possible boundary are at the end of the input.
    enum Match: Sendable, Equatable {
        case none
        /// A CR that may begin a boundary.
        case carriageReturn
        /// A line end, then this many bytes of `dashBoundary`.
        case line(LineEnd, Int)
    }

    enum LineEnd: Sendable, Equatable {
        /// The start of the body or of a part's content, where no line end is needed before a boundary.
        case none
        case lineFeed
        case both

        var bytes: [UInt8] {
            switch self {
            case .none: []
            case .lineFeed: [.lineFeed]
            case .both: [.carriageReturn, .lineFeed]
            }
        }
    }

    /// nil for an illegal boundary: empty, over 70 bytes, or with controls or bytes beyond ASCII.
    ///
    /// `headByteLimit` bounds a part's head.
    package init?(boundary: [UInt8], headByteLimit: Int = 16_384) {
        guard (1...70).contains(boundary.count), boundary.allSatisfy({ !$0.isControl && $0 < 0x80 }) else { return nil }
        dashBoundary = Array("--".utf8) + boundary
        self.headByteLimit = max(headByteLimit, 2)
    }

    /// nil if the type is not multipart or has no legal boundary.
    package init?(_ mediaType: MediaType, headByteLimit: Int = 16_384) {
        guard mediaType.type == "multipart", let boundary = mediaType.boundary else { return nil }
        self.init(boundary: boundary, headByteLimit: headByteLimit)
    }

    /// Reads from `input[offset]` and moves `offset` after the consumed bytes; call it until it returns nil.
    ///
    /// nil means that all input was consumed. After the end the rest is consumed without events.
    package mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> MultipartEvent? {
        let start = offset
        defer { position += offset - start }
        while pending.isEmpty, offset < input.count {
            switch state {
            case .content: readContent(input, &offset)
            case .delimiter(let dashes, let canClose): readDelimiter(input, &offset, dashes: dashes, canClose: canClose)
            case .head: readHead(input, &offset, from: start)
            case .over: offset = input.count
            }
        }
        return pending.popLast()
    }

    /// Called at the end of the body; call it until it returns nil.
    package mutating func finish() -> MultipartEvent? {
        if state != .over {
            if state == .content, isInPart, !held.isEmpty { pending.append(.content(held)) }
            if isInPart { pending.append(.partEnded) }
            pending.append(.ended(isClosed: false))
            pending.reverse()
            state = .over
        }
        return pending.popLast()
    }
}

extension MultipartReader {
    /// The bytes of `match`; they are content if no boundary follows.
    var held: [UInt8] {
        switch match {
        case .none: []
        case .carriageReturn: [.carriageReturn]
        case .line(let lineEnd, let count): lineEnd.bytes + dashBoundary.prefix(count)
        }
    }

    /// Reads to the end of a boundary or of the input.
    ///
    /// A boundary begins with a line end and contains no other, so the byte that ends a match is read again, and no
    /// byte before it. LF alone also begins a boundary, since cameras send it.
    mutating func readContent(_ input: Span<UInt8>, _ offset: inout Int) {
        var content: [UInt8] = []
        while offset < input.count, state == .content {
            let byte = input[offset]
            switch match {
            case .none:
                let start = offset
                while offset < input.count, input[offset] != .lineFeed, input[offset] != .carriageReturn { offset += 1 }
                if isInPart { content.append(input.extracting(start..<offset)) }
                guard offset < input.count else { break }
                match = input[offset] == .carriageReturn ? .carriageReturn : .line(.lineFeed, 0)
                offset += 1
            case .carriageReturn where byte == .lineFeed:
                match = .line(.both, 0)
                offset += 1
            case .line(let lineEnd, let count) where byte == dashBoundary[count]:
                match = .line(lineEnd, count + 1)
                offset += 1
                if count + 1 == dashBoundary.count { state = .delimiter(dashes: 0, canClose: true) }
            case .carriageReturn, .line:
                if isInPart { content += held }
                match = .none
            }
        }
        if !content.isEmpty { pending.append(.content(content)) }
        if state != .content, isInPart {
            pending.insert(.partEnded, at: 0)
            isInPart = false
        }
    }

    /// Reads to the end of the boundary's line; two dashes close the body.
    ///
    /// Other text on the line is skipped: RFC 2046 §5.1.1 compares only the beginning of the line with the boundary.
    mutating func readDelimiter(_ input: Span<UInt8>, _ offset: inout Int, dashes: Int, canClose: Bool) {
        let byte = input[offset]
        offset += 1
        if byte == .lineFeed {
            state = .head
            head = []
            scanner = LineScanner()
        } else if canClose, byte == UInt8(ascii: "-") {
            state = .delimiter(dashes: dashes + 1, canClose: true)
            guard dashes == 1 else { return }
            state = .over
            pending = [.ended(isClosed: true)]
        } else {
            state = .delimiter(dashes: 0, canClose: false)
        }
    }

    /// `start` is the offset in `input` at which this call began, which is byte `position` of the body.
    mutating func readHead(_ input: Span<UInt8>, _ offset: inout Int, from start: Int) {
        let before = offset
        let outcome = scanner.nextLine(in: input, at: &offset, lineLimit: headByteLimit, sectionLimit: headByteLimit)
        switch outcome {
        case .needsMore, .line:
            head.append(input.extracting(before..<offset))
        case .lineTooLong(let at), .sectionTooLarge(let at):
            let headStart = position + (before - start) - head.count
            refuse(Violation(.headTooLarge, in: .reply, at: headStart + at, bound: headByteLimit))
        case .emptyLine:
            head.append(input.extracting(before..<offset))
            do throws(Violation) {
                var findings = Findings(of: .reply)
                findings.base = position + (offset - start) - head.count
                var parser = FieldParser(lineCount: scanner.lineCount)
                try parser.parse(head.span, from: 0, findings: &findings)
                pending = [
                    .partBegan(FieldSection(bytes: head, unfolded: parser.unfolded, entries: parser.entries))
                ]
                head = []
                isInPart = true
                match = .line(.none, 0)
                state = .content
            } catch {
                refuse(error)
            }
        }
    }

    private mutating func refuse(_ violation: Violation) {
        head = []
        state = .over
        pending = [.refused(violation)]
    }
}

package enum MultipartEvent: Sendable, Equatable {
    /// A part's head is complete; its section may be empty.
    case partBegan(FieldSection)
    /// Some content of the part, never empty; a copy, since bytes of a possible boundary are stored meanwhile.
    case content([UInt8])
    /// The part has ended, by a boundary or the end of the body.
    case partEnded
    /// `isClosed` is false if the body ended without the closing boundary.
    case ended(isClosed: Bool)
    /// A malformed part head; the last event.
    ///
    /// The offset counts from the body's first byte.
    case refused(Violation)
}
