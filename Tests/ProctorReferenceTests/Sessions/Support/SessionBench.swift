import ProctorBase
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport

@testable import ProctorReference

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A server that plays a script, on a loop of its own, and what it was asked.
struct SessionBench: Sendable {
    let address: SocketAddress
    let asked: Locked<[Asked]>

    struct Asked: Sendable {
        let method: String
        let target: String
        let head: String
        let body: String

        /// The value of a field; names as they were sent.
        func field(_ name: String) -> String? {
            head.split(separator: "\r\n").first { $0.hasPrefix("\(name): ") }.map {
                String($0.dropFirst(name.count + 2))
            }
        }

        var line: String { body.isEmpty ? "\(method) \(target)" : "\(method) \(target) \(body)" }
    }

    /// What is sent back; nil closes the connection at once.
    typealias Answer = @Sendable (Asked, Peer) async throws -> String?

    /// The server is there for the time of `body`.
    static func run(
        _ answer: @escaping Answer, _ body: @escaping @Sendable (SessionBench) async throws -> Void
    ) async throws {
        let loop = try EventLoop(name: "server")
        let asked = Locked<[Asked]>([])
        let server = try await loop.run {
            try RawServer(on: loop) { peer in
                while let request = try await peer.request() {
                    asked.withLock { $0.append(request) }
                    guard let reply = try await answer(request, peer) else { return }
                    try await peer.send(reply)
                }
            }
        }
        let serving = Task(executorPreference: loop) { await server.serve() }
        let address = try await loop.run { server.address }
        do {
            try await body(SessionBench(address: address, asked: asked))
        } catch {
            loop.submit { server.stop() }
            await serving.value
            loop.stop()
            throw error
        }
        loop.submit { server.stop() }
        await serving.value
        loop.stop()
        await loop.ended()
    }

    func request(_ target: String, method: String = "GET", fields: [HTTPField] = []) throws -> ClientRequest {
        ClientRequest(method: method, url: try ClientURL("http://\(address)\(target)"), fields: fields)
    }

    var lines: [String] { asked.withLock { $0.map(\.line) } }
}

extension Peer {
    /// The next request with its body; nil when the client left, also in the middle of one.
    func request() async throws -> SessionBench.Asked? {
        do {
            let head = try await head()
            let words = head.split(separator: " ", maxSplits: 2)
            let lowered = head.lowercased()
            var body: [UInt8] = []
            if lowered.contains("transfer-encoding: chunked") {
                body = try await chunkedBody()
            } else if let range = lowered.firstRange(of: "content-length: ") {
                body = try await bytes(Int(lowered[range.upperBound...].prefix { $0.isNumber }) ?? 0)
            }
            let text = body.count > 100 ? "(\(body.count) bytes)" : String(decoding: body, as: UTF8.self)
            return SessionBench.Asked(method: String(words[0]), target: String(words[1]), head: head, body: text)
        } catch is Ended {
            return nil
        } catch let error as SocketError {
            if case .failed = error { return nil }
            throw error
        }
    }

    private func chunkedBody() async throws -> [UInt8] {
        var body: [UInt8] = []
        while true {
            var line: [UInt8] = []
            while line.suffix(2) != [13, 10] { line += try await bytes(1) }
            let count = Int(String(decoding: line.dropLast(2), as: UTF8.self), radix: 16) ?? 0
            body += try await bytes(count)
            _ = try await bytes(2)
            if count == 0 { return body }
        }
    }

    /// Waits until the client has left.
    func wait() async throws { _ = try? await untilEnd() }
}

func reply(_ status: Int, _ body: String = "", _ fields: String...) -> String {
    (["HTTP/1.1 \(status) X", "Content-Length: \(body.utf8.count)"] + fields).joined(separator: "\r\n") + "\r\n\r\n"
        + body
}

enum TextFile {
    /// nil when there is none.
    static func read(_ path: String) -> String? {
        guard let file = try? OpenFile(path: path), let bytes = try? file.bytes(from: 0, byteCount: file.byteCount)
        else { return nil }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func exists(_ path: String) -> Bool { unsafe access(path, F_OK) == 0 }
}

enum Release {
    /// Whether the object is released within the tests' patience; its last owner may still be about to release it.
    static func comes(_ object: () -> AnyObject?) async -> Bool {
        let end = ContinuousClock.now + Patience.whole
        while object() != nil {
            guard ContinuousClock.now < end else { return false }
            await Task.yield()
        }
        return true
    }
}
