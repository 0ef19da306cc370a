import ProctorBase

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
    mutating func readDelimiter(_ input: Span<UInt8>, _ offset: inout Int, _ dashes: Int, _ canClose: Bool) {
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
