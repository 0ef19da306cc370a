import ProctorBase
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario
@testable import ProctorTLSWire

struct TLSReadingTests {
    private func origin(_ text: String) throws -> Origin {
        let scenario = try load(
            """
            summary: s
            origins: { main: \(text) }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """)
        return scenario.origins[0]
    }

    private func program(_ tls: String) throws -> TLSProgram {
        try #require(try origin("{ scheme: https, tls: { \(tls) } }").tls)
    }

    @Test func `an origin is plain unless it says so`() throws {
        for text in ["", "{}", "{ scheme: http }", "{ tls: {} }", "{ tls: { speaks: plain } }"] {
            let plain = try origin(text)
            #expect(plain.tls == nil && plain.scheme == .http && plain.host == .address, "\(text)")
        }
    }

    @Test func `https is a valid certificate, TLS 1_2 and 1_3, and nothing special`() throws {
        let secured = try origin("{ scheme: https }")
        #expect(secured.scheme == .https)
        #expect(secured.tls == TLSProgram())
        #expect(try origin("{ scheme: https, tls: {} }").tls == TLSProgram())
        #expect(TLSProgram().certificate == "valid" && TLSProgram().clientCertificate == .none)
        #expect(TLSProgram().oldest == .tls12 && TLSProgram().newest == .tls13)
        #expect(TLSProgram().applicationProtocols == .select(["http/1.1"]))
    }

    @Test func `the scheme and what is spoken can differ`() throws {
        let odd = try origin("{ scheme: https, tls: { speaks: plain } }")
        #expect(odd.scheme == .https && odd.tls == nil)
        let dark = try origin("{ certificate: expired, tls: { speaks: tls } }")
        #expect(dark.scheme == .http && dark.tls?.certificate == "expired")
        let gone = try load("summary: s\norigins: { main: { scheme: https, role: closed } }\nexchanges: []\n").origins[
            0]
        #expect(gone.scheme == .https && gone.tls == nil)
    }

    @Test func `versions are one or a range`() throws {
        for (text, oldest, newest) in [
            ("1.0", TLSProgram.Version.tls10, TLSProgram.Version.tls10), ("\"1.3\"", .tls13, .tls13),
            ("1.0-1.2", .tls10, .tls12), ("1.1-1.1", .tls11, .tls11),
        ] {
            let program = try program("versions: \(text)")
            #expect(program.oldest == oldest && program.newest == newest, "\(text)")
        }
    }

    @Test func `every key is taken over`() throws {
        var wanted = TLSProgram()
        wanted.oldest = .tls10
        wanted.ciphers = "ALL:@SECLEVEL=0"
        wanted.suites = "TLS_AES_128_GCM_SHA256"
        wanted.groups = "P-256:X25519"
        wanted.dhBits = 1024
        wanted.applicationProtocols = .select(["spdy/3", "http/1.1"])
        wanted.serverName = .warn
        wanted.resumption = .off
        wanted.clientCertificate = .request
        wanted.clientAuthorities = .others
        #expect(
            try program(
                """
                versions: 1.0-1.3, ciphers: "ALL:@SECLEVEL=0", suites: TLS_AES_128_GCM_SHA256, groups: "P-256:X25519",
                dh: 1024, alpn: [spdy/3, http/1.1], server-name: warn, resumption: off, client-certificate: request,
                client-authorities: others
                """) == wanted)
        #expect(try program("client-certificate: after-handshake").clientCertificate == .afterHandshake)
    }

    @Test func `application protocols are selected, ignored, refused or forced`() throws {
        #expect(try program("alpn: ignore").applicationProtocols == .ignore)
        #expect(try program("alpn: refuse").applicationProtocols == .refuse)
        #expect(try program("alpn: { force: h2 }").applicationProtocols == .force("h2"))
        #expect(try program("alpn: [ignore]").applicationProtocols == .select(["ignore"]))
    }

    @Test func `localhost takes the place of an address in an authority`() throws {
        let named = try origin("{ host: localhost }")
        #expect(named.authority(at: "127.0.0.1:80") == "localhost:80")
        #expect(named.authority(at: "[::1]:4433") == "localhost:4433")
        #expect(try origin("{ host: address }").authority(at: "[::1]:4433") == "[::1]:4433")
    }

    @Test func `what has a scheme, a name or TLS needs ports of its own`() throws {
        func reason(_ origin: String) throws -> String? {
            try load(
                """
                summary: s
                origins: { main: { \(origin) } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """
            ).rootReason?.text
        }
        #expect(try reason("scheme: https") == "its origin speaks TLS")
        #expect(try reason("tls: { speaks: tls }") == "its origin speaks TLS")
        #expect(try reason("scheme: https, tls: { speaks: plain }") == "its origin has the scheme https")
        #expect(try reason("host: localhost") == "its origin is called localhost")
        #expect(try reason("scheme: http, host: address") == nil)
    }

    @Test func `the names of certificates and identities come with their places`() throws {
        let scenario = try load(
            """
            summary: s
            origins:
              main: { scheme: https, certificate: expired }
              plain: {}
              usual: { scheme: https }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              a: { client: { url: /a, onChallenge: [trust, { identity: alice }], session: { identity: bob } } }
              b: { client: [{ url: /a }, { url: /b, onChallenge: { identity: carol } }] }
            """)
        #expect(scenario.speaksTLS)
        #expect(scenario.certificateNames.map(\.name) == ["expired", "valid"])
        #expect(scenario.certificateNames.map { [$0.location.line, $0.location.column] } == [[3, 39], [5, 3]])
        #expect(Set(scenario.identityNames.map(\.name)) == ["alice", "bob", "carol"])
        #expect(scenario.identityNames.first { $0.name == "carol" }?.location.line == 9)
        let plain = try load("summary: s\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\n")
        #expect(!plain.speaksTLS && plain.certificateNames.isEmpty && plain.identityNames.isEmpty)
    }
}

