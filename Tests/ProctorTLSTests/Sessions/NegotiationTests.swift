import ProctorLoop
import ProctorTLS
import ProctorTLSWire
import Testing

@Suite struct NegotiationTests {
    static let versions: [TLSVersion] = [.tls12, .tls13]

    /// What the client's offer came to: the protocol, or the alert.
    private func play(
        _ version: TLSVersion, _ rule: TLSProgram.ApplicationProtocols, offer: [String]
    ) async throws -> (String?, [String]) {
        let contexts = try await Contexts(version) {
            $0.applicationProtocols = rule
        } client: {
            $0.applicationProtocols = offer
        }
        return try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            let name = pair.server.report.applicationProtocol.map { String(decoding: $0, as: UTF8.self) }
            return (name, pair.client.report.alerts.map(\.name))
        }
    }

    @Test(arguments: versions)
    func `ALPN is selected by our order, ignored, refused or forced`(_ version: TLSVersion) async throws {
        let both = ["http/1.1", "h2"]
        #expect(try await play(version, .select(["h2", "http/1.1"]), offer: both) == ("h2", []))
        #expect(try await play(version, .select(["http/1.1"]), offer: both) == ("http/1.1", []))
        #expect(try await play(version, .select(["http/1.1"]), offer: ["h2"]) == (nil, ["no_application_protocol"]))
        #expect(try await play(version, .select(["http/1.1"]), offer: []) == (nil, []))
        #expect(try await play(version, .ignore, offer: both) == (nil, []))
        #expect(try await play(version, .refuse, offer: both) == (nil, ["no_application_protocol"]))
        #expect(try await play(version, .refuse, offer: []) == (nil, []))
    }

    @Test(arguments: versions)
    func `a server_name is refused by an alert, or warned about`(_ version: TLSVersion) async throws {
        let refused = try await Contexts(version, server: { $0.serverName = .refuse })
        let warned = try await Contexts(version, server: { $0.serverName = .warn })
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: refused.server, client: refused.client)
            pair.close()
            #expect(pair.client.report.alerts == [TLSAlert(isOurs: false, isFatal: true, number: 112)])
            let nameless = try await PairOutcome.play(
                on: loop, server: refused.server, client: refused.client, host: "127.0.0.1")
            nameless.close()
            #expect(nameless.clientFailure == nil)
            let on = try await PairOutcome.play(on: loop, server: warned.server, client: warned.client)
            defer { on.close() }
            #expect(on.clientFailure == nil)
            let warning = TLSAlert(isOurs: false, isFatal: false, number: 112)
            #expect(on.client.report.alerts == (version == .tls12 ? [warning] : []))
            try await on.exchange()
        }
    }

    @Test func `ciphers, suites and groups are what was asked for`() async throws {
        let authority = try await TestAuthority.shared
        let old = try await Contexts(.tls12, identity: authority.rsaServer) { $0.ciphers = "AES128-SHA" }
        let new = try await Contexts {
            $0.suites = "TLS_CHACHA20_POLY1305_SHA256"
            $0.groups = "P-384"
        }
        try await onLoop { loop in
            let first = try await PairOutcome.play(on: loop, server: old.server, client: old.client)
            first.close()
            #expect(first.client.report.cipherSuiteName == "TLS_RSA_WITH_AES_128_CBC_SHA")
            #expect(first.client.report.groupName == nil)
            let second = try await PairOutcome.play(on: loop, server: new.server, client: new.client)
            second.close()
            #expect(second.client.report.cipherSuiteName == "TLS_CHACHA20_POLY1305_SHA256")
            #expect(second.client.report.groupName == "secp384r1")
            #expect(second.server.report.groupName == "secp384r1")
        }
    }

    @Test(arguments: [512, 768, 1024, 2048, 3072])
    func `a Diffie–Hellman group has the bits that were asked for`(_ bits: Int) async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(.tls12, identity: authority.rsaServer) {
            $0.ciphers = "DHE-RSA-AES128-SHA"
            $0.dhBits = bits
        }
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            try #require(pair.serverFailure == nil && pair.clientFailure == nil, "\(pair)")
            #expect(pair.client.report.cipherSuiteName == "TLS_DHE_RSA_WITH_AES_128_CBC_SHA")
            try await pair.exchange()
        }
    }

    @Test func `what OpenSSL does not have is refused in a sentence`() async throws {
        for change in [
            { (setup: inout TLSProgram) in setup.ciphers = "NONE-SUCH" }, { $0.suites = "TLS_NONE" },
            { $0.groups = "P-7" }, { $0.dhBits = 640 },
        ] {
            do {
                _ = try await Contexts(server: change)
                Issue.record("it was taken")
            } catch let refusal as TLSSetupError {
                #expect(refusal.description.hasPrefix("not offered: "))
            }
        }
    }

    @Test(arguments: [TLSVersion.tls10, .tls12], ["NULL-SHA", "AES256-SHA"])
    func `null ciphers are there where OpenSSL still has them`(_ version: TLSVersion, _ cipher: String) async throws {
        let authority = try await TestAuthority.shared
        let contexts = try await Contexts(version, identity: authority.rsaServer) {
            $0.ciphers = cipher
        } client: {
            $0.ciphers = cipher
        }
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            #expect(pair.clientFailure == nil)
            try await pair.exchange()
        }
    }

    @Test func `versions that do not meet end in an alert`() async throws {
        let server = try await Contexts(.tls13).server
        let client = try await Contexts(.tls12).client
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: server, client: client)
            defer { pair.close() }
            #expect(pair.client.report.alerts.map(\.name) == ["protocol_version"])
            #expect(pair.serverFailure == .failed("unsupported protocol"))
        }
    }
}

