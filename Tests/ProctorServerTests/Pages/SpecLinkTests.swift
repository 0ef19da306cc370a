import Testing

@testable import ProctorServer

/// Where a document that a fixture names can be read.
struct SpecLinkTests {
    @Test(arguments: [
        ("RFC 9110", "https://www.rfc-editor.org/rfc/rfc9110"),
        ("RFC 9110 §15.4.3", "https://www.rfc-editor.org/rfc/rfc9110#section-15.4.3"),
        ("RFC 9112, §2.2", "https://www.rfc-editor.org/rfc/rfc9112#section-2.2"),
        ("RFC 3986 Appendix B", "https://www.rfc-editor.org/rfc/rfc3986"),
        ("RFC 3986 §", "https://www.rfc-editor.org/rfc/rfc3986"),
        ("Fetch, HTTP-redirect fetch", "https://fetch.spec.whatwg.org/"),
        ("URL Standard, path state", "https://url.spec.whatwg.org/"),
        ("WHATWG URL", "https://url.spec.whatwg.org/"),
    ])
    func `a known document has an address`(document: String, address: String) {
        #expect(SpecLink.address(of: document) == address)
    }

    @Test(arguments: ["", "RFC", "RFC x", "RFC 0", "RFC -1", "rfc 9110", "Fetching", "URL", "javascript:alert(1)"])
    func `an unknown one has none`(document: String) {
        #expect(SpecLink.address(of: document) == nil)
    }
}
