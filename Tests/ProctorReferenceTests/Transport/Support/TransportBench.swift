import Foundation
import ProctorBase
import ProctorDialling
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorLoop
@testable import ProctorReference

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Every wait of these tests ends; in nanoseconds, as the loop's calls want it.
var patience: UInt64 { Patience.whole.wholeNanoseconds }

struct TransportBench: Sendable {
    let loop: EventLoop
    let pool: ConnectionPool
    let server: RawServer

    /// Runs `body` on a new loop, against a server that plays `script` on each connection.
    ///
    /// An open socket would keep the loop's thread alive, so each of these tests is a leak test too.
    static func run<Result: Sendable>(
        limits: TransportLimits = TransportLimits(), at address: SocketAddress = .ipv4(host: "127.0.0.1", port: 0),
        _ script: @escaping RawServer.Script = { _ in },
        _ body: @escaping @Sendable (TransportBench) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop(name: "transport")
        let result: Swift.Result<Result, any Error> = try await loop.run {
            let bench = TransportBench(
                loop: loop, pool: ConnectionPool(on: loop, limits: limits),
                server: try RawServer(on: loop, at: address, script: script))
            async let serving: Void = bench.server.serve()
            async let tending: Void = bench.pool.tend()
            let result: Swift.Result<Result, any Error>
            do {
                result = .success(try await body(bench))
            } catch {
                result = .failure(error)
            }
            bench.pool.close()
            bench.server.stop()
            async let _: Void = bench.server.cut(after: Patience.whole, on: loop)
            await serving
            await tending
            return result
        }
        loop.stop()
        await loop.ended()
        return try result.get()
    }

    func url(_ path: String = "/") throws -> ClientURL {
        try ClientURL("http://\(server.address)\(path)")
    }

    func get(_ path: String = "/", fields: [HTTPField] = []) throws -> ClientRequest {
        ClientRequest(url: try url(path), fields: fields)
    }

    func post(_ body: RequestBody, method: String = "POST", fields: [HTTPField] = []) throws -> ClientRequest {
        ClientRequest(method: method, url: try url(), fields: fields, body: body)
    }

    @discardableResult
    func load(
        _ request: ClientRequest, onNewConnection: Bool = false, for host: RecordingHost = RecordingHost(),
        proxy: Origin? = nil, names: HostTable = HostTable(), speaksHTTP2: Bool = false, fault: TransportFault? = nil
    ) async -> RecordingHost {
        let transfer = Transfer(
            request: request, proxy: proxy, names: names, speaksHTTP2: speaksHTTP2, fault: fault, pool: pool,
            host: host, onNewConnection: onNewConnection)
        host.transfer = transfer
        await transfer.run()
        return host
    }
}

extension EventLoop {
    /// Waits for `body`; when that takes too long it says so and calls `release`, so that a test fails and does not hang.
    @discardableResult
    func inTime<Result: Sendable>(
        else release: @escaping @Sendable () -> Void, _ body: @escaping @Sendable () async throws -> Result
    ) async rethrows -> Result {
        async let _: Void = {
            guard await sleep(for: Patience.whole) else { return }
            Issue.record("it took longer than \(Patience.whole)")
            release()
        }()
        return try await body()
    }
}

/// Something that happened, for tasks of one loop.
final class Moment: @unchecked Sendable {
    private var hasCome = false
    private var waiters: [CheckedContinuation<Void, Never>] = []

    func come() {
        hasCome = true
        for waiter in waiters { waiter.resume() }
        waiters = []
    }

    func wait() async {
        if hasCome { return }
        await withCheckedContinuation { waiters.append($0) }
    }
}

/// A port that neither refuses connections nor takes any more.
enum FullBacklog {
    static func with(on loop: EventLoop, _ body: (SocketAddress) async throws -> Void) async throws {
        let loopback = SocketAddress.ipv4(host: "127.0.0.1", port: 0)
        let descriptor = try Bind.socket(at: loopback, for: .listening(sharesPort: false))
        defer { closeDescriptor(descriptor) }
        #expect(listen(descriptor, 0) == 0)
        let address = SocketAddress.ofSocket(descriptor, peer: false)
        var sockets: [Socket] = []
        defer { for socket in sockets { socket.close() } }
        // The system drops what comes after the first ones.
        while sockets.count < 64 {
            guard let socket = try? await Socket.connect(to: address, on: loop, within: 200_000_000) else {
                return try await body(address)
            }
            sockets.append(socket)
        }
        Issue.record("the backlog never became full")
    }
}

enum TemporaryFile {
    static func with<Result>(_ content: [UInt8], _ body: (String) async throws -> Result) async throws -> Result {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString)")
        try Data(content).write(to: url)
        defer { try? FileManager.default.removeItem(at: url) }
        return try await body(url.path)
    }

    static func cut(_ path: String, to byteCount: UInt64) throws {
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        try handle.truncate(atOffset: byteCount)
        try handle.close()
    }
}

/// Bytes in which every shift shows.
func pattern(_ count: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    while bytes.count < count { bytes += patternBlock.prefix(count - bytes.count) }
    return bytes
}

/// Of a length that no buffer has.
private let patternBlock = (0..<65_521).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
