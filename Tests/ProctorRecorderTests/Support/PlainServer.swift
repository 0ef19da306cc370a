import Foundation
import ProctorBase

/// A small HTTP server on loopback, without any of Proctor's own, so that a recorder is judged by something else.
final class PlainServer: Sendable {
    /// A request as it came.
    struct Request: Sendable {
        let method: String
        let target: String
        /// Names in lower case.
        let headers: [String: String]
        let body: String
    }

    /// What is sent back, verbatim; nil closes the connection.
    typealias Answer = @Sendable (Request) -> String?

    let port: UInt16
    private let listener: Int32
    private let answer: Answer
    private let state = Locked(State())

    private struct State {
        var requests: [Request] = []
        var connections: [Int32] = []
        var isStopped = false
    }

    var base: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { state.withLock { $0.requests } }

    init(_ answer: @escaping Answer) throws {
        let listener = socket(AF_INET, streamKind, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let code = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                guard unsafe bind(listener, pointer, length) == 0, listen(listener, 64) == 0 else { return Int32(-1) }
                return unsafe getsockname(listener, pointer, &length)
            }
        }
        guard code == 0 else { throw CallFailure.system("bind") }
        _ = fcntl(listener, F_SETFD, FD_CLOEXEC)
        self.listener = listener
        self.answer = answer
        port = UInt16(bigEndian: address.sin_port)
        Self.start { [self] in accepting() }
    }

    /// Ends every connection; the threads end by themselves.
    func stop() {
        let connections = state.withLock { state in
            state.isStopped = true
            return state.connections
        }
        for connection in connections { _ = shutdown(connection, Int32(SHUT_RDWR)) }
    }

    private static func start(_ body: @escaping @Sendable () -> Void) {
        let thread = Thread(block: body)
        thread.stackSize = 1 << 19
        thread.start()
    }

    private func accepting() {
        while !state.withLock({ $0.isStopped }) {
            var entry = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
            guard unsafe poll(&entry, 1, 50) > 0 else { continue }
            let connection = accept(listener, nil, nil)
            guard connection >= 0 else { continue }
            _ = fcntl(connection, F_SETFD, FD_CLOEXEC)
            state.withLock { $0.connections.append(connection) }
            Self.start { [self] in serve(connection) }
        }
        _ = close(listener)
    }

    private func serve(_ connection: Int32) {
        var reader = PlainReader(connection)
        while let request = reader.readRequest() {
            state.withLock { $0.requests.append(request) }
            guard let text = answer(request) else { break }
            if FullWrite.write(Array(text.utf8), to: connection).failure != nil { break }
        }
        state.withLock { state in state.connections.removeAll { $0 == connection } }
        _ = close(connection)
    }
}

#if canImport(Darwin)
    private let streamKind = SOCK_STREAM
#else
    private let streamKind = Int32(SOCK_STREAM.rawValue)
#endif

extension PlainServer {
    /// A response with a length.
    static func reply(_ status: Int, _ body: String = "", _ fields: String...) -> String {
        let head = ["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)", "Content-Type: text/plain"] + fields
        return head.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    /// What most tests ask: `/hello`, `/moved` to it, `/echo` of the body, `/secret` behind Basic.
    static func usual() throws -> PlainServer {
        try PlainServer { request in
            switch request.target {
            case "/moved": reply(302, "moved", "Location: /hello")
            case "/echo": reply(200, "\(request.method) \(request.body)")
            case "/secret" where request.headers["authorization"] == nil:
                reply(401, "no", "WWW-Authenticate: Basic realm=\"it\"")
            default: reply(200, "hello")
            }
        }
    }
}
