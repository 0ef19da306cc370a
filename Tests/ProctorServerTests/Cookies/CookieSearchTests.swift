import ProctorHTTP
import ProctorScenario
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Which replies are searched for cookies is known when a scenario is loaded.
struct CookieSearchTests {
    static func compiled(_ replies: String...) throws -> CompiledScenario {
        let exchanges = replies.enumerated().map { "  - { request: GET /\($0), reply: \($1) }" }
        return CompiledScenario(
            try scenario((["summary: replies", "exchanges:"] + exchanges).joined(separator: "\n")))
    }

    @Test func `replies that speak of Set-Cookie, and no others`() throws {
        let compiled = try Self.compiled(
            "{ status: 200, body: Set-Cookie }", "{ status: 200, headers: { SET-cookie: a=1 } }",
            #"{ raw: "HTTP/1.1 200 OK\r\n\r\n" }"#, #"{ raw: "HTTP/1.1 200 OK\r\nset-COOKIE: a=1\r\n\r\n" }"#,
            #"{ raw: "HTTP/1.1 200 OK\r\nDate: {{now}}\r\nSet-Cooki: a=1\r\n\r\n" }"#,
            #"{ raw: "HTTP/1.1 200 OK\r\nDate: {{now}}\r\nSet-Cookie: a=1\r\n\r\n" }"#)
        #expect(compiled.replies.map(\.mentionsSetCookie) == [false, true, false, true, false, true])
        #expect(compiled.watchesCookies)
        #expect(try !Self.compiled("{ status: 200, body: Set-Cookie }").watchesCookies)
    }

    @Test func `no cookies are searched where they are not judged`() throws {
        let compiled = try Self.compiled(#"{ raw: "HTTP/1.1 200 OK\r\nSet-Cookie: a=1\r\n\r\n" }"#)
        let addresses = StageAddresses.origins([Array("127.0.0.1:1".utf8)], schemes: [.http])
        #expect(ClientCookies(compiled, addresses, RunClock(), startsOver: false) != nil)
        #expect(ClientCookies(compiled, addresses, RunClock(), startsOver: true) == nil)
        let silent = try Self.compiled("{ status: 200, body: ok }")
        #expect(ClientCookies(silent, addresses, RunClock(), startsOver: false) == nil)
    }
}
