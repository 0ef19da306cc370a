import ProctorHTTP
import ProctorLoop
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
        let refusal = #expect(throws: HostTable.Refusal.self) {
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
        #expect(try destination.addresses.map(\.description) == expected)
    }

    @Test(arguments: ["http://other.example.org/", "http://home.example.org:81/", "http://home..example.org/"])
    func `a name that is nowhere can't be found, and nobody is asked for it`(url: String) throws {
        let destination = Destination(try ClientURL(url).origin, nil, names: Self.table)
        let error = #expect(throws: LoadError.self) { try destination.addresses }
        #expect(error?.kind == .cannotFindHost)
        #expect(error?.sentence.contains("looks up no names") == true)
    }

    @Test func `behind a proxy the proxy is found, and the name is its business`() throws {
        let proxy = Origin(scheme: .http, host: "127.0.0.1", port: 3128)
        for (url, tunnel) in [("http://other.test/", nil), ("https://other.test/", proxy)] {
            let destination = Destination(
                server: try ClientURL(url).origin, proxy: proxy, security: nil, names: HostTable())
            #expect(destination.dialled == proxy)
            #expect(destination.tunnelProxy == tunnel)
            #expect(try destination.addresses == [.ipv4(host: "127.0.0.1", port: 3128)])
        }
    }
}
