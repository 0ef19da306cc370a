import Foundation
import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// HTTP by another name: the scheme is the caller's, the connection is the one of `http`.
@Suite(.limit(minutes: 5))
struct OwnSchemeTests {
    private final class LabProtocol: ReferenceProtocol {
        override class var options: Options {
            var options = super.options
            options.ownSchemes = ["proctor-lab"]
            return options
        }
    }

    @Test func `a class takes the scheme that it is told of, and no other`() throws {
        for (url, isTaken) in [
            ("proctor-lab://127.0.0.1:81/", true), ("PROCTOR-LAB://localhost/", true), ("http://127.0.0.1/", true),
            ("proctor-lab://example.com/", false), ("proctor://127.0.0.1/", false), ("lab://127.0.0.1/", false),
        ] {
            let request = URLRequest(url: try #require(URL(string: url)))
            #expect(LabProtocol.canInit(with: request) == isTaken, "\(url)")
            #expect(ReferenceProtocol.canInit(with: request) == url.hasPrefix("http:"))
        }
    }

    @Test(arguments: [
        ("/next", "proctor-lab://127.0.0.1:81/next"), ("next?a", "proctor-lab://127.0.0.1:81/dir/next?a"),
        ("//localhost:82/x", "proctor-lab://localhost:82/x"),
        ("Proctor-Lab://localhost/x", "proctor-lab://localhost/x"),
        ("http://127.0.0.1:81/next", "http://127.0.0.1:81/next"), ("https://localhost/x", "https://localhost/x"),
    ])
    func `a redirect stays in the scheme where Location names no other`(location: String, next: String) throws {
        let url = try ClientURL(typed: "proctor-lab://127.0.0.1:81/dir/page", ownSchemes: ["proctor-lab"])
        #expect(try url.resolving(location: Array(location.utf8)).text == next)
    }

    @Test func `a URL of the own scheme has an origin and a target of http`() throws {
        let url = try ClientURL(typed: " Proctor-Lab:///a b", ownSchemes: ["other", "proctor-lab"])
        #expect(url.text == "proctor-lab://localhost/a%20b" && url.description == url.text)
        #expect(url.origin == Origin(scheme: .http, host: "localhost", port: 80))
        #expect(url.absoluteTarget == Array("http://localhost/a%20b".utf8))
        #expect(try url.called(nil) == ClientURL("http://localhost/a%20b"))
        #expect(url != url.called(nil))
        #expect(throws: ClientURLError.unsupportedScheme("proctor-lab")) {
            try ClientURL(typed: "proctor-lab://localhost/")
        }
    }
}
