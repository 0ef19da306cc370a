import Foundation
import ProctorBase
import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// What Tests/Data/commands/ca/storage.md does not show.
struct OpeningTests {
    @Test func `many that start at once agree on one authority and one key`() async throws {
        let place = try TestFolder()
        let found = try await withThrowingTaskGroup(of: [[UInt8]].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try await onThread {
                        let authority = try Authority.open(.folder("\(place.path)/ca"), catalog: Ours.catalog)
                        return [authority.certificateDER, try authority.identity("rsa1024", names: .loopback).key]
                    }
                }
            }
            return try await group.reduce(into: Set<[[UInt8]]>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
        let names = try FileManager.default.contentsOfDirectory(atPath: "\(place.path)/ca")
        #expect(!names.contains { $0.hasSuffix(".tmp") })
    }

    @Test func `an authority that has ended is named`() async throws {
        let place = try TestFolder()
        try await onThread {
            _ = try Authority.open(.folder(place.path), catalog: Ours.catalog)
            let later = Authority.systemTime() + 4_000 * DER.day
            let refusal = #expect(throws: AuthorityError.self) {
                try Authority.open(.folder(place.path), catalog: Ours.catalog, now: { later })
            }
            #expect(refusal?.description.contains("valid now") == true)
        }
    }

    @Test func `an ephemeral one leaves nothing behind`() async throws {
        try await onThread {
            let folder: String
            do {
                let authority = try Authority.open(.ephemeral(seed: nil), catalog: Ours.catalog)
                folder = authority.folder
                _ = try authority.client("alice")
                _ = try authority.identity("valid", names: .loopback)
                #expect(FileManager.default.fileExists(atPath: authority.certificatePath))
                #expect(try mode(of: folder) == 0o700)
                let names = try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
                #expect(names == ["ca.der", "ca.pem", "clients"], "no key of the authority or of a server is there")
            }
            #expect(!FileManager.default.fileExists(atPath: folder))
        }
    }
}

/// What OpenSSL says of a wrong key.
struct OpenSSLReasonTests {
    @Test func `all reasons of OpenSSL are told, the first one first`() async throws {
        let failure = try await onThread {
            #expect(throws: CallFailure.self) { _ = try PrivateKey(der: [0x30, 0x03, 0x02, 0x01]) }
        }
        #expect(
            failure?.text.contains("; ") == true && failure?.text.contains("error:") == false, "\(failure?.text ?? "")")
    }
}
