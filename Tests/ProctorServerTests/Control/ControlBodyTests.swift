import ProctorServer
import ProctorTestWire
import Testing

/// Calls whose content arrives in several ways.
struct ControlBodyTests {
    private static let creation = #"{"scenario":"other"}"#
    private static let limit = 65_536

    private func padded(to count: Int) -> String {
        Self.creation + String(repeating: " ", count: count - Self.creation.utf8.count)
    }

    private func chunked(_ pieces: [String]) -> String {
        pieces.map { "\(String($0.utf8.count, radix: 16))\r\n\($0)\r\n" }.joined() + "0\r\n\r\n"
    }

    /// Sends bytes as they are and reads one reply.
    private func reply(to request: String, on base: String) async throws -> ControlReply {
        try ControlReply(try await exchange(request, with: base).text)
    }

    @Test func `a body of 65536 bytes is read, and a longer one is refused`() async throws {
        try await withControl { server in
            #expect(try await call("POST /runs", on: server, body: padded(to: Self.limit)).status == 201)
            for count in [Self.limit + 1, 1 << 20] {
                let reply = try await call("POST /runs", on: server, body: padded(to: count))
                #expect(reply.status == 413)
                let error = try reply.error
                #expect(error.code == "body-too-long" && error.message == "a call's body has at most 65536 bytes")
            }
        }
    }

    @Test func `a chunked body is one body, in however many chunks, and is bounded too`() async throws {
        try await withControl { server in
            let head = controlRequest("POST /runs", fields: ["Transfer-Encoding: chunked"])
            let letters = Self.creation.map(String.init)
            #expect(try await reply(to: head + chunked(letters), on: server.base).status == 201)
            let long = Array(repeating: String(repeating: " ", count: 10_000), count: 7)
            #expect(try await reply(to: head + chunked(long), on: server.base).status == 413)
            let broken = try await reply(to: head + "zz\r\n", on: server.base)
            #expect(broken.status == 400 && broken.body.contains("proctor could not read this request."))
        }
    }

    @Test func `a client that waits for 100 Continue gets it, and its answer`() async throws {
        try await withControl { server in
            try await talk(to: server.base) { wire in
                let length = "Content-Length: \(Self.creation.utf8.count)"
                try wire.send(controlRequest("POST /runs", fields: [length, "Expect: 100-continue"]))
                #expect(try wire.readHead() == "HTTP/1.1 100 Continue\r\n\r\n")
                try wire.send(Self.creation)
                #expect(try ControlReply(wire.readReply()).status == 201)
            }
        }
    }

    @Test func `a connection takes one call after the other, pipelined and in single bytes`() async throws {
        try await withControl { server in
            try await talk(to: server.base) { wire in
                let create = controlRequest("POST /runs", body: Self.creation)
                try wire.send(create + controlRequest("PUT /runs", body: "ignored") + controlRequest("GET /health"))
                let statuses = try (0..<3).map { _ in try ControlReply(wire.readReply()).status }
                #expect(statuses == [201, 405, 200])
                for byte in create.utf8 { try wire.send([byte]) }
                #expect(try ControlReply(wire.readReply()).text("run") == "r2")
            }
        }
    }

    @Test func `HTTP 1.0 is answered, and its connection ends`() async throws {
        try await withControl { server in
            let got = try await talk(to: server.base) { wire in
                try wire.send("GET /__proctor/health HTTP/1.0\r\nHost: localhost\r\n\r\n")
                return try wire.readToEnd()
            }
            #expect(got.ending == .closed)
            let reply = try ControlReply(got.text)
            #expect(reply.status == 200 && reply.field("Connection") == "close")
        }
    }

    @Test(arguments: [
        "{\n\t\"scenario\":\t\"other\"\n}\n", "{\"scenario\":\"o\\u0074her\"}", "{\"scenario\":\"plain\\/turns\"}",
        "\u{FEFF}{\"scenario\":\"other\"}", " {\r\n \"lifeSeconds\" : 5 , \"scenario\" : \"other\" } ",
    ])
    func `JSON may be written as JSON may be written`(body: String) async throws {
        try await withControl { server in
            let reply = try await call("POST /runs", on: server, body: body)
            #expect(reply.status == 201, "\(reply.body)")
        }
    }

    @Test func `bytes that are no text are refused with their place`() async throws {
        try await withControl { server in
            let reply = try await talk(to: server.base) { wire in
                try wire.send(controlRequest("POST /runs", fields: ["Content-Length: 5"]))
                try wire.send([0x7B, 0x22, 0xFF, 0x22, 0x7D])
                return try ControlReply(wire.readReply())
            }
            #expect(try reply.error.message.hasPrefix("body:1:3: error: "))
            #expect(reply.status == 400)
        }
    }
}
