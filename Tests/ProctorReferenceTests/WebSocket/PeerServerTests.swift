import Foundation
import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// The reference client against the WebSocket servers that other people wrote: bytes, protocol and Close arrive as sent.
@Suite(.wide, .limit(minutes: 5))
struct PeerServerTests {
    /// A program that prints its port, echoes messages, and answers `bye` by Close 4002 "ü".
    struct Server: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let words: [String]
        var environment: [String: String] = [:]
        /// What comes of its answer to Close 4001 "done"; a server may choose another code (RFC 6455 §5.5.1).
        var answer = "closed 4001 done"
        /// Exits with 0 where the server's library is there.
        let probe: [String]
    }

    static let servers = [
        Server(
            testDescription: "aiohttp", words: python + ["\(folder)/aiohttp_server.py"],
            answer: "closed 1000", probe: python + ["-c", "import aiohttp"]),
        Server(
            testDescription: "websockets", words: python + ["\(folder)/websockets_server.py"],
            probe: python + ["-c", "import websockets"]),
        Server(
            testDescription: "ws of Node", words: ["/usr/bin/env", "node", "\(folder)/ws_server.js"],
            environment: ["NODE_PATH": nodeModules], probe: ["/usr/bin/env", "node", "-e", "require('ws')"]),
    ]

    private static let python = ["/usr/bin/python3", "-E", "-s", "-B"]
    /// Where Debian's packages put their modules.
    private static let nodeModules = "/usr/share/nodejs"
    private static let folder =
        URL(filePath: #filePath).appending(path: "../../../Clients/websockets").standardized.path

    @Test(arguments: servers)
    func `every length comes back as it was sent, compressed or not`(server: Server) async throws {
        try await Self.run(server) { url in
            for _ in 0..<2 {
                let socket = try Conversation(with: url)
                for message in Self.messages {
                    try await socket.send(message)
                    #expect(try await socket.receive() == message)
                }
                try await socket.ping()
                socket.close(4001, "done")
                let calls = try await socket.end()
                #expect(calls == ["open b", server.answer, "ok"])
            }
        }
    }

    @Test(arguments: servers)
    func `messages that are sent at once come back in their order`(server: Server) async throws {
        try await Self.run(server) { url in
            let socket = try Conversation(with: url)
            for message in Self.messages { socket.begin(sending: message) }
            for message in Self.messages { #expect(try await socket.receive() == message) }
            try await socket.send(WebSocketMessage(Array("bye".utf8), isText: true))
            let calls = try await socket.end()
            #expect(calls == ["open b", "closed 4002 ü", "ok"])
        }
    }

    /// Around each change of the length's form (RFC 6455 §5.2), up to what fits the bound of the client when deflating makes
    /// it longer; texts have two-byte characters.
    private static let messages: [WebSocketMessage] = [0, 1, 125, 126, 65_535, 65_536, 1_000_000].flatMap { count in
        var generator = SeededGenerator(seed: UInt64(count))
        let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let text = String(repeating: "ü", count: count / 2) + (count % 2 == 0 ? "" : "a")
        return [WebSocketMessage(bytes, isText: false), WebSocketMessage(Array(text.utf8), isText: true)]
    }

    private static func run(_ server: Server, _ body: @Sendable (ClientURL) async throws -> Void) async throws {
        let probe = try await ChildProcess.run(server.probe, environment: server.environment)
        try #require(probe.status == 0, "\(server.testDescription) is not installed; `make test-all-deps` does it")
        let (process, line) = try await onThread {
            let process = try ChildProcess(server.words, environment: server.environment)
            return (process, String(decoding: try process.readLine(), as: UTF8.self))
        }
        defer { process.kill() }
        try await body(try ClientURL("http://127.0.0.1:\(line)/"))
    }
}

/// One WebSocket in a session of its own.
private struct Conversation {
    private let log = WebSocketLog()
    private let session: ReferenceSession
    private let socket: ReferenceWebSocket

    init(with url: ClientURL) throws {
        session = try ReferenceSession(delegate: log)
        socket = session.webSocket(with: ClientRequest(method: "GET", url: url), protocols: ["a", "b"])
        socket.task.resume()
    }

    func begin(sending message: WebSocketMessage) {
        socket.send(message) { error in #expect(error == nil) }
    }

    func send(_ message: WebSocketMessage) async throws {
        let error = await withCheckedContinuation { continuation in
            socket.send(message) { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    func receive() async throws -> WebSocketMessage {
        try await withCheckedContinuation { continuation in
            socket.receive { continuation.resume(returning: $0) }
        }.get()
    }

    func ping() async throws {
        let error = await withCheckedContinuation { continuation in
            socket.ping { continuation.resume(returning: $0) }
        }
        if let error { throw error }
    }

    func close(_ code: UInt16, _ reason: String) { socket.close(code, reason: Array(reason.utf8)) }

    /// The calls of the delegate, when the task has ended.
    func end() async throws -> [String] {
        session.finishTasksAndInvalidate()
        await session.ended()
        await session.queue.waitForEarlierCalls()
        return log.told.withLock { $0.calls }
    }
}
