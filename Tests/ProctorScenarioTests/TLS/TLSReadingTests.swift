import ProctorBase
import ProctorScenario
import Testing

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
