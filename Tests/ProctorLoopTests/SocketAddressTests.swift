import Testing

@testable import ProctorLoop

struct SocketAddressTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let host: String
        let description: String?
        let isLoopback: Bool
        var testDescription: String { "\"\(host)\"" }
    }

    static let rows = [
        Row(host: "127.0.0.1", description: "127.0.0.1:80", isLoopback: true),
        Row(host: "127.8.9.10", description: "127.8.9.10:80", isLoopback: true),
        Row(host: "localhost", description: "127.0.0.1:80", isLoopback: true),
        Row(host: "0.0.0.0", description: "0.0.0.0:80", isLoopback: false),
        Row(host: "::1", description: "[::1]:80", isLoopback: true),
        Row(host: "::", description: "[::]:80", isLoopback: false),
        Row(host: "[::1]", description: nil, isLoopback: false),
        Row(host: "example.com", description: nil, isLoopback: false),
        Row(host: "127.1", description: nil, isLoopback: false),
        Row(host: "256.0.0.1", description: nil, isLoopback: false),
        Row(host: "", description: nil, isLoopback: false),
    ]

    @Test(arguments: rows)
    func `a host is taken only as a literal address`(row: Row) {
        let address = SocketAddress(host: row.host, port: 80)
        #expect(address?.description == row.description)
        #expect(address?.isLoopback ?? false == row.isLoopback)
        #expect(address?.with(port: 81).port == (row.description == nil ? nil : 81))
    }

    @Test func `a Unix socket has no port, and none can be given to it`() {
        let address = SocketAddress.unix(path: "/tmp/x")
        #expect(address.port == nil)
        #expect(address.with(port: 5) == address)
        #expect(address.description == "/tmp/x")
        #expect(address.isLoopback)
    }
}
