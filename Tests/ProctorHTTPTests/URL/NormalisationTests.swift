import ProctorHTTP
import Testing

struct NormalisationTests {
    private func uri(_ text: String) -> URIReference { URIReference(splitting: bytes(text)) }

    @Test func `scheme and host become small, all else stays`() {
        #expect(text(uri("HTTP://U@Ex.ORG:80/P?Q#F").lowercasingSchemeAndHost().bytes) == "http://U@ex.org:80/P?Q#F")
        #expect(text(uri("X://A%2Fb").lowercasingSchemeAndHost().bytes) == "x://a%2Fb")
        #expect(text(uri("/A").lowercasingSchemeAndHost().bytes) == "/A")
    }

    @Test func `escapes get capital digits, broken ones stay`() {
        #expect(text(uri("/%c3%a9?%2f%zz%4#%aF").uppercasingPercentEscapes().bytes) == "/%C3%A9?%2F%zz%4#%AF")
    }

    @Test func `escapes of unreserved characters are undone, others stay`() {
        #expect(
            text(uri("/%7Euser/%41%2D%2e%5f/%2F%20%zz").decodingUnreservedEscapes().bytes) == "/~user/A-._/%2F%20%zz")
    }

    @Test func `dot segments go from absolute paths only`() {
        #expect(text(uri("http://h/a/../b/.").removingDotSegments().bytes) == "http://h/b/")
        #expect(text(uri("/a/../b").removingDotSegments().bytes) == "/b")
        #expect(text(uri("../b").removingDotSegments().bytes) == "../b")
    }

    @Test func `default and empty ports go`() {
        #expect(text(uri("http://h:80/").removingDefaultPort().bytes) == "http://h/")
        #expect(text(uri("https://h:443").removingDefaultPort().bytes) == "https://h")
        #expect(text(uri("ftp://h:/x").removingDefaultPort().bytes) == "ftp://h/x")
        #expect(text(uri("http://h:443/").removingDefaultPort().bytes) == "http://h:443/")
        #expect(text(uri("ftp://h:80/").removingDefaultPort().bytes) == "ftp://h:80/")
        #expect(text(uri("/x").removingDefaultPort().bytes) == "/x")
    }

    @Test func `an empty path becomes a slash where the scheme is HTTP's`() {
        #expect(text(uri("http://h").addingEmptyPath().bytes) == "http://h/")
        #expect(text(uri("https://h?q").addingEmptyPath().bytes) == "https://h/?q")
        #expect(text(uri("ftp://h").addingEmptyPath().bytes) == "ftp://h")
    }

    @Test(arguments: [
        ("HTTP://www.EXAMPLE.com:80", "http://www.example.com/"),
        ("example://a/b/c/%7Bfoo%7D", "example://a/b/c/%7Bfoo%7D"),
        ("eXAMPLE://a/./b/../b/%63/%7bfoo%7d", "example://a/b/c/%7Bfoo%7D"),
        ("http://h/%2e%2E/a", "http://h/a"),
    ])
    func `all steps together reach a fixed point`(_ text: String, _ expected: String) {
        let once = uri(text).normalised()
        #expect(once.bytes == bytes(expected))
        #expect(once.normalised() == once)
    }
}
