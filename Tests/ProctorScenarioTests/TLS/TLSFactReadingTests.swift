import ProctorScenario
import Testing

struct TLSFactReadingTests {
    private func read(_ facts: String, origin: String = "{ scheme: https }") throws -> Case {
        let scenario = try load(
            """
            summary: s
            origins: { main: \(origin) }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: \(facts) } }
            """)
        return try #require(scenario.cases.first)
    }

    @Test func `every fact of a handshake can be asked for`() throws {
        let item = try read(
            """
            { tls.handshakes: { min: 1 }, tls.failures: 0, 'tls[0].version': 1.3, 'tls[0].cipher': TLS_AES_128_GCM_SHA256,
              'tls[0].group': x25519, 'tls[0].alpn': http/1.1, 'tls[0].server-name': null, 'tls[0].resumed': false,
              'tls[0].certificate': valid, 'tls[0].client': alice, 'tls[0].alert': null, 'tls[0].end': secured,
              'tls[1].offered.versions': [1.3, 1.2], 'tls[1].offered.alpn': http/1.1, 'tls[1].offered.ciphers': [x],
              'tls[1].offered.groups': [], 'tls[1].offered.extensions': { same: 'tls[0].offered.extensions' } }
            """)
        #expect(item.facts.count == 17)
    }

    @Test func `origins that speak otherwise than their scheme says are known to the case`() throws {
        #expect(try read("{}").contraryOrigins == [])
        #expect(try read("{}", origin: "{ scheme: https, tls: { speaks: plain } }").contraryOrigins == ["main"])
        #expect(try read("{}", origin: "{ scheme: http, tls: { speaks: tls } }").contraryOrigins == ["main"])
        #expect(try read("{}", origin: "{ scheme: http }").contraryOrigins == [])
    }
}
