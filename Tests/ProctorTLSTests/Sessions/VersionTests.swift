import ProctorLoop
import ProctorTLS
import Testing

@Suite struct VersionTests {
    @Test(arguments: TLSVersion.allCases)
    func `each version is spoken between our two sides`(_ version: TLSVersion) async throws {
        let authority = try await TestAuthority.shared
        let server = try TLSServerContext(
            TLSServerSetup(versions: version...version), identity: authority.server)
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
