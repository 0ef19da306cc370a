import ProctorBase
import ProctorEvents
import ProctorProgram
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario
@testable import ProctorTLSWire

struct ProtocolReadingTests {
    private func origin(_ text: String) throws -> Origin {
        try load("summary: s\norigins: { main: \(text) }\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\n")
            .origins[0]
    }

    @Test func `an origin speaks HTTP 1_1 unless it says so`() throws {
        let plain = try origin("{}")
        #expect(plain.ownProtocols == nil && plain.protocols == [.http11] && !plain.speaksHTTP2)
        let said = try origin("{ protocols: [http/1.1] }")
        #expect(said.ownProtocols == [.http11] && !said.speaksHTTP2)
    }

    @Test(arguments: [
        ("[h2]", [ApplicationProtocol.h2]), ("[h2, http/1.1]", [.h2, .http11]), ("[http/1.1, h2]", [.http11, .h2]),
    ])
    func `protocols keep their order, and ALPN selects from them`(text: String, wanted: [ApplicationProtocol]) throws {
        let plain = try origin("{ protocols: \(text) }")
        #expect(plain.protocols == wanted && plain.speaksHTTP2 && plain.tls == nil)
        let secured = try origin("{ scheme: https, protocols: \(text) }")
        #expect(secured.tls?.applicationProtocols == .select(wanted.map(\.rawValue)))
        #expect(!secured.hasOwnALPN)
    }

    @Test func `the handshake may say something else`() throws {
        let lying = try origin("{ scheme: https, protocols: [h2], tls: { alpn: [http/1.1] } }")
        #expect(lying.protocols == [.h2] && lying.hasOwnALPN)
        #expect(lying.tls?.applicationProtocols == .select(["http/1.1"]))
        let listed = try origin("{ scheme: https, protocols: [http/1.1, h2], tls: { alpn: [h2] } }")
        #expect(listed.tls?.applicationProtocols == .select(["h2"]) && listed.speaksHTTP2)
        let forced = try origin("{ scheme: https, tls: { alpn: { force: h2 } } }")
        #expect(forced.tls?.applicationProtocols == .force("h2") && !forced.speaksHTTP2 && forced.hasOwnALPN)
        #expect(try !origin("{ scheme: https, tls: { versions: 1.3 } }").hasOwnALPN)
    }

    @Test func `a run replaces what an origin does not say itself`() throws {
        #expect(try origin("{}").protocols(inRunOf: .h2) == [.h2])
        #expect(try origin("{}").protocols(inRunOf: .http11) == [.http11])
        #expect(try origin("{ protocols: [http/1.1, h2] }").protocols(inRunOf: .h2) == [.http11, .h2])
        #expect(try origin("{ protocols: [h2] }").protocols(inRunOf: .http11) == [.h2])
    }

    @Test func `ALPN follows what a run is to speak, unless the fixture says it`() throws {
        #expect(try origin("{ scheme: https }").tls(inRunOf: .h2)?.applicationProtocols == .select(["h2"]))
        #expect(try origin("{ scheme: https }").tls(inRunOf: .http11)?.applicationProtocols == .select(["http/1.1"]))
        let own = try origin("{ scheme: https, protocols: [http/1.1, h2] }")
        #expect(own.tls(inRunOf: .h2)?.applicationProtocols == .select(["http/1.1", "h2"]))
        let lying = try origin("{ scheme: https, protocols: [h2], tls: { alpn: refuse } }")
        #expect(lying.tls(inRunOf: .h2)?.applicationProtocols == .refuse)
        #expect(try origin("{}").tls(inRunOf: .h2) == nil)
    }

    @Test func `a client must speak HTTP 2 where nothing else is spoken, or the run asks for it`() throws {
        func item(_ protocols: String) throws -> Case {
            try load(
                """
                summary: s
                origins: { main: { \(protocols) } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { c: { client: { url: /a }, wire: request(GET /a) } }
                """
            ).cases[0]
        }
        #expect(try item("protocols: [h2]").speaksHTTP2)
        for text in ["", "protocols: [http/1.1]", "protocols: [h2, http/1.1]"] {
            #expect(try !item(text).speaksHTTP2)
            #expect(try item(text).asked(inRunOf: .h2).needs == [.h2])
            #expect(try item(text).asked(inRunOf: .http11).needs == [])
        }
        let context = TemplateContext(base: "http://127.0.0.1:1".bytes, authorities: ["127.0.0.1:1".bytes])
        let asked = try item("").asked(inRunOf: .h2).assignment(scenario: "a", in: context)
        #expect(asked.protocolName == "h2" && asked.needs == ["h2"])
        #expect(try item("").assignment(scenario: "a", in: context).protocolName == nil)
    }

    @Test func `HTTP 2 needs ports of its own`() throws {
        let reason = try reason(of: "{ protocols: [h2, http/1.1] }")
        #expect(reason?.text == "its origin speaks HTTP/2" && reason?.needsPort == true)
        #expect(try self.reason(of: "{ protocols: [http/1.1] }") == nil)
    }

    private func reason(of origin: String) throws -> Scenario.RootReason? {
        try load("summary: s\norigins: { main: \(origin) }\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\n")
            .rootReason
    }
}
