import Foundation
import ProctorHTTP
import ProctorLoop
import Testing

@testable import ProctorReference

/// Names over sockets: what goes on the wire, which connections are shared, and Unix sockets.
@Suite(.timeLimit(.minutes(5)))
struct NamedHostTests {
    /// Answers each request with its own Host.
    private static let echo: RawServer.Script = { peer in
        while let head = try await peer.headOrEnd() {
            let host = head.split(separator: "\r\n").first { $0.hasPrefix("Host: ") }?.dropFirst(6) ?? "none"
            try await peer.send("HTTP/1.1 200 OK\r\nContent-Length: \(host.utf8.count)\r\n\r\n\(host)")
        }
    }

    private static func names(_ address: SocketAddress) throws -> HostTable {
        var table = HostTable()
        let text = if case .unix(let path) = address { "unix:\(path)" } else { address.description }
        try table.set(text, for: "home.example.org", port: 80)
        try table.set(text, for: "home.example.org", port: 8080)
        try table.set(text, for: "sibling.example.org", port: 80)
        return table
    }

    @Test(arguments: [
        ("http://home.example.org/", "home.example.org"), ("http://HOME.example.org:80/", "home.example.org"),
        ("http://home.example.org.:8080/", "home.example.org.:8080"),
    ])
    func `Host says the name as the URL does, in lower case and without its scheme's port`(
        url: String, host: String
    ) async throws {
        try await TransportBench.run(Self.echo) { bench in
            let request = ClientRequest(url: try ClientURL(url))
            #expect(await bench.load(request, names: try Self.names(bench.server.address)).text == host)
        }
    }

    @Test func `a connection is kept for its name and port, though others stand at the same address`() async throws {
        try await TransportBench.run(Self.echo) { bench in
            let names = try Self.names(bench.server.address)
            let urls = [
                "http://home.example.org/", "http://home.example.org/b", "http://sibling.example.org/",
                "http://home.example.org:8080/", "http://sibling.example.org/b",
            ]
            var numbers: [Int?] = []
            for url in urls {
                let host = await bench.load(ClientRequest(url: try ClientURL(url)), names: names)
                #expect(host.summary == ["200", "content", "ended"])
                numbers.append(host.exchange?.connectionNumber)
            }
            #expect(numbers == [1, 1, 2, 3, 2])
        }
    }

    @Test func `a connection is not kept for a name that stands elsewhere now`() async throws {
        try await TransportBench.run(Self.echo) { bench in
            let request = ClientRequest(url: try ClientURL("http://home.example.org/"))
            _ = await bench.load(request, names: try Self.names(bench.server.address))
            let other = await bench.load(request, names: try Self.names(.ipv4(host: "127.0.0.1", port: 1)))
            #expect(other.failure?.kind == .cannotConnect)
        }
    }

    @Test func `a name that is nowhere fails before anything is connected to`() async throws {
        try await TransportBench.run(Self.echo) { bench in
            let request = ClientRequest(url: try ClientURL("http://other.example.org/"))
            let host = await bench.load(request, names: try Self.names(bench.server.address))
            #expect(host.failure?.kind == .cannotFindHost)
            #expect(bench.server.connectionCount == 0)
        }
    }

    @Test func `a server may stand at a Unix socket, and its connection is kept`() async throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString.prefix(8)).sock")
        try await TransportBench.run(at: .unix(path: path.path), Self.echo) { bench in
            let names = try Self.names(.unix(path: path.path))
            for _ in 0..<2 {
                let request = ClientRequest(url: try ClientURL("http://home.example.org/"))
                #expect(await bench.load(request, names: names).text == "home.example.org")
            }
            #expect(bench.server.connectionCount == 1)
        }
        #expect(!FileManager.default.fileExists(atPath: path.path))
    }

    @Test func `a Unix socket where nobody listens can't be connected to, and the sentence has its path`() async throws
    {
        try await TransportBench.run { bench in
            let request = ClientRequest(url: try ClientURL("http://home.example.org/"))
            let host = await bench.load(request, names: try Self.names(.unix(path: "/nowhere/to/be/found.sock")))
            #expect(host.failure?.kind == .cannotConnect)
            #expect(host.failure?.sentence.contains("/nowhere/to/be/found.sock") == true)
        }
    }
}