@Suite struct VersionTests {
    @Test(arguments: TLSVersion.allCases)
    func `each version is spoken between our two sides`(_ version: TLSVersion) async throws {
        let authority = try await TestAuthority.shared
        let server = try TLSServerContext(
            TLSProgram(versions: version...version), identity: authority.server)
        let client = try TLSClientContext(
            TLSClientSetup(versions: version...version, anchors: [authority.root], securityLevel: 0))
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: server, client: client)
            defer { pair.close() }
            #expect(pair.serverFailure == nil)
            #expect(pair.clientFailure == nil)
            for report in [pair.server.report, pair.client.report] {
                #expect(report.version == version)
                #expect(report.applicationProtocol == Array("http/1.1".utf8))
                #expect(report.serverName == "localhost")
                #expect(report.alerts.isEmpty)
                #expect(report.cipherSuiteName?.hasPrefix("TLS_") == true)
            }
            #expect(pair.client.report.trust?.isTrusted == true)
            #expect(pair.client.report.peerChain == authority.server.chain)
            try await pair.exchange()
            pair.sockets.server.halfClose()
            let rest = try await pair.sockets.client.takeAll()
            #expect(rest.isEmpty)
            #expect(pair.client.report.alerts == [TLSAlert(isOurs: false, isFatal: false, number: 0)])
            #expect(!pair.client.report.wasTruncated)
        }
    }
}

@Suite struct ResumptionTests {
    static let versions: [TLSVersion] = [.tls12, .tls13]

    /// Twice, with the ticket of the first connection if there is one; whether each of them went on with a session.
    private func play(_ contexts: Contexts) async throws -> (hasTicket: Bool, isResumed: Bool) {
        try await onLoop { loop in
            let first = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            try await first.exchange()
            first.close()
            #expect(!first.client.report.isResumed)
            let ticket = first.client.ticket
            let second = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, resuming: ticket)
            defer { second.close() }
            try await second.exchange()
            let report = second.client.report
            #expect(report.isResumed == second.server.report.isResumed)
            #expect(report.trust == nil || !report.isResumed)
            return (ticket != nil, report.isResumed)
        }
    }

    @Test(arguments: versions)
    func `a session goes on over the next connection`(_ version: TLSVersion) async throws {
        let outcome = try await play(try await Contexts(version))
        #expect(outcome == (true, true))
    }

    @Test(arguments: versions)
    func `where resumption is off nothing is given`(_ version: TLSVersion) async throws {
        let outcome = try await play(try await Contexts(version, server: { $0.resumption = .off }))
        #expect(outcome == (false, false))
    }

    @Test(arguments: versions)
    func `a refused ticket means a full handshake`(_ version: TLSVersion) async throws {
        let outcome = try await play(try await Contexts(version, server: { $0.resumption = .refuse }))
        #expect(outcome == (true, false))
    }
}
