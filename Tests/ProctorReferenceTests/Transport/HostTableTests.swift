import Foundation
import ProctorDialling
import ProctorHTTP
import ProctorLoop
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// What stands where, and what is nowhere.
struct HostTableTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let url: String
        let found: SocketAddress?
        var testDescription: String { url }
    }

    private static let table: HostTable = {
        var table = HostTable()
        try? table.set("127.0.0.1:4711", for: "Home.Example.org", port: 80)
        try? table.set("[::1]:4712", for: "home.example.org.", port: 8080)
        try? table.set("unix:/tmp/a.sock", for: "socket.example.org", port: 443)
        return table
    }()

    @Test(arguments: [
        Row(url: "http://home.example.org/", found: .ipv4(host: "127.0.0.1", port: 4711)),
        Row(url: "http://HOME.example.ORG:80/", found: .ipv4(host: "127.0.0.1", port: 4711)),
        Row(url: "http://home.example.org./", found: .ipv4(host: "127.0.0.1", port: 4711)),
        Row(url: "http://home.example.org:8080/", found: .ipv6(host: "::1", port: 4712)),
        Row(url: "https://socket.example.org/", found: .unix(path: "/tmp/a.sock")),
        Row(url: "http://home.example.org../", found: nil), Row(url: "https://home.example.org/", found: nil),
        Row(url: "http://example.org/", found: nil), Row(url: "http://127.0.0.1/", found: nil),
    ])
    func `a name is found by its port, whatever its case and with one dot at its end`(row: Row) throws {
        #expect(Self.table.address(of: try ClientURL(row.url).origin) == row.found)
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let name: String
        var port = 80
        var address = "127.0.0.1:1"
        let word: String
        var testDescription: String { "\(name):\(port) at \(address)" }
    }

    @Test(arguments: [
        Refused(name: "", word: "no name"), Refused(name: "127.0.0.1", word: "no name"),
        Refused(name: "::1", word: "no name"), Refused(name: "localhost", word: "no name"),
        Refused(name: "a.test", port: 0, word: "1...65535"), Refused(name: "a.test", port: 65536, word: "1...65535"),
        Refused(name: "a.test", address: "b.test:80", word: "no address"),
        Refused(name: "a.test", address: "127.0.0.1", word: "no address"),
        Refused(name: "a.test", address: "127.0.0.1:0", word: "no address"),
        Refused(name: "a.test", address: "::1:80", word: "no address"),
        Refused(name: "a.test", address: "unix:relative", word: "no address"),
        Refused(name: "a.test", address: "unix:/a\0b", word: "no address"),
    ])
    func `what is no name, no port or no address is refused, and said why`(row: Refused) throws {
        var table = HostTable()
        let refusal = #expect(throws: HostTable.InvalidEntry.self) {
            try table.set(row.address, for: row.name, port: row.port)
        }
        #expect(refusal?.description.contains(row.word) == true)
        #expect(table.isEmpty)
    }

    @Test(arguments: [
        ("http://127.0.0.1:8088/", ["127.0.0.1:8088"]), ("http://[::1]/", ["[::1]:80"]),
        ("https://localhost/", ["127.0.0.1:443", "[::1]:443"]), ("http://localhost./", ["127.0.0.1:80", "[::1]:80"]),
    ])
    func `addresses stand for themselves, and localhost for both`(url: String, expected: [String]) throws {
        let destination = Destination(try ClientURL(url).origin, nil, names: Self.table)
        #expect(destination.knownAddresses?.map(\.description) == expected)
    }

    @Test(arguments: ["http://other.example.org/", "http://home.example.org:81/", "http://home..example.org/"])
    func `a name without an entry can't be found, and no resolver is asked`(url: String) throws {
        let destination = Destination(try ClientURL(url).origin, nil, names: Self.table)
        let error = #expect(throws: LoadError.self) { try destination.place }
        #expect(error?.kind == .cannotFindHost)
        #expect(error?.sentence.contains("looks up no names") == true)
    }

    @Test func `with a proxy only the proxy's address is needed`() throws {
        let proxy = Origin(scheme: .http, host: "127.0.0.1", port: 3128)
        for (url, tunnel) in [("http://other.test/", nil), ("https://other.test/", proxy)] {
            let destination = Destination(
                server: try ClientURL(url).origin, proxy: proxy, security: nil, names: HostTable())
            #expect(destination.dialled == proxy)
            #expect(destination.tunnelProxy == tunnel)
            #expect(destination.knownAddresses == [.ipv4(host: "127.0.0.1", port: 3128)])
        }
    }
}

/// Names over sockets: what goes on the wire, which connections are shared, and Unix sockets.
@Suite(.limit(minutes: 5))
struct NamedHostTests {
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

    @Test func `a connection is not kept for a name that stands elsewhere now`() async throws {
        try await TransportBench.run(Self.echo) { bench in
            let request = ClientRequest(url: try ClientURL("http://home.example.org/"))
            _ = await bench.load(request, names: try Self.names(bench.server.address))
            let other = await bench.load(request, names: try Self.names(.ipv4(host: "127.0.0.1", port: 1)))
            #expect(other.failure?.kind == .cannotConnect)
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

    @Test func `a connection to a Unix socket without any listener fails, and the sentence has its path`() async throws
    {
        try await TransportBench.run { bench in
            let request = ClientRequest(url: try ClientURL("http://home.example.org/"))
            let host = await bench.load(request, names: try Self.names(.unix(path: "/nowhere/to/be/found.sock")))
            #expect(host.failure?.kind == .cannotConnect)
            #expect(host.failure?.sentence.contains("/nowhere/to/be/found.sock") == true)
        }
    }
}
