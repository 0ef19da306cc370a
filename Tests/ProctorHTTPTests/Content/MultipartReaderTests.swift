import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

struct MultipartReaderTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let body: String
        let parts: [Part]
        let isClosed: Bool

        struct Part: Sendable, Equatable {
            var fields: [HTTPField] = []
            var content: [UInt8] = []
        }

        init(_ body: String, _ parts: (KeyValuePairs<String, String>, String)..., isClosed: Bool = true) {
            self.body = body
            self.parts = parts.map { part in
                Part(fields: part.0.map { HTTPField($0.key, $0.value) }, content: bytes(part.1))
            }
            self.isClosed = isClosed
        }

        var testDescription: String { body.debugDescription }
    }

    static let rows: [Row] = [
        Row(
            "--part\r\nContent-Type: text/plain\r\n\r\none\r\n--part\r\nContent-Type: text/plain\r\n\r\ntwo\r\n--part--\r\n",
            (["Content-Type": "text/plain"], "one"), (["Content-Type": "text/plain"], "two")),
        Row("--part\r\n\r\na\r\n--part--", ([:], "a")), Row("--part\r\n\r\n\r\n--part--", ([:], "")),
        Row("--part\r\n\r\n--part--", ([:], "")), Row("--part--", isClosed: true), Row("", isClosed: false),
        Row("no part at all", isClosed: false), Row("--part", isClosed: false), Row("--part-", isClosed: false),
        Row("--part\r\nA: b", isClosed: false), Row("--part\r\n\r\n", ([:], ""), isClosed: false),
        Row("--part\r\n\r\nopen", ([:], "open"), isClosed: false),
        Row("--part\r\n\r\nopen\r\n--par", ([:], "open\r\n--par"), isClosed: false),
        Row("--part\r\n\r\nopen\r", ([:], "open\r"), isClosed: false),
        Row("before\r\n--part\r\n\r\na\r\n--part--\r\nbehind\r\n--part\r\n\r\nnever\r\n--part--", ([:], "a")),
        Row("\r\n--part\r\n\r\na\r\n--part--", ([:], "a")), Row("\n\n--part\r\n\r\na\r\n--part--", ([:], "a")),
        Row("x--part\r\n\r\na\r\n--part--", isClosed: true),
        Row("--part\n\na\n--part\nB: c\n\nd\r\ne\n--part--\n", ([:], "a"), (["B": "c"], "d\r\ne")),
        Row("--part \t\r\n\r\na\r\n--part-- \r\n", ([:], "a")),
        Row("--partition\r\n\r\na\r\n--part--", ([:], "a")),
        Row("--part-x--\r\n\r\na\r\n--part--", ([:], "a")),
        Row("--part\r\n\r\na\r\n\r\n--part--", ([:], "a\r\n")), Row("--part\r\n\r\n\r\n\r\n--part--", ([:], "\r\n")),
        Row("--part\r\n\r\n\r\r\n--part--", ([:], "\r")),
        Row("--part\r\n\r\na\r\r\n--par\r\n--part--", ([:], "a\r\r\n--par")),
        Row("--part\r\n\r\na\r\n--pa\r\n\r\n--par--part\r\n--part--", ([:], "a\r\n--pa\r\n\r\n--par--part")),
        Row("--part\r\n\r\na--part--\r\n-part\r\n--Part\r\n--part--", ([:], "a--part--\r\n-part\r\n--Part")),
        Row("--part\r\n\r\n-\n\r-\r\n\r\n--part--", ([:], "-\n\r-\r\n")),
        Row("--part\r\n\r\n\u{0}\u{FF}\u{80}\r\n--part--", ([:], "\u{0}\u{FF}\u{80}")),
        Row("--part\r\nA: b\r\na:  c \r\nX:\r\n\r\n\r\n--part--", (["A": "b", "a": "c", "X": ""], "")),
        Row("--part\r\nA: b\r\n c\r\n\r\n\r\n--part--", (["A": "b c"], "")),
        Row("--part\r\nA : b\r\n\r\n\r\n--part--", (["A": "b"], "")),
    ]

    @Test(arguments: rows)
    func `a body is its parts, however it is cut`(_ row: Row) throws {
        let events = try MultipartSplits.events(of: bytes(row.body))
        var parts: [Row.Part] = []
        var isOpen = false
        for event in events.dropLast() {
            switch event {
            case .partBegan(let fields):
                #expect(!isOpen)
                isOpen = true
                parts.append(Row.Part(fields: [HTTPField](fields)))
            case .content(let piece):
                #expect(isOpen)
                parts[parts.count - 1].content += piece
            case .partEnded:
                #expect(isOpen)
                isOpen = false
            case .ended, .refused: Issue.record("nothing comes after the end, got \(event)")
            }
        }
        #expect(!isOpen)
        #expect(parts == row.parts)
        #expect(events.last == .ended(isClosed: row.isClosed))
    }

    @Test(arguments: [
        ("--part\r\nA b\r\n\r\n", Violation.Kind.missingColon, 8), ("--part\r\n: b\r\n\r\n", .emptyFieldName, 8),
        ("--part\r\nA: b\rc\r\n\r\n", .bareCR, 12),
        ("x\r\n--part\r\n\r\na\r\n--part\r\nA\u{1}: b\r\n\r\n", .badFieldName, 25),
        ("--part\r\nA: \u{0}\r\n\r\n", .nulInFieldValue, 11),
    ])
    func `a head that can't be read ends the reading`(_ body: String, _ kind: Violation.Kind, _ offset: Int) throws {
        let events = try MultipartSplits.events(of: bytes(body + "a\r\n--part\r\n\r\nb\r\n--part--"))
        guard case .refused(let violation) = events.last else {
            Issue.record("expected a refusal, got \(events)")
            return
        }
        #expect(violation.kind == kind)
        #expect(violation.offset == offset)
        #expect(events.filter { if case .refused = $0 { true } else { false } }.count == 1)
    }

    @Test(arguments: [100, 101, 102, 500])
    func `a head may have so many bytes and no more`(_ byteCount: Int) throws {
        let line = "A: " + String(repeating: "b", count: byteCount - 7) + "\r\n\r\n"
        let events = try MultipartSplits.events(of: bytes("--part\r\n\(line)c\r\n--part--"), headByteLimit: 100)
        if byteCount == 100 {
            #expect(events.last == .ended(isClosed: true))
        } else {
            #expect(events == [.refused(Violation(.headTooLarge, in: .reply, at: 108, bound: 100))])
        }
    }

    @Test func `a head that never ends is refused where the limit is`() throws {
        let endless = bytes("--part\r\n") + [UInt8](repeating: UInt8(ascii: "a"), count: 300)
        #expect(
            try MultipartSplits.events(of: endless, headByteLimit: 64)
                == [.refused(Violation(.headTooLarge, in: .reply, at: 72, bound: 64))])
        let lines = bytes("--part\r\n" + String(repeating: "A: b\r\n", count: 50))
        #expect(
            try MultipartSplits.events(of: lines, headByteLimit: 64)
                == [.refused(Violation(.headTooLarge, in: .reply, at: 72, bound: 64))])
    }

    @Test(arguments: [
        ("", false), ("a", true), (String(repeating: "a", count: 70), true), (String(repeating: "a", count: 71), false),
        ("a\r\nb", false), ("a b", true), ("\u{E9}", false), ("'()+_,-./:=?", true),
    ])
    func `a boundary is one that a line can begin with`(_ boundary: String, _ isTaken: Bool) {
        #expect((MultipartReader(boundary: bytes(boundary)) != nil) == isTaken)
    }

    @Test func `a boundary of dashes is found`() throws {
        let events = try MultipartSplits.events(
            of: bytes("-----\r\n\r\na\r\n----\r\n-----\r\n\r\nb\r\n-------"), boundary: "---")
        #expect(events.contains(.content(bytes("a\r\n----"))))
        #expect(events.contains(.content(bytes("b"))))
        #expect(events.last == .ended(isClosed: true))
    }

    @Test func `only multipart types with a boundary have parts`() throws {
        #expect(MultipartReader(try #require(MediaType(bytes("multipart/mixed; boundary=a")))) != nil)
        #expect(MultipartReader(try #require(MediaType(bytes("multipart/mixed")))) == nil)
        #expect(MultipartReader(try #require(MediaType(bytes("text/plain; boundary=a")))) == nil)
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
