import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Scripts that read the content of a request piece by piece.
struct ContentReadingTests {
    private func yaml(_ lua: String, reads: String = "reads: none") -> String {
        let lines = lua.split(separator: "\n").map { "        \($0)" }.joined(separator: "\n")
        return """
            summary: is read by a script
            state: { got: "" }
            exchanges:
              - request: PUT /
                \(reads)
                reply:
                  script: |
            \(lines)
              - { request: GET /, reply: { status: 200, body: "{{state.got}}" } }
            """
    }

    private static let whole = """
        local all, count = "", 0
        repeat
          local piece = read(4)
          all, count = all .. (piece or "|"), count + 1
        until not piece
        return { status = 200, body = all .. tostring(read(1)) .. tostring(request.body) }
        """

    @Test(arguments: [
        ("Content-Length: 10", "0123456789"),
        ("Transfer-Encoding: chunked", "3\r\n012\r\n7\r\n3456789\r\n0\r\nX: y\r\n\r\n"),
    ])
    func `a script gets all content in pieces, and the next request is answered behind it`(
        _ row: (framing: String, content: String)
    ) async throws {
        try await withRun(yaml(Self.whole)) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", row.framing) + row.content + .request("GET /"))
                return [try wire.readReply(), try wire.readReply()]
            }
            #expect(got[0].hasSuffix("\r\n\r\n0123456789|nilnil") && got[1].hasPrefix("HTTP/1.1 200 OK\r\n"), "\(got)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 body 10 complete"), "\(lines)")
        }
    }

    @Test(arguments: ["reads: all", "reads: 3"])
    func `what was read before the script comes first`(_ reads: String) async throws {
        try await withRun(yaml(Self.whole, reads: reads)) { run in
            let got = try await exchange(.request("PUT /", "Content-Length: 10") + "0123456789", with: run.base)
            let tail = reads == "reads: 3" ? "nilnil" : "nil0123456789"
            #expect(got.text.hasSuffix("\r\n\r\n0123456789|\(tail)"), "\(got.text)")
        }
    }

    @Test func `a request without content is at its end`() async throws {
        try await withRun(yaml(Self.whole)) { run in
            let got = try await exchange(.request("PUT /"), with: run.base)
            #expect(got.text.hasSuffix("\r\n\r\n|nil"), "\(got.text)")
        }
    }

    @Test func `bytes go out before content comes, and pieces come as they are sent`() async throws {
        let lua = """
            send("HTTP/1.1 104 Upload Resumption Supported\\r\\n\\r\\n")
            local first = read(100)
            send("HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\n" .. first)
            send(read(100))
            read(1)
            """
        try await withRun(yaml(lua)) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 4"))
                let interim = try wire.readHead()
                try wire.send("ab")
                let half = try wire.readHead() + String(decoding: try wire.read(2), as: UTF8.self)
                try wire.send("cd")
                return [interim, half, String(decoding: try wire.read(2), as: UTF8.self)]
            }
            #expect(
                got == [
                    "HTTP/1.1 104 Upload Resumption Supported\r\n\r\n",
                    "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nab", "cd",
                ])
        }
    }

    @Test func `a client that waits for 100 gets it before the first piece`() async throws {
        try await withRun(yaml(Self.whole)) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 3", "Expect: 100-continue"))
                let interim = try wire.readHead()
                try wire.send("abc")
                return [interim, try wire.readReply()]
            }
            #expect(got[0] == "HTTP/1.1 100 Continue\r\n\r\n" && got[1].hasSuffix("abc|nilnil"), "\(got)")
        }
    }

    private static let keeping = """
        local all = ""
        repeat
          local piece = read(100)
          if piece then
            all = all .. piece
            state.set("got", all)
            send(".")
          end
        until not piece
        """

    @Test(arguments: [true, false])
    func `what a client has sent before it left is kept, and its end is noted once`(_ isReset: Bool) async throws {
        try await withRun(yaml(Self.keeping)) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 10") + "abc")
                _ = try wire.read(1)
                if isReset { wire.reset() }
            }
            _ = try await run.journal.lines(untilClosed: 1)
            let entries = run.journal.snapshot().entries.map(\.event)
            let bodies = entries.filter { if case .requestBody = $0 { true } else { false } }
            let aborted = entries.filter { if case .replyAborted = $0 { true } else { false } }
            #expect(bodies.count == 1 && aborted.count == 1, "\(run.journal.lines)")
            let kept = try await exchange(.request("GET /"), with: run.base).text
            #expect(kept.hasSuffix("\r\n\r\nabc"), "\(kept)")
        }
    }

    @Test func `malformed content is refused while nothing was sent, and ends the reply afterwards`() async throws {
        try await withRun(yaml(Self.whole)) { run in
            let got = try await exchange(.request("PUT /", "Transfer-Encoding: chunked") + "zz\r\n", with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 400 "), "\(got.text)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(
                !lines.contains { $0.contains("aborted") } && lines.count { $0.contains(" body ") } == 1, "\(lines)")
        }
        try await withRun(yaml(Self.keeping)) { run in
            let got = try await exchange(
                .request("PUT /", "Transfer-Encoding: chunked") + "1\r\na\r\nzz\r\n", with: run.base)
            #expect(got.text == "." && got.ending == .closed)
        }
    }

    @Test(arguments: [
        "read(0)", "read(1048577)", "read('x')", "read(1.5)", "read()",
    ])
    func `a number of bytes that is none is an error with its place`(_ call: String) async throws {
        try await withRun(yaml(call)) { run in
            let got = try await exchange(.request("PUT /", "Content-Length: 1") + "a", with: run.base)
            #expect(
                got.text.contains("one.yaml:8: bad argument to 'read' (number of bytes expected, 1 to 1048576)"),
                "\(got.text)")
        }
    }

    @Test func `content that the script leaves is read behind the reply, however long`() async throws {
        let lua =
            "local n = 0\nfor _ = 1, 3 do n = n + #read(65536) end\nreturn { status = 200, body = n > 0 and 'some' or 'none' }"
        try await withRun(yaml(lua)) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 4000000"))
                try wire.send([UInt8](repeating: 0x61, count: 4_000_000))
                try wire.send(.request("GET /"))
                return [try wire.readReply(), try wire.readReply()]
            }
            #expect(got[0].hasSuffix("some") && got[1].hasPrefix("HTTP/1.1 200 "), "\(got)")
        }
    }

    @Test func `more content than is kept passes through a script`() async throws {
        let lua =
            "local n = 0\nrepeat local p = read(1048576) n = n + #(p or '') until not p\nreturn { status = 200, body = n .. '' }"
        try await withRun(yaml(lua)) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(.request("PUT /", "Content-Length: 4000000"))
                try wire.send([UInt8](repeating: 0x61, count: 4_000_000))
                return try wire.readReply()
            }
            #expect(got.hasSuffix("\r\n\r\n4000000"), "\(got)")
        }
    }
}
