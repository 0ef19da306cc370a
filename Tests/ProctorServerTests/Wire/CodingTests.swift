import ProctorCoding
import ProctorScenario
import ProctorServer
import ProctorTestWire
import Testing

/// Coded content on the wire: what the head says, what comes, and that both agree.
struct CodingTests {
    private static let text = String(repeating: "the same words again and again. ", count: 40)

    private func reply(_ more: String) -> String { "{ status: 200, body: \"\(Self.text)\", \(more) }" }

    /// Head and content of one reply to GET, and the head of one to HEAD.
    private func get(_ reply: String, _ fields: String = "X: y") async throws -> (head: String, body: [UInt8]) {
        try await withRun(always(reply)) { run in
            let got = try await exchange(.request("GET /", fields), with: run.base)
            let headOnly = try await exchange(.request("HEAD /", fields), with: run.base)
            let end = try #require(
                got.bytes.indices.first { got.bytes[..<$0].suffix(4).elementsEqual([13, 10, 13, 10]) })
            let head = String(decoding: got.bytes[..<end], as: UTF8.self)
            #expect(headOnly.text == head && got.ending == .closed)
            return (head, Array(got.bytes[end...]))
        }
    }

    private func decoded(_ bytes: [UInt8], _ coding: ContentCoding) throws -> String {
        String(decoding: try CodingDecoder.decode(bytes, codings: [coding], limit: 1 << 20), as: UTF8.self)
    }

    @Test(arguments: [ContentCoding.gzip, .xGzip, .deflate, .brotli, .zstd, .identity])
    func `content is coded and the head says so`(_ coding: ContentCoding) async throws {
        let got = try await get(reply("coding: \(coding.rawValue)"))
        #expect(
            got.head
                == "HTTP/1.1 200 OK\r\nContent-Encoding: \(coding.rawValue)\r\nContent-Length: \(got.body.count)\r\n\r\n"
        )
        #expect(try decoded(got.body, coding) == Self.text)
        #expect(coding == .identity || got.body.count < Self.text.utf8.count / 4)
    }

    @Test func `several codings are applied in the order in which they are named`() async throws {
        let got = try await get(reply("coding: [ gzip, br ], framing: chunked"))
        #expect(
            got.head == "HTTP/1.1 200 OK\r\nContent-Encoding: gzip, br\r\nTransfer-Encoding: chunked\r\n\r\n")
        let coded = try CodingEncoder.encode(Array(Self.text.utf8), steps: [CodingStep(.gzip), CodingStep(.brotli)])
        var wanted = Array("\(String(coded.count, radix: 16))\r\n".utf8) + coded
        wanted += Array("\r\n0\r\n\r\n".utf8)
        #expect(got.body == wanted)
    }

    struct Saying: CustomTestStringConvertible, Sendable {
        let options: String
        let fields: String
        var testDescription: String { options }
    }

    @Test(arguments: [
        Saying(options: "coding: { apply: [ gzip ], says: null }", fields: "Content-Length: N\r\n"),
        Saying(
            options: "coding: { apply: [ gzip ], says: \"br, x\" }",
            fields: "Content-Encoding: br, x\r\nContent-Length: N\r\n"),
        Saying(
            options: "coding: { apply: [ gzip ], in: transfer }, framing: chunked",
            fields: "Transfer-Encoding: gzip, chunked\r\n"),
        Saying(
            options: "coding: { apply: [ gzip ], in: transfer, says: null }, framing: chunked",
            fields: "Transfer-Encoding: chunked\r\n"),
        Saying(
            options: "coding: { apply: [ gzip ], in: transfer }, framing: close",
            fields: "Transfer-Encoding: gzip\r\n"),
        Saying(options: "coding: gzip, framing: close", fields: "Content-Encoding: gzip\r\n"),
        Saying(
            options: "coding: gzip, headers: [ { Vary: Accept-Encoding }, { Content-Length: 7 } ]",
            fields: "Vary: Accept-Encoding\r\nContent-Length: 7\r\nContent-Encoding: gzip\r\n"),
    ])
    func `the head says what the fixture wants said`(_ row: Saying) async throws {
        let coded = try CodingEncoder.encode(Array(Self.text.utf8), steps: [CodingStep(.gzip)])
        let got = try await get(reply(row.options))
        let fields = row.fields.replacing(": N", with: ": \(coded.count)")
        #expect(got.head == "HTTP/1.1 200 OK\r\n\(fields)\r\n")
        let isChunked = row.fields.contains("chunked")
        let wanted =
            isChunked
            ? Array("\(String(coded.count, radix: 16))\r\n".utf8) + coded + Array("\r\n0\r\n\r\n".utf8) : coded
        #expect(got.body == wanted)
    }

    @Test func `effects count coded bytes`() async throws {
        let coded = try CodingEncoder.encode(Array(Self.text.utf8), steps: [CodingStep(.gzip)])
        let got = try await get(
            reply("coding: gzip, effects: [ { at: body 5, do: send <> }, { at: body \(coded.count - 1), do: close } ]"))
        let wanted = [Array(coded[..<5]), Array("<>".utf8), Array(coded[5..<coded.count - 1])].joined()
        #expect(got.body == Array(wanted))
    }

    @Test func `broken codings are sent as broken as the fixture wants them`() async throws {
        let got = try await get(reply("coding: { gzip: { checksum: wrong, missing: 3, trailing: abc } }"))
        let step = CodingStep(.gzip, hasWrongChecksum: true, missingByteCount: 3, trailing: Array("abc".utf8))
        #expect(got.body == (try CodingEncoder.encode(Array(Self.text.utf8), steps: [step])))
    }

    @Test func `a range of coded content is a range of what is coded`() async throws {
        let coded = try CodingEncoder.encode(Array("hello hello hello".utf8), steps: [CodingStep(.gzip)])
        let reply = "{ status: 200, body: hello hello hello, coding: gzip, honours: [ ranges ] }"
        try await withRun(always(reply)) { run in
            let got = try await exchange(.request("GET /", "Range: bytes=3-7"), with: run.base)
            let head =
                "HTTP/1.1 206 Partial Content\r\nContent-Encoding: gzip\r\nContent-Range: bytes 3-7/\(coded.count)\r\n"
                + "Content-Length: 5\r\n\r\n"
            #expect(got.bytes == Array(head.utf8) + coded[3...7])
        }
    }

    @Test func `content is coded once for all requests, and once for each address that stands in it`() async throws {
        let yaml = always("{ status: 200, body: \"at {{base}}\", coding: gzip }")
        let scenario = try scenario(yaml)
        try await withServer([scenario]) { server in
            let one = try await server.run(scenario.id)
            let two = try await server.run(scenario.id)
            for run in [one, two, one] {
                let got = try await exchange(.request("GET /"), with: run.base)
                let end = try #require(
                    got.bytes.indices.first { got.bytes[..<$0].suffix(4).elementsEqual([13, 10, 13, 10]) })
                #expect(try decoded(Array(got.bytes[end...]), .gzip) == "at \(run.base)")
            }
            // On the shared port the authority is the one that the client uses.
            for host in ["a.example", "b.example", "a.example"] {
                let text = "GET /\(scenario.id)/x HTTP/1.1\r\nHost: \(host)\r\n\r\n"
                let got = try await exchange(text, with: server.base)
                let end = try #require(
                    got.bytes.indices.first { got.bytes[..<$0].suffix(4).elementsEqual([13, 10, 13, 10]) })
                #expect(try decoded(Array(got.bytes[end...]), .gzip) == "at http://\(host)/\(scenario.id)")
            }
        }
    }
}

