import ProctorBase
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct RootTests {
    struct Row: CustomTestStringConvertible {
        let header: String
        /// nil: it stays below the base.
        let reason: String?
        var request = "GET /a/b"
        var testDescription: String { "\(request), \(header)" }
    }

    static let rows: [Row] = [
        Row(header: "Location: /c", reason: #"the Location "/c" is an absolute path"#),
        Row(header: "location: //host/c", reason: #"the location "//host/c" is an absolute path"#),
        Row(header: "Location: '{{base}}/c'", reason: nil),
        Row(header: "Location: '{{base}}'", reason: nil),
        Row(header: "Location: '{{base}}?q'", reason: nil),
        Row(header: "Location: '{{base}}/a/../b'", reason: nil),
        Row(header: "Location: '{{base}}/../b'", reason: "the Location climbs above {{base}}"),
        Row(header: "Location: '{{base}}/%2e%2E/b'", reason: "the Location climbs above {{base}}"),
        Row(header: "Location: '{{origin}}/c'", reason: "the Location contains {{origin}}"),
        Row(header: "Location: 'http://{{authority}}/c'", reason: "the Location contains {{authority}}"),
        Row(header: "Location: c", reason: nil),
        Row(header: "Location: ''", reason: nil),
        Row(header: "Location: '?q=/../..'", reason: nil),
        Row(header: "Location: '#f'", reason: nil),
        Row(header: "Location: ../c", reason: nil),
        Row(header: "Location: x/../../c", reason: nil),
        Row(header: "Location: ../../c", reason: #"the Location "../../c" climbs above {{base}}"#),
        Row(header: "Location: ../c", reason: #"the Location "../c" climbs above {{base}}"#, request: "GET /a"),
        Row(header: "Location: http://example.com/", reason: nil),
        Row(header: "Location: file:/etc/passwd", reason: nil),
        Row(header: "Content-Location: /c", reason: #"the Content-Location "/c" is an absolute path"#),
        Row(header: "Refresh: 5; url=/c", reason: #"the Refresh "/c" is an absolute path"#),
        Row(header: "Refresh: '5; URL={{base}}/c'", reason: nil),
        Row(header: "Refresh: 5", reason: nil),
        Row(header: "Link: '</c>; rel=next'", reason: #"the Link "/c" is an absolute path"#),
        Row(header: "Link: '<{{base}}/c>; rel=a, <{{origin}}>; rel=b'", reason: "the Link contains {{origin}}"),
        Row(header: "Link: '<{{base}}/c>; rel=a, <d>; rel=/e'", reason: nil),
        Row(header: "Set-Cookie: a=b; path=/c", reason: #"the Set-Cookie has the absolute path "/c""#),
        Row(header: "Set-Cookie: a=/b", reason: nil),
        Row(header: "X-Location: /c", reason: nil),
    ]

    @Test(arguments: rows)
    func `a field that leaves the base needs a root`(row: Row) throws {
        let scenario = try load(
            "summary: s\nexchanges:\n  - request: \(row.request)\n    reply: { status: 302, headers: [\(row.header)] }\n"
                .replacing("[\(row.header)]", with: "[{ \(row.header) }]"))
        #expect(scenario.rootReason?.text == row.reason)
        if row.reason != nil { #expect(scenario.rootReason?.location.line == 4) }
    }

    @Test func `other reasons for a root`() throws {
        func reason(_ yaml: String) throws -> String? {
            try load("summary: s\n" + yaml).rootReason?.text
        }
        let plain = "exchanges: [{ request: GET /a, reply: { status: 200 } }]\n"
        #expect(try reason(plain) == nil)
        #expect(try reason("origins: { main: {} }\n" + plain) == nil)
        #expect(try reason("origins: { other: {} }\n" + plain) == "it has 2 origins")
        #expect(
            try reason("origins: { main: { connections: [{ at: accept, do: wait 1s }] } }\n" + plain)
                == "it has effects on connections")
        #expect(try reason("origins: { main: { role: closed } }\nexchanges: []\n") == "nothing listens at its origin")
        #expect(
            try reason("origins: { main: { role: unaccepting } }\nexchanges: []\n")
                == "its origin never accepts a connection")
        #expect(
            try reason("origins: { main: { role: unreachable } }\nexchanges: []\n") == "its origin cannot be reached")
        #expect(
            try reason(
                "origins: { main: { receive-buffer: 4096 } }\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\n"
            ) == "its origin has a receive buffer of its own")
        #expect(
            try reason("exchanges: [{ request: OPTIONS *, reply: { status: 200 } }]\n")
                == #"the request "OPTIONS *" is not in origin-form"#)
        #expect(
            try reason("exchanges: [{ request: GET http://a/b, reply: { status: 200 } }]\n")
                == #"the request "GET http://a/b" is not in origin-form"#)
        #expect(
            try reason("exchanges: [{ request: CONNECT a:443, reply: { status: 200 } }]\n")
                == #"the request "CONNECT a:443" is not in origin-form"#)
        #expect(
            try reason(
                "exchanges: [{ request: GET /a, reply: { status: 200, interim: [{ status: 103, headers: { Link: </x> } }] } }]\n"
            ) == #"the Link "/x" is an absolute path"#)
    }
}
