import Foundation
import ProctorRecorder
import ProctorTestSupport
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Stubs in the words of Docs/use/stubs.md.
struct StubTests {
    @Test func `items are listed and added`() async throws {
        let proctor = Stubs()
        let items = proctor.on("GET /items").reply(503).reply(200, json: ["lamp"]).times(2)
        let added = proctor.on("POST /items").having("json", ["name": "desk"])
            .reply(201, headers: ["Location": "/items/2"])

        try await proctor.serve { exam in
            var status = 503
            while status == 503 {
                status = try await exam.load("/items").1.statusCode
            }
            _ = try await exam.post("/items", #"{"name":"desk"}"#)

            #expect(items.requests.map(\.target) == ["/items", "/items"])
            #expect(try added.requests.first?.json(as: [String: String].self) == ["name": "desk"])
        }
        #expect(proctor.requests.map(\.method) == ["GET", "GET", "POST"])
        #expect(added.requests.first?.header("content-TYPE") == "application/json")
    }

    @Test func `a request that comes too seldom, and one that none expects, fail the test`() async throws {
        let proctor = Stubs()
        proctor.on("GET /items").times(3)
        let other = proctor.on("GET /other").optional()
        try await withKnownIssue {
            try await proctor.serve { exam in
                _ = try await exam.load("/items")
                _ = try await exam.load("/nothing")
            }
        } matching: { issue in
            let text = issue.comments.map(\.rawValue).joined()
            return text.contains("GET /nothing") && text.contains("came 1 time, wanted 3: GET /items")
        }
        #expect(other.requests.isEmpty && proctor.requests.count == 2)
    }

    @Test func `a stub serves a stream of events without a status, and over TLS`() async throws {
        let proctor = Stubs()
        proctor.origin("scheme", "https")
        proctor.on("GET /news").reply(events: [["data": "hi"], ["data": "bye"]])
        proctor.on("GET /chat").reply(websocket: [["send": "hi"], ["close": 1000]]).optional()
        try await proctor.serve { exam in
            #expect(exam.webSocketURL("/chat").scheme == "wss")
            let trust = try #require(exam.trust)
            let curl = try #require(Project.tool("curl"))
            let reply = try await ChildProcess.run([curl, "-s", "--cacert", trust, exam.url("/news").absoluteString])
            #expect(reply.out == "data: hi\n\ndata: bye\n\n", "\(reply.err)")
        }
    }

    @Test func `what a client sends on a WebSocket is a message of its request, and requests have times`() async throws
    {
        let proctor = Stubs()
        let chat = proctor.on("GET /chat").reply(websocket: [["expect": "a"], ["send": "b"], ["close": 1000]])
        // A masked text, whose key is zero, a Ping, and the Close that answers ours.
        let script = #"""
            import socket, sys
            one = socket.create_connection((sys.argv[1], int(sys.argv[2])), 10)
            one.sendall(b"GET /chat HTTP/1.1\r\nHost: x\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                        b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n")
            assert one.recv(4096).startswith(b"HTTP/1.1 101 ")
            one.sendall(b"\x89\x80\0\0\0\0\x81\x81\0\0\0\0a\x88\x82\0\0\0\0\x03\xe8")
            while one.recv(4096): pass
            """#
        try await proctor.serve { exam in
            let python = try #require(Project.tool("python3"))
            let url = exam.webSocketURL("/chat")
            let address = [try #require(url.host), "\(try #require(url.port))"]
            let client = try await ChildProcess.run([python, "-c", script] + address)
            #expect(client.status == 0, "\(client.err)")
            let request = try #require(chat.requests.first)
            #expect(request.messages == [.text("a")] && request.time > .zero)
        }
    }

    @Test(arguments: [ReceivedRequest.End.read, .left, .reset])
    func `a request tells how it ended, and its content without its coding`(end: ReceivedRequest.End) async throws {
        typealias Reply = ProctorTesting.Reply
        let proctor = Stubs()
        let items = proctor.on("POST /items").having("json", ["name": "desk"])
            .reply(end == .read ? Reply(200, body: "long") : Reply(200, body: "long").effect("stall", at: "body 2"))
        // Leaves, or resets, when it has what the server sends.
        let script = #"""
            import gzip, socket, struct, sys
            end, place, port, target = sys.argv[1:]
            one = socket.create_connection((place, int(port)), 10)
            content = gzip.compress(b'{"name":"desk"}')
            head = f"POST {target} HTTP/1.1\r\nHost: {place}:{port}\r\nContent-Encoding: gzip\r\nContent-Length: {len(content)}\r\n\r\n"
            one.sendall(head.encode() + content)
            heard = b""
            while not heard.endswith(b"long" if end == "read" else b"lo"): heard += one.recv(1000)
            if end == "reset": one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            one.close()
            """#
        try await proctor.serve { exam in
            let python = try #require(Project.tool("python3"))
            let url = exam.url("/items")
            let place = [try #require(url.host), "\(try #require(url.port))", url.path]
            let client = try await ChildProcess.run([python, "-c", script, end.rawValue] + place)
            #expect(client.status == 0, "\(client.err)")
            while items.requests.first?.end == nil { await Task.yield() }
            let request = try #require(items.requests.first)
            #expect(request.end == end && request.text == #"{"name":"desk"}"# && request.codedBody != request.body)
        }
    }

    @Test func `a mistake is told where the stub stands`() async throws {
        let proctor = Stubs()
        let line = #line + 1
        proctor.on("GET /items").reply(200).setting("reeds", "none")
        let failure = await #expect(throws: (any Error).self) { try await proctor.serve { _ in } }
        #expect("\(try #require(failure))".contains("StubTests.swift:\(line):"), "\(String(describing: failure))")
    }
}

extension Exam {
    fileprivate func load(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        let recorder = recorder()
        let session = recorder.session()
        defer { recorder.invalidate(session) }
        let (data, response) = try await recorder.data(for: request, in: session)
        return (data, try #require(response as? HTTPURLResponse))
    }

    fileprivate func load(_ path: String) async throws -> (Data, HTTPURLResponse) {
        try await load(URLRequest(url: url(path)))
    }

    fileprivate func post(_ path: String, _ body: String) async throws -> (Data, HTTPURLResponse) {
        var request = URLRequest(url: url(path))
        request.httpMethod = "POST"
        request.httpBody = Data(body.utf8)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        return try await load(request)
    }
}