/// What Accept-Encoding gets (RFC 9110 §12.5.3).
struct NegotiationTests {
    struct Row: CustomTestStringConvertible, Sendable {
        /// nil: no field.
        let accepts: String?
        /// nil: 406.
        let coding: String?
        var testDescription: String { "\(accepts ?? "no field") gets \(coding ?? "406")" }
    }

    static let rows: [Row] = [
        Row(accepts: nil, coding: "identity"),
        Row(accepts: "", coding: "identity"),
        Row(accepts: "gzip", coding: "gzip"),
        Row(accepts: "GZIP", coding: "gzip"),
        Row(accepts: "gzip, br", coding: "br"),
        Row(accepts: "gzip;q=1, br;q=0.9", coding: "gzip"),
        Row(accepts: "gzip;q=0.5, br;q=0.500", coding: "br"),
        Row(accepts: "*", coding: "br"),
        Row(accepts: "br;q=0, *", coding: "gzip"),
        Row(accepts: "zstd", coding: "identity"),
        Row(accepts: "identity;q=1, gzip;q=0.1", coding: "identity"),
        Row(accepts: "gzip;q=0, br;q=0", coding: "identity"),
        Row(accepts: "zstd, identity;q=0", coding: nil),
        Row(accepts: "*;q=0", coding: nil),
        Row(accepts: "gzip, *;q=0", coding: "gzip"),
    ]

    @Test(arguments: rows)
    func `the client gets what it likes best`(_ row: Row) async throws {
        let reply = """
            { status: 200, headers: { Vary: Accept-Encoding, Content-Type: text/plain }, body: hello hello hello hello,
              coding: { negotiate: [ br, gzip ] } }
            """
        let request = row.accepts.map { String.request("GET /", "Accept-Encoding: \($0)") } ?? .request("GET /")
        // Every variant is planned twice, and asked for after another one.
        let got = try await withRun(always(reply)) { run in
            var got: [Wire.Received] = []
            for text in [request, .request("GET /", "Accept-Encoding: br"), .request("GET /"), request] {
                got.append(try await exchange(text, with: run.base))
            }
            #expect(got[0] == got[3])
            return got[0].bytes
        }
        let content = Array("hello hello hello hello".utf8)
        let fields = "Vary: Accept-Encoding\r\nContent-Type: text/plain\r\n"
        guard let name = row.coding else {
            let sentence =
                "Accept-Encoding forbids all that there is: br, gzip, and the content as it is (identity)\n"
            let wanted =
                "HTTP/1.1 406 Not Acceptable\r\nVary: Accept-Encoding\r\nContent-Type: text/plain; charset=utf-8\r\n"
                + "Content-Length: \(sentence.utf8.count)\r\n\r\n\(sentence)"
            #expect(String(decoding: got, as: UTF8.self) == wanted)
            return
        }
        let coding = try #require(ContentCoding(rawValue: name))
        let body = coding == .identity ? content : try CodingEncoder.encode(content, steps: [CodingStep(coding)])
        let said = coding == .identity ? "" : "Content-Encoding: \(name)\r\n"
        #expect(got == Array("HTTP/1.1 200 OK\r\n\(fields)\(said)Content-Length: \(body.count)\r\n\r\n".utf8) + body)
    }
}
