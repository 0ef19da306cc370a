import ProctorBase
import ProctorHTTP
import Testing

/// Feeds a reader whole, byte by byte, cut in two at every place, behind other bytes and before others.
struct Verifier<Reader: VerifiedReader> {
    /// A reader before its first byte.
    let make: () -> Reader
    /// What comes behind complete input, to see that it changes nothing.
    let trailing: [[UInt8]]
    let thenEnds: Bool
    let sourceLocation: Testing.SourceLocation

    /// The events of the whole input, which every other way of feeding it must have given too.
    func events(of input: [UInt8]) -> [Seen<Reader.Head>] {
        let whole = read([input])
        func expectSame(_ pieces: [[UInt8]], _ how: String) {
            #expect(read(pieces) == whole, "\(how)", sourceLocation: sourceLocation)
        }
        expectSame(input.map { [$0] }, "byte by byte")
        for cut in 0...input.count { expectSame([Array(input[..<cut]), Array(input[cut...])], "cut at \(cut)") }
        expectSame([[], input, []], "between empty pieces")
        #expect(
            read([input], leading: 3) == whole, "behind three bytes that were read before",
            sourceLocation: sourceLocation)
        if !thenEnds { expectPrefix(whole, of: input) }
        return whole
    }

    /// What comes behind complete or refused input changes nothing of what was seen before.
    private func expectPrefix(_ whole: [Seen<Reader.Head>], of input: [UInt8]) {
        guard whole.last == .end || whole.last?.isRefusal == true else { return }
        for trailing in trailing {
            let together = read([input + trailing])
            #expect(Array(together.prefix(whole.count)) == whole, "with trailing bytes", sourceLocation: sourceLocation)
            #expect(
                read((input + trailing).map { [$0] }) == together, "with trailing bytes, byte by byte",
                sourceLocation: sourceLocation)
            if whole.last?.isRefusal == true {
                #expect(together == whole, "nothing is read after a refusal", sourceLocation: sourceLocation)
            }
        }
    }

    private func read(_ pieces: [[UInt8]], leading: Int = 0) -> [Seen<Reader.Head>] {
        var reader = make()
        var seen: [Seen<Reader.Head>] = []
        for piece in pieces {
            let input = [UInt8](repeating: 0x21, count: leading) + piece
            var offset = leading
            while let event = reader.next(input.span, at: &offset) { Self.add(event, of: input, to: &seen) }
            #expect(offset == input.count, "all input is consumed before nil", sourceLocation: sourceLocation)
        }
        while thenEnds, let event = reader.finish() { Self.add(event, of: [], to: &seen) }
        return seen
    }

    private static func add(_ event: MessageEvent<Reader.Head>, of input: [UInt8], to seen: inout [Seen<Reader.Head>]) {
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

extension Verifier<RequestReader> {
    /// Verifies what a server reads.
    @discardableResult
    static func events(
        of input: [UInt8], limits: RequestLimits = RequestLimits(), thenEnds: Bool = false,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> [Seen<RequestHead>] {
        Verifier(
            make: { RequestReader(limits: limits) },
            trailing: [Array("GET /next HTTP/1.1\r\nHost: next\r\n\r\n".utf8), [0, 0x16, 0xFF]], thenEnds: thenEnds,
            sourceLocation: sourceLocation
        ).events(of: input)
    }
}

extension Verifier<ReplyReader> {
    /// Verifies what a client reads that sent requests of these methods.
    @discardableResult
    static func events(
        of input: [UInt8], to methods: [String], limits: ReplyLimits = ReplyLimits(), thenEnds: Bool = false,
        sourceLocation: Testing.SourceLocation = #_sourceLocation
    ) -> [Seen<ReplyHead>] {
        Verifier(
            make: {
                var reader = ReplyReader(limits: limits)
                for method in methods { reader.expectReply(to: Array(method.utf8)) }
                return reader
            }, trailing: [Array("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n".utf8), [0, 0x16, 0xFF]],
            thenEnds: thenEnds, sourceLocation: sourceLocation
        ).events(of: input)
    }
}

/// A reader of either direction, as the verifier sees it.
protocol VerifiedReader {
    associatedtype Head: Equatable & Sendable
    mutating func next(_ input: Span<UInt8>, at offset: inout Int) -> MessageEvent<Head>?
    mutating func finish() -> MessageEvent<Head>?
}

extension RequestReader: VerifiedReader {}
extension ReplyReader: VerifiedReader {}

/// An event without reference to how the input was cut: content is bytes, and neighbouring pieces are one.
enum Seen<Head: Equatable & Sendable>: Equatable {
    case head(Head)
    case content([UInt8])
    case chunk(byteCount: Int, extensions: [UInt8])
    case trailers(FieldSection)
    case violation(Violation)
    case end
    case refused(Violation)
}

/// Heads of both directions hold what was found in them.
protocol ReadHead {
    var violations: [Violation] { get }
}

extension RequestHead: ReadHead {}
extension ReplyHead: ReadHead {}

extension Seen {
    var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}

extension Seen where Head: ReadHead {
    /// Those of a head, and those that came on their own.
    var violations: [Violation] {
        switch self {
        case .head(let head): head.violations
        case .violation(let violation), .refused(let violation): [violation]
        case .content, .chunk, .trailers, .end: []
        }
    }
}

extension Sequence {
    func heads<Head>() -> [Head] where Element == Seen<Head> {
        compactMap { seen -> Head? in if case .head(let head) = seen { head } else { nil } }
    }

    func content<Head>() -> [UInt8] where Element == Seen<Head> {
        flatMap { seen -> [UInt8] in if case .content(let piece) = seen { piece } else { [] } }
    }

    /// Those of the first section, else none.
    func trailers<Head>() -> FieldSection where Element == Seen<Head> {
        for case .trailers(let fields) in self { return fields }
        return FieldSection()
    }
}

extension VerifiedReader {
    /// The first event that comes while such pieces of input are fed again and again, a hundred at most.
    mutating func firstEvent(feeding piece: [UInt8]) -> MessageEvent<Head>? {
        for _ in 0..<100 {
            var offset = 0
            if let event = next(piece.span, at: &offset) { return event }
        }
        return nil
    }
}
