import ProctorHTTP
import Testing

/// Feeds a multipart reader whole, byte by byte, cut in two at every place, and behind other bytes.
enum MultipartSplits {
    /// The events of the whole body, neighbouring content joined; every other way of feeding must give the same.
    static func events(
        of body: [UInt8], boundary: String = "part", headByteLimit: Int = 200, trailing: [UInt8] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [MultipartEvent] {
        func read(_ pieces: [[UInt8]], leading: Int = 0) throws -> [MultipartEvent] {
            var reader = try #require(
                MultipartReader(boundary: bytes(boundary), headByteLimit: headByteLimit), sourceLocation: sourceLocation
            )
            var seen: [MultipartEvent] = []
            for piece in pieces {
                let input = [UInt8](repeating: UInt8(ascii: "-"), count: leading) + piece
                var offset = leading
                while let event = reader.next(input.span, at: &offset) { add(event, to: &seen) }
                #expect(offset == input.count, "all input is consumed before nil", sourceLocation: sourceLocation)
            }
            while let event = reader.end() { add(event, to: &seen) }
            #expect(reader.end() == nil, "the end is the end", sourceLocation: sourceLocation)
            return seen
        }
        let whole = try read([body])
        func expectSame(_ pieces: [[UInt8]], leading: Int = 0, _ how: String) throws {
            #expect(try read(pieces, leading: leading) == whole, "\(how)", sourceLocation: sourceLocation)
        }
        try expectSame(body.map { [$0] }, "byte by byte")
        for cut in 0...body.count { try expectSame([Array(body[..<cut]), Array(body[cut...])], "cut at \(cut)") }
        try expectSame([[], body, []], "between empty pieces")
        try expectSame([body], leading: 3, "behind bytes that were read before")
        return whole
    }

    private static func add(_ event: MultipartEvent, to seen: inout [MultipartEvent]) {
        if case .content(let piece) = event {
            #expect(!piece.isEmpty)
            if case .content(let before)? = seen.last {
                seen[seen.count - 1] = .content(before + piece)
                return
            }
        }
        seen.append(event)
    }
}
