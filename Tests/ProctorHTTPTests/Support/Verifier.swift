import ProctorHTTP
import Testing

/// An event without reference to how the input was cut: content is bytes, and neighbouring pieces are one.
enum Seen: Equatable {
    case head(RequestHead)
    case content([UInt8])
    case chunk(byteCount: Int, extensions: [UInt8])
    case trailers(FieldSection)
    case violation(Violation)
    case end
    case refused(Violation)
}

/// Feeds a reader whole, byte by byte, cut in two at every place, behind other bytes and before others.
enum Verifier {
    /// The events of the whole input, which every other way of feeding it must have given too.
    @discardableResult
    static func events(
        of input: [UInt8], limits: RequestLimits = RequestLimits(), thenEnds: Bool = false,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> [Seen] {
        let whole = read([input], limits, thenEnds)
        func expectSame(_ pieces: [[UInt8]], _ how: String) {
            let other = read(pieces, limits, thenEnds)
            #expect(other == whole, "\(how)", sourceLocation: sourceLocation)
        }
        expectSame(input.map { [$0] }, "byte by byte")
        for cut in 0...input.count { expectSame([Array(input[..<cut]), Array(input[cut...])], "cut at \(cut)") }
        expectSame([[], input, []], "between empty pieces")
        #expect(
            read([input], limits, thenEnds, leading: 3) == whole, "behind three bytes that were read before",
            sourceLocation: sourceLocation)
        if !thenEnds { expectPrefix(whole, of: input, limits, sourceLocation) }
        return whole
    }

    /// What comes behind complete or refused input changes nothing of what was seen before.
    private static func expectPrefix(
        _ whole: [Seen], of input: [UInt8], _ limits: RequestLimits, _ sourceLocation: SourceLocation
    ) {
        guard whole.last == .end || whole.last?.isRefusal == true else { return }
        for trailing in [Array("GET /next HTTP/1.1\r\nHost: next\r\n\r\n".utf8), [0, 0x16, 0xFF]] {
            let together = read([input + trailing], limits, false)
            #expect(Array(together.prefix(whole.count)) == whole, "with trailing bytes", sourceLocation: sourceLocation)
            #expect(
                read((input + trailing).map { [$0] }, limits, false) == together, "with trailing bytes, byte by byte",
                sourceLocation: sourceLocation)
            if whole.last?.isRefusal == true {
                #expect(together == whole, "nothing is read after a refusal", sourceLocation: sourceLocation)
            }
        }
    }

    private static func read(
        _ pieces: [[UInt8]], _ limits: RequestLimits, _ thenEnds: Bool, leading: Int = 0
    ) -> [Seen] {
        var reader = RequestReader(limits: limits)
        var seen: [Seen] = []
        for piece in pieces {
            let input = [UInt8](repeating: 0x21, count: leading) + piece
            var offset = leading
            while let event = reader.next(input.span, at: &offset) { add(event, of: input, to: &seen) }
            #expect(offset == input.count, "all input is consumed before nil")
        }
        while thenEnds, let event = reader.end() { add(event, of: [], to: &seen) }
        return seen
    }

    private static func add(_ event: RequestEvent, of input: [UInt8], to seen: inout [Seen]) {
        switch event {
        case .head(let head): seen.append(.head(head))
        case .content(let range):
            #expect(!range.isEmpty)
            if case .content(let before)? = seen.last {
                seen[seen.count - 1] = .content(before + input[range])
            } else {
                seen.append(.content(Array(input[range])))
            }
        case .chunk(let byteCount, let extensions): seen.append(.chunk(byteCount: byteCount, extensions: extensions))
        case .trailers(let fields): seen.append(.trailers(fields))
        case .violation(let violation): seen.append(.violation(violation))
        case .end: seen.append(.end)
        case .refused(let violation): seen.append(.refused(violation))
        }
    }
}

extension Seen {
    var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }

    /// Those of a head, and those that came on their own.
    var violations: [Violation] {
        switch self {
        case .head(let head): head.violations
        case .violation(let violation), .refused(let violation): [violation]
        case .content, .chunk, .trailers, .end: []
        }
    }
}

extension Sequence<Seen> {
    var heads: [RequestHead] {
        compactMap { seen -> RequestHead? in if case .head(let head) = seen { head } else { nil } }
    }

    var content: [UInt8] {
        flatMap { seen -> [UInt8] in if case .content(let piece) = seen { piece } else { [] } }
    }
}

/// One byte for each scalar, so that a test can write any byte: `\u{FF}` is 0xFF.
func bytes(_ text: String) -> [UInt8] {
    text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
}

func text(_ bytes: some Sequence<UInt8>) -> String { String(decoding: Array(bytes), as: UTF8.self) }
