import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

struct MultipartReaderTests {
    @Test(arguments: [
        ("", false), ("a", true), (String(repeating: "a", count: 70), true), (String(repeating: "a", count: 71), false),
        ("a\r\nb", false), ("a b", true), ("\u{E9}", false), ("'()+_,-./:=?", true),
    ])
    func `a boundary is one that a line can begin with`(_ boundary: String, _ isTaken: Bool) {
        #expect((MultipartReader(boundary: bytes(boundary)) != nil) == isTaken)
    }

    @Test func `long content goes through in one event for each input`() throws {
        var reader = try #require(MultipartReader(boundary: bytes("part")))
        let image = (0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }.filter { $0 != 10 && $0 != 13 }
        let body = bytes("--part\r\n\r\n") + image + bytes("\r\n--part--")
        var offset = 0
        var events: [MultipartEvent] = []
        while let event = reader.next(body.span, at: &offset) { events.append(event) }
        #expect(events.count == 4)
        #expect(events.dropFirst().first == .content(image))
    }
}

struct MultipartFuzzTests {
    @Test(arguments: 0..<8)
    func `bodies of boundaries in pieces are read alike however they are cut`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let scraps = [
            "--part", "--part\r\n\r\n", "--", "-", "part", "\r\n", "\r", "\n", "A: b\r\n", "\r\n\r\n", "x", ":", " ",
            "\u{0}",
        ]
        var partCount = 0
        for _ in 0..<Extent.count(200) {
            var body = random.next() % 2 == 0 ? "--part\r\n" : ""
            for _ in 0...(random.next() % 20) { body += scraps[Int(random.next() % UInt64(scraps.count))] }
            let events = try MultipartSplits.events(of: bytes(body), headByteLimit: 24)
            var isOpen = false
            for event in events.dropLast() {
                switch event {
                case .partBegan:
                    #expect(!isOpen)
                    isOpen = true
                    partCount += 1
                case .content: #expect(isOpen)
                case .partEnded:
                    #expect(isOpen)
                    isOpen = false
                case .ended, .refused: Issue.record("\(event) is not the last of \(events)")
                }
            }
            switch events.last {
            case .ended: #expect(!isOpen)
            case .refused(let violation): #expect(0...body.utf8.count ~= violation.offset)
            case .partBegan, .content, .partEnded, nil: Issue.record("no end in \(events)")
            }
        }
        #expect(partCount > Extent.count(40))
    }

    @Test(arguments: 0..<8)
    func `parts written are parts read`(_ seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let letters = bytes("\r\n-part\u{0}\u{FF}")
        for _ in 0..<60 {
            var body: [UInt8] = []
            var contents: [[UInt8]] = []
            for _ in 0...(random.next() % 3) {
                let content = (0..<(random.next() % 12)).map { _ in letters[Int(random.next() % UInt64(letters.count))]
                }
                contents.append(content)
                body += bytes("--boundary\r\nA: b\r\n\r\n") + content + bytes("\r\n")
            }
            body += bytes("--boundary--\r\n")
            let events = try MultipartSplits.events(of: body, boundary: "boundary")
            let read = events.split(omittingEmptySubsequences: false) { $0 == .partEnded }.dropLast().map { part in
                part.flatMap { event -> [UInt8] in if case .content(let piece) = event { piece } else { [] } }
            }
            #expect(read == contents)
        }
    }
}

/// Feeds a multipart reader whole, byte by byte, cut in two at every place, and behind other bytes.
enum MultipartSplits {
    /// The events of the whole body, neighbouring content joined; every other way of feeding must give the same.
    static func events(
        of body: [UInt8], boundary: String = "part", headByteLimit: Int = 200, trailing: [UInt8] = [],
        sourceLocation: Testing.SourceLocation = #_sourceLocation
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
            while let event = reader.finish() { add(event, to: &seen) }
            #expect(reader.finish() == nil, "the end is the end", sourceLocation: sourceLocation)
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