struct TLSEffectReadingTests {
    /// The effects of one connection, told as texts that can be compared.
    private func effects(_ items: String) throws -> [String] {
        let scenario = try load(
            """
            summary: s
            origins: { main: { scheme: https, connections: [\(items)] } }
            exchanges: []
            """)
        return scenario.origins[0].connectionEffects.map { "\($0.position) \($0.action.row.text)" }
    }

    @Test func `a handshake without a moment means before ServerHello`() throws {
        #expect(
            try effects("{ at: handshake, do: stall }, { at: handshake server-hello, do: stall }")
                == ["handshake(ProctorTLSWire.HandshakePosition.serverHello) stall"] + [
                    "handshake(ProctorTLSWire.HandshakePosition.serverHello) stall"
                ])
    }

    @Test(arguments: ConnectionEffect.HandshakePosition.allCases)
    func `every moment of a handshake has a name`(moment: ConnectionEffect.HandshakePosition) throws {
        let scenario = try load(
            """
            summary: s
            origins: { main: { scheme: https, connections: [{ at: handshake \(moment.rawValue), do: reset, on: 1 }] } }
            exchanges: []
            """)
        let effect = try #require(scenario.origins[0].connectionEffects.first)
        #expect(effect.position == .handshake(moment) && effect.connections == 1...1)
    }

    @Test func `alerts are named or numbered`() throws {
        let found = try effects(
            """
            { at: handshake, do: alert 40 }, { at: handshake, do: alert handshake_failure },
            { at: handshake, do: alert unrecognized_name }, { at: handshake, do: alert 255 },
            { at: handshake, do: alert certificate_required }, { at: handshake, do: alert close_notify },
            { at: handshake, do: alert no_application_protocol }, { at: handshake, do: alert unknown_ca }
            """)
        #expect(found.map { $0.split(separator: " ").last } == ["40", "40", "112", "255", "116", "0", "120", "48"])
    }

    @Test func `each name of an alert has a number of its own`() {
        let numbers = AlertDescription.names.compactMap { AlertDescription.number(named: $0) }
        #expect(numbers.count == AlertDescription.names.count)
        #expect(Set(numbers).count == numbers.count && numbers == numbers.sorted())
        #expect(AlertDescription.number(named: "alert") == nil)
    }

    @Test func `a close says close_notify unless it is told not to`() throws {
        let exchanges = try load(
            """
            summary: s
            origins: { main: { scheme: https } }
            exchanges:
              - request: GET /a
                reply:
                  status: 200
                  body: [a, { do: close, notify: false }]
                  effects: [{ at: head, do: bad-mac }, { at: body 0, do: truncate-record },
                            { at: end, do: close, abrupt: true, notify: false }]
              - request: GET /b
                reply: { effects: [{ at: end, do: close }] }
            """
        ).exchanges
        let effects = exchanges.flatMap(\.replies).flatMap(\.effects).map { $0.action.row.text }
        #expect(effects == ["bad-mac", "truncate-record", "close abrupt without notify", "close"])
        guard case .structured(let message)? = exchanges[0].replies[0].message else {
            Issue.record("no message")
            return
        }
        let inline = message.body.compactMap { piece in
            if case .effect(let action) = piece { action.row.text } else { nil }
        }
        #expect(inline == ["close without notify"])
    }

    @Test func `waits in a handshake count as time for which the server holds back`() throws {
        let scenario = try load(
            """
            summary: s
            origins: { main: { scheme: https, connections: [{ at: handshake certificate, do: wait 1500ms }] } }
            exchanges: []
            """)
        #expect(scenario.heldMilliseconds == 1500)
    }
}

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
