import Testing

@testable import ProctorScenario

struct TLSFactNameTests {
    private static let names: [FactName] =
        [.handshakeCount, .handshakeFailureCount]
        + FactName.TLSFact.allCases.flatMap { [.tls(index: 0, $0), .tls(index: 999_999, $0)] }

    @Test func `every name of a fact about TLS reads back as it prints`() throws {
        for name in Self.names { #expect(try FactName(parsing: name.text) == name) }
        #expect(Self.names.prefix(3).map(\.text) == ["tls.handshakes", "tls.failures", "tls[0].version"])
        #expect(try FactName(parsing: "tls[1].offered.alpn") == .tls(index: 1, .offeredALPN))
    }

    @Test(arguments: [
        ("tls.handshake", #"unknown fact "tls.handshake""#, #"did you mean "tls.handshakes"?"#),
        ("tls.version", #"unknown fact "tls.version""#, #"write "tls[0].version" for the first handshake"#),
        ("tls[0].cypher", #"unknown fact "tls[0].cypher""#, #"did you mean "tls[0].cipher"?"#),
        ("tls[x].alpn", #"expected tls[N].NAME with N from 0 to 999999, found "tls[x].alpn""#, nil),
        ("tls[0]", #"expected tls[N].NAME with N from 0 to 999999, found "tls[0]""#, nil),
        ("tls[1000000].alpn", #"expected tls[N].NAME with N from 0 to 999999, found "tls[1000000].alpn""#, nil),
    ])
    func `a name that is none says what was meant`(_ text: String, _ sentence: String, _ hint: String?) {
        #expect(throws: FactNameError(sentence: sentence, hint: hint)) { try FactName(parsing: text) }
    }
}
