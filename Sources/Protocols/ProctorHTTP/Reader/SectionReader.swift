import ProctorBase

/// Collects a head or a trailer section up to its empty line, however the input is split.
///
/// Bytes of earlier input are stored; a section in one piece is copied once, by `finish`.
struct SectionReader: Sendable {
    private var scanner = LineScanner()
    private var held: [UInt8] = []
    private var hasReadStartLine = false

    struct Rules: Sendable {
        var startLine: Bound?
        var fieldLine: Bound
        var fieldCount: Bound
        var section: Bound
    }

    struct Bound: Sendable {
        let most: Int
        let kind: Violation.Kind
    }

    enum Outcome {
        case needsMore
        case startLine
        case complete
        /// `at` counts from the section's first byte.
        case refused(Bound, at: Int)
    }

    var heldBytes: [UInt8] { held }

    var byteCount: Int { scanner.byteCount }

    /// Field lines so far; a folded one counts once.
    var fieldCount: Int { scanner.lineCount - (hasReadStartLine ? 1 : 0) }

    /// Continues at `input[offset]`; `start` is where the section begins or continues in this input.
    mutating func next(in input: Span<UInt8>, from start: Int, at offset: inout Int, rules: Rules) -> Outcome {
        while true {
            guard offset < input.count else {
                if start < input.count { held.append(input.extracting(start..<input.count)) }
                return .needsMore
            }
            let startLine = hasReadStartLine ? nil : rules.startLine
            let line = startLine ?? rules.fieldLine
            switch scanner.nextLine(in: input, at: &offset, lineLimit: line.most, sectionLimit: rules.section.most) {
            case .needsMore: continue
            case .line where startLine != nil:
                hasReadStartLine = true
                return .startLine
            case .line(let from):
                guard fieldCount <= rules.fieldCount.most else { return .refused(rules.fieldCount, at: from) }
            case .emptyLine: return .complete
            case .lineTooLong(let at): return .refused(line, at: at)
            case .sectionTooLarge(let at): return .refused(rules.section, at: at)
            }
        }
    }

    /// The stored bytes followed by `arrived`; nil if none are stored, so that `arrived` is the whole section.
    func joined(_ arrived: Span<UInt8>) -> [UInt8]? {
        guard !held.isEmpty else { return nil }
        var bytes = held
        bytes.append(arrived)
        return bytes
    }

    /// The section's bytes, which end with `arrived`; prepares for the next section.
    mutating func finish(_ arrived: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8]
        if held.isEmpty {
            bytes = arrived.array
        } else {
            // Emptied first, so that the array is uniquely referenced and grows in place.
            bytes = held
            held = []
            bytes.append(arrived)
        }
        self = SectionReader()
        return bytes
    }
}

/// Finds the line ends of a section in one pass over the bytes, however the input is split.
struct LineScanner: Sendable {
    private(set) var byteCount = 0
    private var lineStart = 0
    /// The number of lines with the start line, without continuation lines.
    private(set) var lineCount = 0
    private var firstByteOfLine: UInt8 = 0

    enum Outcome {
        case needsMore
        case line(from: Int)
        case emptyLine
        /// A limit was exceeded; `at` is an offset in the section.
        case lineTooLong(at: Int)
        case sectionTooLarge(at: Int)
    }

    /// Reads up to the byte after the next LF, or to the end of the input.
    ///
    /// Limits are exact to the byte, whether or not the line end has arrived.
    mutating func nextLine(in input: Span<UInt8>, at index: inout Int, lineLimit: Int, sectionLimit: Int) -> Outcome {
        guard index < input.count else { return .needsMore }
        let start = index
        if byteCount == lineStart { firstByteOfLine = input[index] }
        index = input.indexOfLineFeed(from: index)
        let isComplete = index < input.count
        if isComplete { index += 1 }
        byteCount += index - start

        let lineByteCount = byteCount - lineStart
        if lineByteCount > lineLimit, sectionLimit - lineStart >= lineLimit {
            return .lineTooLong(at: lineStart + lineLimit)
        }
        if byteCount > sectionLimit { return .sectionTooLarge(at: sectionLimit) }
        guard isComplete else { return .needsMore }

        defer { lineStart = byteCount }
        if lineByteCount == 1 || lineByteCount == 2 && firstByteOfLine == .carriageReturn { return .emptyLine }
        if !firstByteOfLine.isBlank || lineCount == 0 { lineCount += 1 }
        return .line(from: lineStart)
    }
}
