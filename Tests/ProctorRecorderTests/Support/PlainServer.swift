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

/// Takes requests off a blocking socket, one after the other.
struct PlainReader {
    private let connection: Int32
    private var buffer: [UInt8] = []

    init(_ connection: Int32) { self.connection = connection }

    /// nil at the end, and for what is no request.
    mutating func readRequest() -> PlainServer.Request? {
        guard let head = read(upTo: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
        let words = (lines.first ?? "").split(separator: " ").map(String.init)
        guard words.count == 3 else { return nil }
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = parts[1].trimmingCharacters(in: .whitespaces)
        }
        if headers["expect"] == "100-continue" {
            let interim = Array("HTTP/1.1 100 Continue\r\n\r\n".utf8)
            _ = unsafe send(connection, interim, interim.count, 0)
        }
        guard let body = readBody(headers) else { return nil }
        return PlainServer.Request(
            method: words[0], target: words[1], headers: headers, body: String(decoding: body, as: UTF8.self))
    }

    private mutating func readBody(_ headers: [String: String]) -> [UInt8]? {
        if headers["transfer-encoding"] == "chunked" {
            var body: [UInt8] = []
            while let line = read(upTo: Array("\r\n".utf8)) {
                guard let size = Int(String(decoding: line, as: UTF8.self), radix: 16) else { return nil }
                guard let chunk = read(count: size + 2) else { return nil }
                if size == 0 { return body }
                body += chunk.dropLast(2)
            }
            return nil
        }
        return read(count: Int(headers["content-length"] ?? "0") ?? 0)
    }

    private mutating func read(upTo mark: [UInt8]) -> [UInt8]? {
        var searched = 0
        while true {
            while searched + mark.count <= buffer.count {
                if buffer[searched..<(searched + mark.count)].elementsEqual(mark) {
                    let head = Array(buffer[..<searched])
                    buffer.removeFirst(searched + mark.count)
                    return head
                }
                searched += 1
            }
            guard fill() else { return nil }
        }
    }

    private mutating func read(count: Int) -> [UInt8]? {
        while buffer.count < count {
            guard fill() else { return nil }
        }
        let bytes = Array(buffer[..<count])
        buffer.removeFirst(count)
        return bytes
    }

    private mutating func fill() -> Bool {
        var piece = [UInt8](repeating: 0, count: 65_536)
        let count = unsafe recv(connection, &piece, piece.count, 0)
        guard count > 0 else { return false }
        buffer += piece[..<count]
        return true
    }
}
