import Foundation
import ProctorBase
import ProctorLoop
import ProctorTLSWire
import ProctorTestSupport
import Testing

@testable import ProctorTLS

private final class Alerting: HandshakeScript, @unchecked Sendable {
    let place: HandshakePosition
    let number: UInt8
    private(set) var wasSent: Bool?

    init(_ number: UInt8, at place: HandshakePosition) {
        self.number = number
        self.place = place
    }

    func reach(_ moment: HandshakePosition, of session: TLSSession) async throws(HandshakeFailure) {
        guard moment == place else { return }
        wasSent = session.send(alert: number)
    }
}

@Suite struct AlertTests {
    @Test(arguments: TLSVersion.allCases, HandshakePosition.allCases)
    func `an alert of any number is understood at every moment`(
        _ version: TLSVersion, _ moment: HandshakePosition
    ) async throws {
        let contexts = try await Contexts(version, server: { $0.canAlert = true })
        try await onLoop { loop in
            let script = Alerting(80, at: moment)
            let pair = try await PairOutcome.play(
                on: loop, server: contexts.server, client: contexts.client, script: script)
            defer { pair.close() }
            #expect(script.wasSent == true)
            #expect(pair.serverFailure == .ended)
            if pair.clientFailure == nil {
                await #expect(throws: SocketError.self) { _ = try await pair.sockets.client.take(1) }
            }
            #expect(pair.client.report.alerts == [TLSAlert(isOurs: false, isFatal: true, number: 80)])
        }
    }

    static let ciphers: [(TLSVersion, String)] = [
        (.tls13, "TLS_AES_128_GCM_SHA256"), (.tls13, "TLS_AES_256_GCM_SHA384"),
        (.tls13, "TLS_CHACHA20_POLY1305_SHA256"),
        (.tls13, "TLS_AES_128_CCM_SHA256"), (.tls13, "TLS_AES_128_CCM_8_SHA256"),
        (.tls12, "ECDHE-ECDSA-AES128-GCM-SHA256"), (.tls12, "ECDHE-ECDSA-AES256-GCM-SHA384"),
        (.tls12, "ECDHE-ECDSA-CHACHA20-POLY1305"), (.tls12, "ECDHE-ECDSA-AES128-CCM"),
        (.tls12, "ECDHE-ECDSA-AES128-CCM8"), (.tls12, "ECDHE-ECDSA-AES128-SHA"),
        (.tls12, "ECDHE-ECDSA-AES256-SHA384"), (.tls12, "ECDHE-ECDSA-NULL-SHA"), (.tls11, "ECDHE-ECDSA-AES256-SHA"),
        (.tls10, "ECDHE-ECDSA-AES128-SHA"), (.tls10, "ECDHE-ECDSA-NULL-SHA"),
    ]

    @Test(arguments: ciphers)
    func `an alert is encrypted as the data before it was`(_ version: TLSVersion, _ cipher: String) async throws {
        let contexts = try await Contexts(version) {
            $0.canAlert = true
            if version == .tls13 { $0.suites = cipher } else { $0.ciphers = cipher }
        } client: {
            if version == .tls13 { $0.suites = cipher } else { $0.ciphers = cipher }
        }
        try await onLoop { loop in
            let pair = try await PairOutcome.play(on: loop, server: contexts.server, client: contexts.client)
            defer { pair.close() }
            try #require(pair.clientFailure == nil)
            try await pair.exchange()
            try await pair.exchange([UInt8](repeating: 5, count: 50_000))
            #expect(pair.server.send(alert: 49))
            do {
                _ = try await pair.sockets.client.take(1)
                Issue.record("it was taken")
            } catch let error as SocketError {
                #expect("\(error)".contains("alert access denied"))
            }
            #expect(pair.client.report.alerts.map(\.number) == [49])
        }
    }
}

/// Where the secrets of sessions may be written.
struct KeyLogTests {
    private func refusal(_ path: String) async throws -> CallFailure? {
        try await onThread { #expect(throws: CallFailure.self) { _ = try KeyLog(path: path) } }
    }

    @Test func `lines are appended to a file of the owner's own`() async throws {
        let place = try TestFolder()
        let path = try place.write("before\n", to: "keys.log")
        try mode(0o600, of: path)
        try await onThread { try KeyLog(path: path).append(Array("after".utf8)) }
        #expect(try String(contentsOfFile: path, encoding: .utf8) == "before\nafter\n")
    }

    @Test(arguments: [0o644, 0o620, 0o601])
    func `a file that others may look at is left alone`(wide: Int) async throws {
        let place = try TestFolder()
        let path = try place.write("before\n", to: "keys.log")
        try mode(wide, of: path)
        let refusal = try await refusal(path)
        #expect(refusal?.text.hasSuffix("chmod 600 \(path)") == true, "\(String(describing: refusal))")
    }

    @Test func `a link, a pipe and a folder are no places for it`() async throws {
        let place = try TestFolder()
        let path = try place.write("", to: "keys.log")
        try mode(0o600, of: path)
        try FileManager.default.createSymbolicLink(atPath: "\(place.path)/link", withDestinationPath: path)
        #expect(try await refusal("\(place.path)/link")?.text.contains("symbolic link") == true)
        let isMade = unsafe mkfifo("\(place.path)/pipe", 0o600) == 0
        #expect(isMade)
        _ = try await refusal("\(place.path)/pipe")
        let reader = unsafe open("\(place.path)/pipe", O_RDONLY | O_NONBLOCK)
        defer { close(reader) }
        #expect(try await refusal("\(place.path)/pipe")?.text.contains("regular file") == true)
        _ = try await refusal(place.path)
    }
}
