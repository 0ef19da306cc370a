import ProctorBase

/// Reads the parts of `multipart/x-mixed-replace`, `multipart/mixed` and their like (RFC 2046 §5.1.1).
///
/// Pure: bytes in, events out, and the same bytes give the same events at any split, except that content ends where the
/// input ends. Holds no more than one boundary or one part's head. What stands before the first boundary and behind the
/// last one is passed over.
public struct MultipartReader: Sendable {
    /// `--` and the boundary.
    let dashBoundary: [UInt8]
    let headByteLimit: Int
    var state = State.content
    var match = Match.line(.none, 0)
    /// A part has begun and not ended; false before the first boundary.
    var isInPart = false
    /// Bytes of the body that were consumed.
    var position = 0
    /// The part's head, as far as it has come.
    var head: [UInt8] = []
    var scanner = LineScanner()
    /// Events that were found together, last first.
    var pending: [MultipartEvent] = []

    enum State: Sendable, Equatable {
        /// Between boundaries, and before the first one. Next: delimiter, over.
        case content
        /// Behind a boundary: how many dashes, and whether they can still close the body. Next: head, over.
        case delimiter(dashes: Int, canClose: Bool)
        /// Next: content, over.
        case head
        /// The closing boundary, the end or a refusal was seen.
        case over
    }

    /// How much of a boundary the last bytes are.
    enum Match: Sendable, Equatable {
        /// None of it.
        case none
        /// A CR that may begin it.
        case carriageReturn
        /// A line end, and so many bytes of `dashBoundary`.
        case line(LineEnd, Int)
    }

    enum LineEnd: Sendable, Equatable {
        /// The body or a part's content begins here; what would stand before it belongs to what came before.
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

    /// Nil for a boundary that no body can have: empty, over 70 bytes, or with controls or bytes beyond ASCII.
    ///
    /// A part's head may have up to `headByteLimit` bytes.
    public init?(boundary: [UInt8], headByteLimit: Int = 16_384) {
        guard (1...70).contains(boundary.count), boundary.allSatisfy({ !$0.isControl && $0 < 0x80 }) else { return nil }
        dashBoundary = Array("--".utf8) + boundary
        self.headByteLimit = max(headByteLimit, 2)
    }

    /// Nil where the type is not multipart or has no boundary that can be used.
    public init?(_ mediaType: MediaType, headByteLimit: Int = 16_384) {
        guard mediaType.type == "multipart", let boundary = mediaType.boundary else { return nil }
        self.init(boundary: boundary, headByteLimit: headByteLimit)
    }

    /// Reads on from `input[offset]` and moves `offset` past what was consumed.
    ///
    /// Nil: all input was consumed and more is needed. To be called until nil; behind the end it swallows the rest.
    public mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> MultipartEvent? {
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

    /// The body is complete; to be called until nil.
    public mutating func end() -> MultipartEvent? {
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
    /// The bytes that `match` stands for: content, if no boundary comes of them.
    var held: [UInt8] {
        switch match {
        case .none: []
        case .carriageReturn: [.carriageReturn]
        case .line(let lineEnd, let count): lineEnd.bytes + dashBoundary.prefix(count)
        }
    }

    /// Reads to behind a boundary, or to the end of the input.
    ///
    /// A boundary begins with a line end and has none within, so when it breaks off nothing of it can begin another,
    /// and the byte that broke it is looked at anew. LF alone begins one too: cameras write it, and a line ends there
    /// as well.
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

    /// Reads on to the end of the boundary's line.
    ///
    /// Two dashes close the body. What else stands on the line is passed over: RFC 2046 §5.1.1 wants the boundary
    /// looked for at the beginning of a line, and not the whole line compared.
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

    /// `start` is where the input of this call began, whose first byte is at `position` of the body.
    mutating func readHead(_ input: Span<UInt8>, _ offset: inout Int, from start: Int) {
        let before = offset
        let outcome = scanner.nextLine(
            in: input, at: &offset, lineLimit: headByteLimit, sectionLimit: headByteLimit)
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

/// What a multipart body consists of, in order (RFC 2046 §5.1.1).
public enum MultipartEvent: Sendable, Equatable {
    /// A part's head is complete; a part without fields has none.
    case partBegan(FieldSection)
    /// Some of the part's content, never empty.
    ///
    /// A copy, since bytes that might have been a boundary are held until it is known that they are not.
    case content([UInt8])
    /// The boundary behind the part was read, or the body is over.
    case partEnded
    /// The closing boundary was read, or the body ended without it.
    case ended(isClosed: Bool)
    /// A part's head can't be read; nothing comes after it, and the offset counts from the body's first byte.
    case refused(Violation)
}
