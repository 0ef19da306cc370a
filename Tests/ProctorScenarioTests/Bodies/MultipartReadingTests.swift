import ProctorCoding
import ProctorScenario
import Testing

struct MultipartReadingTests {
    private func body(_ text: String) throws -> StructuredReply {
        try #require(try replies("{ status: 200, body: \(text) }").first).structured
    }

    @Test func `parts are written out with their delimiters`() throws {
        let reply = try body(
            #"{ multipart: [{ headers: { Content-Type: text/plain, X: [1, 2] }, body: "one" }, { body: two }], boundary: XYZ }"#
        )
        #expect(
            reply.pieces == [
                "--XYZ\r\nContent-Type: text/plain\r\nX: 1\r\nX: 2\r\n\r\none".bytes, "\r\n--XYZ\r\n\r\ntwo".bytes,
                "\r\n--XYZ--\r\n".bytes,
            ])
    }

    @Test func `preamble and epilogue stand around the parts`() throws {
        let reply = try body(#"{ multipart: [{ body: a }], boundary: b c, preamble: "before", epilogue: "after" }"#)
        #expect(reply.text == "before\r\n--b c\r\n\r\na\r\n--b c--\r\nafter")
    }

    @Test func `an open body ends with the content of its last part`() throws {
        #expect(
            try body("{ multipart: [{ body: a }, { body: b }], boundary: x, closed: false }").text
                == "--x\r\n\r\na\r\n--x\r\n\r\nb")
    }

    @Test func `effects stand before the delimiter of the next part`() throws {
        let reply = try body(
            "{ multipart: [{ do: wait 1s }, { body: a }, { do: await data }, { body: b }, { do: wait 2s }], boundary: x, preamble: p }"
        )
        let shape = reply.body.map { piece in
            switch piece {
            case .bytes(let source): String(decoding: source.literalBytes ?? [], as: UTF8.self)
            case .effect(.wait(let time)): "wait \(time)"
            case .effect(.await(let point)): "await \(point.event)"
            case .effect: "another effect"
            }
        }
        #expect(
            shape == [
                "p\r\n", "wait 1.0 seconds", "--x\r\n\r\na", "await data", "\r\n--x\r\n\r\nb", "wait 2.0 seconds",
                "\r\n--x--\r\n",
            ])
    }

    @Test func `a long part is a piece of its own behind its head`() throws {
        let reply = try body("{ multipart: [{ body: { pattern: offset, bytes: 1000000 } }], boundary: x }")
        #expect(reply.pieces == ["--x\r\n\r\n".bytes, nil, "\r\n--x--\r\n".bytes])
    }

    @Test func `late-bound text may stand in heads, parts and around them`() throws {
        let reply = try body(
            #"{ multipart: [{ headers: { Date: "{{now}}" }, body: "{{base}}" }], boundary: x, epilogue: "{{origin}}" }"#
        )
        let templates = reply.body.compactMap { piece -> Template? in
            if case .bytes(.template(let template)) = piece { template } else { nil }
        }
        #expect(templates.count == 2)
        #expect(templates.first?.parts.contains(.now(offsetSeconds: 0)) == true)
        #expect(templates.first?.parts.last == .base)
        #expect(templates.last?.parts.last == .origin(nil))
    }

    @Test func `every character that a boundary may have is permitted`() throws {
        let boundary = "'()+_,-./:=? 09azAZ"
        #expect(
            try body(#"{ multipart: [{ body: a }], boundary: "\#(boundary)" }"#).text.hasPrefix("--\(boundary)\r\n"))
    }

    @Test func `Macintosh files are packed at load`() throws {
        let folder = try TemporaryFolder()
        try folder.write("from a file", to: "fork.bin")
        let reply = try #require(
            try replies(
                """
                { status: 200, body: [{ macbinary: { name: Read Me, type: TEXT, creator: ttxt, flags: 256, data: hello,
                  resource: { repeat: r, bytes: 300 }, created: 0, modified: 1700000000, version: 3 } },
                  { binhex: { name: a.txt, data: { file: fork.bin } } }, { macbinary: { name: b } }] }
                """.replacing("\n", with: " "), folder: folder.path
            ).first
        ).structured
        let first = try MacBinary(parsing: try #require(reply.pieces[0]))
        #expect(first.version == .three)
        #expect(
            first.file
                == (try ForkedFile(
                    name: "Read Me".bytes, type: "TEXT".bytes, creator: "ttxt".bytes, flags: 256, created: 0,
                    modified: 1_700_000_000, data: "hello".bytes,
                    resource: [UInt8](repeating: UInt8(ascii: "r"), count: 300))))
        let second = try BinHex(parsing: try #require(reply.pieces[1]))
        #expect(second.file == (try ForkedFile(name: "a.txt".bytes, data: "from a file".bytes)))
        #expect(try MacBinary(parsing: try #require(reply.pieces[2])).version == .two)
    }

    @Test func `a file that would make too much is refused`() {
        let fork = "{ macbinary: { name: a, data: { repeat: x, bytes: 16777216 } } }"
        let found = messages(
            "summary: s\nexchanges:\n  - request: GET /a\n    reply:\n      status: 200\n      body:\n"
                + String(repeating: "        - \(fork)\n", count: 5))
        #expect(
            found == [
                "11:41 all that is made while this file is loaded has more than 67108864 bytes; make several scenarios of it"
            ])
    }
}
