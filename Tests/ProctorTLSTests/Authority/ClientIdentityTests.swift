import Foundation
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// Identities of clients, and the files that hold them.
struct ClientIdentityTests {
    @Test func `an identity is known by its key, also when another process made it before`() async throws {
        let place = try TestFolder()
        try await onThread {
            let one = try Authority.open(.folder("\(place.path)/ca"), catalog: Ours.catalog)
            let alice = try one.client("alice")
            #expect(one.facts(of: alice.chain[0]).name == "alice")
            let other = try Authority.open(.folder("\(place.path)/ca"), catalog: Ours.catalog)
            #expect(other.facts(of: alice.chain[0]) == CertificateFacts(subject: "CN=Alice,O=Proctor", name: "alice"))
            let foreign = try Authority.open(.ephemeral(seed: nil), catalog: Ours.catalog)
            #expect(foreign.facts(of: alice.chain[0]).name == nil)
            #expect(foreign.facts(of: alice.chain[0]).subject == "CN=Alice,O=Proctor")
        }
    }

    @Test func `facts are told without a look at files`() async throws {
        let place = try TestFolder()
        try await onThread {
            let alice = try Authority.open(.folder("\(place.path)/ca"), catalog: Ours.catalog).client("alice")
            let other = try Authority.open(.folder("\(place.path)/ca"), catalog: Ours.catalog)
            try FileManager.default.removeItem(atPath: "\(place.path)/ca/keys")
            #expect(other.facts(of: alice.chain[0]).name == "alice")
        }
    }

    @Test func `identities are printed without their keys`() async throws {
        let authority = try await Ours.authority()
        let client = try await onThread { try authority.client("alice") }
        let server = try await onThread { try authority.identity("ed25519", names: .loopback) }
        var text = "\(client) \(server) \(String(reflecting: client)) \(String(reflecting: [server]))"
        dump(client, to: &text)
        dump(server, to: &text)
        #expect(text.contains("alice") && text.contains("ed25519") && text.contains("chain"))
        for key in [client.key, server.key] {
            #expect(!Mirror(reflecting: client).children.contains { $0.value as? [UInt8] == key })
            #expect(!Mirror(reflecting: server).children.contains { $0.value as? [UInt8] == key })
            #expect(!text.contains("\(key)"))
        }
    }

    @Test func `what is no certificate has no facts`() async throws {
        let authority = try await Ours.authority()
        let certificate = authority.certificateDER
        #expect(authority.facts(of: certificate).subject.hasPrefix("CN=Proctor LOCAL TEST authority of "))
        for end in 0..<certificate.count { #expect(authority.facts(of: Array(certificate[..<end])).subject.isEmpty) }
        #expect(authority.facts(of: certificate + [0]).subject.isEmpty)
    }
}
