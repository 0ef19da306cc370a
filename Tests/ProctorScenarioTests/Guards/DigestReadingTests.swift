import ProctorHTTP
import ProctorScenario
import Testing

struct DigestReadingTests {
    private func offer(_ yaml: String) throws -> Guard.DigestOffer {
        let scenario = try load(
            """
            summary: s
            auth: { users: { u: p }, schemes: [{ digest: \(yaml) }] }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """)
        return try #require(scenario.guards.first?.schemes.first?.digest)
    }

    @Test func `every algorithm has its registered name, and null names none`() throws {
        for algorithm in DigestAlgorithm.allCases {
            #expect(try offer("{ algorithm: \(algorithm.rawValue) }").algorithm == algorithm)
        }
        #expect(try offer("{ algorithm: null }").algorithm == nil)
        #expect(try offer("{ algorithm: }").algorithm == nil)
        #expect(try offer("{}").algorithm == .md5)
    }

    @Test func `qop is one, both in their order, or none`() throws {
        #expect(try offer("{}").qops == [.authentication])
        #expect(try offer("{ qop: auth-int }").qops == [.integrity])
        #expect(try offer("{ qop: [auth-int, auth] }").qops == [.integrity, .authentication])
        #expect(try offer("{ qop: none }").qops == [])
    }

    @Test func `the parameters of the challenge are read`() throws {
        let offer = try offer(
            """
            { opaque: "", userhash: false, charset: UTF-8, domain: ["{{base}}/a", http://other.test/],
              says: { qop: auth, algorithm: '"MD5"', nonce: null, extra: '"x"' } }
            """)
        #expect(offer.opaque == "" && offer.userhash == false && offer.charset == "UTF-8")
        #expect(
            offer.domain == [
                Template(parts: [.base, .literal("/a".bytes)]), Template(parts: [.literal("http://other.test/".bytes)]),
            ])
        #expect(
            offer.overrides == [
                .init(name: "qop", raw: "auth"), .init(name: "algorithm", raw: #""MD5""#),
                .init(name: "nonce", raw: nil), .init(name: "extra", raw: #""x""#),
            ])
        let plain = try self.offer("{}")
        #expect(plain.opaque == nil && plain.userhash == nil && plain.charset == nil && plain.domain == [])
        #expect(try self.offer("{ domain: '{{base}}/a' }").domain.count == 1)
    }

    @Test func `quotes are exact unless the fixture lets any pass`() throws {
        #expect(try offer("{}").quoting == .exact)
        #expect(try offer("{ quoting: exact }").quoting == .exact)
        #expect(try offer("{ quoting: any }").quoting == .any)
    }

    @Test func `nonces are random, fixed or of a seed`() throws {
        #expect(try offer("{}").nonces == .init())
        #expect(try offer("{ nonce: random, nonce-count: any }").nonces == .init())
        #expect(try offer("{ nonce: fixed }").nonces.source == .fixed("proctor-fixed-nonce"))
        #expect(try offer("{ nonce: { fixed: 'a b' } }").nonces.source == .fixed("a b"))
        #expect(
            try offer("{ nonce: { seed: 9223372036854775807 }, uses: 1, lifetime: 1.5s, nonce-count: gapless }").nonces
                == .init(
                    source: .seed(9_223_372_036_854_775_807), uses: [1], lifetime: .milliseconds(1500), isGapless: true)
        )
    }

    @Test func `info is a proof, a wrong one, the next nonce, or several`() throws {
        #expect(try offer("{}").info == .init())
        #expect(try offer("{ info: rspauth }").info == .init(proof: .right))
        #expect(try offer("{ info: [wrong-rspauth] }").info == .init(proof: .wrong))
        #expect(try offer("{ info: nextnonce }").info == .init(givesNextNonce: true))
        #expect(try offer("{ info: [nextnonce, rspauth] }").info == .init(proof: .right, givesNextNonce: true))
    }
}
