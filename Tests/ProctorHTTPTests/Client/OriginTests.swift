import ProctorHTTP
import Testing

struct OriginTests {
    @Test(arguments: [
        ("http://example.com", "http://EXAMPLE.com:80/a", true), ("http://h", "https://h", false),
        ("http://h:443", "https://h:443", false), ("http://h", "http://h:8080", false), ("http://h", "http://g", false),
        ("http://[::1]:80/", "http://[::1]", true), ("http://u:p@h", "http://h", true),
        ("https://h:0443/", "https://h", true),
    ])
    func `scheme, host and port make an origin`(_ left: String, _ right: String, _ isSame: Bool) throws {
        #expect(try (ClientURL(left).origin == ClientURL(right).origin) == isSame)
    }

    @Test func `brackets and capitals are no part of a host`() {
        let origin = Origin(scheme: .http, host: "[FE80::1]", port: 8080)
        #expect(origin.host == "fe80::1")
        #expect(origin.authority == "[fe80::1]:8080")
        #expect(origin.description == "http://[fe80::1]:8080")
        #expect(Origin(scheme: .https, host: "H", port: 443).description == "https://h")
        #expect(Origin(scheme: .https, host: "h", port: 80).authority == "h:80")
    }
}
