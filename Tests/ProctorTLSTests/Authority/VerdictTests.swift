import Foundation
import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// What `openssl verify`, which others wrote, makes of every certificate; its verdict must be the one that is stated.
///
/// At security level 2, as libssl of Debian has it.
struct VerdictTests {
    @Test(arguments: Ours.catalog.names)
    func `the certificate of every profile is judged as its profile says`(name: String) async throws {
        let authority = try await Ours.authority()
        let profile = try #require(Ours.catalog.profiles[name])
        let identity = try await onThread { try authority.identity(name, names: .loopback) }
        let place = try TestFolder()
        let leaf = try place.write(PEMText.text("CERTIFICATE", identity.chain[0]), to: "leaf.pem")
        let rest = identity.chain.dropFirst().map { PEMText.text("CERTIFICATE", $0) }.joined()
        var words = [Ours.openssl, "verify", "-CAfile", authority.certificatePath, "-auth_level", "2"]
        words += ["-purpose", "sslserver"]
        words +=
            profile.names.hosts == .list([]) && !profile.names.isNone
            ? ["-verify_ip", "127.0.0.1"] : ["-verify_hostname", "localhost"]
        if !rest.isEmpty { words += ["-untrusted", try place.write(rest, to: "rest.pem")] }
        if profile.revocation != nil {
            let list = try await onThread { try authority.revocationList() }
            words += ["-crl_check", "-CRLfile", try place.write(PEMText.text("X509 CRL", list), to: "crl.pem")]
        }
        let outcome = try await ChildProcess.run(words + [leaf])
        let wanted = profile.verdict(of: .opensslVerify)
        #expect((outcome.status == 0) == (wanted == .accept), "\(outcome.out)\(outcome.err)")
        if wanted == .refuse {
            let reason = try #require(profile.openssl, "\(name) needs the key openssl")
            #expect(outcome.err.contains(reason), "\(outcome.err)")
        }
    }

    @Test(arguments: Ours.catalog.names.filter { Ours.catalog.profiles[$0]?.verdict(of: .opensslVerify) == .accept })
    func `what is to be accepted obeys the strict rules as well`(name: String) async throws {
        let authority = try await Ours.authority()
        let profile = try #require(Ours.catalog.profiles[name])
        let identity = try await onThread { try authority.identity(name, names: .loopback) }
        let place = try TestFolder()
        let leaf = try place.write(PEMText.text("CERTIFICATE", identity.chain[0]), to: "leaf.pem")
        let outcome = try await ChildProcess.run([
            Ours.openssl, "verify", "-x509_strict", "-CAfile", authority.certificatePath, "-untrusted",
            try place.write(identity.chainPEM, to: "chain.pem"), "-purpose", "sslserver", leaf,
        ])
        #expect(outcome.status == 0, "\(profile.name): \(outcome.err)")
    }

    @Test(arguments: Ours.catalog.clientNames)
    func `every client identity is judged as its profile says`(name: String) async throws {
        let authority = try await Ours.authority()
        let profile = try #require(Ours.catalog.clients[name])
        let identity = try await onThread { try authority.client(name) }
        var words = [Ours.openssl, "verify", "-CAfile", authority.certificatePath, "-auth_level", "2"]
        words += ["-purpose", "sslclient", "-untrusted", identity.certificatePath, identity.certificatePath]
        let outcome = try await ChildProcess.run(words)
        #expect((outcome.status == 0) == (profile.verdict == .accept), "\(outcome.out)\(outcome.err)")
        if let reason = profile.openssl { #expect(outcome.err.contains(reason), "\(outcome.err)") }
    }

    @Test func `every exception is one of a verdict that differs`() {
        for profile in Ours.catalog.profiles.values {
            for exception in profile.exceptions { #expect(exception.verdict != profile.verdict, "\(profile.name)") }
        }
    }

    @Test func `the shipped profiles have no errors, and those that fixtures name are there`() {
        let (catalog, diagnostics) = CertificateCatalog.load(folders: ["\(Ours.project)/certs"])
        #expect(diagnostics.isEmpty, "\(diagnostics)")
        let needed = """
            valid self-signed expired not-yet-valid wrong-host no-common-name no-san ip-only wildcard untrusted-root \
            incomplete-chain reversed-chain long-chain intermediate-expired not-a-ca path-length name-constraints revoked \
            staple-good staple-revoked staple-expired staple-wrong-serial must-staple sha1 md5 rsa512 rsa1024 rsa2048 \
            rsa4096 rsa8192 ecc256 ecc384 ed25519 wrong-key-usage wrong-extended-key-usage sans-1000 huge \
            duplicate-serial critical-extension
            """
        #expect(Set(needed.split(separator: " ").map(String.init)).isSubset(of: catalog.names))
        #expect(Set(["alice", "expired", "stranger", "wrong-usage"]).isSubset(of: catalog.clientNames))
    }
}

/// What the tests of certificates share: the shipped profiles, and one authority for all of them.
enum Ours {
    /// The checkout that these tests stand in.
    static let project: String = {
        // .../Tests/ProctorTLSTests/Authority/VerdictTests.swift
        let parts = #filePath.split(separator: "/", omittingEmptySubsequences: false)
        return parts.dropLast(4).joined(separator: "/")
    }()

    /// As it is shipped; what is wrong with it is found by a test of its own.
    static let catalog = CertificateCatalog.load(folders: ["\(project)/certs"]).catalog

    private static let opened = Locked<Authority?>(nil)

    /// Made by the first test that wants it; its folder goes when the tests are over.
    static func authority() async throws -> Authority {
        try await onThread {
            try opened.withLock { opened in
                if let opened { return opened }
                let authority = try Authority.open(.ephemeral(seed: nil), catalog: catalog)
                opened = authority
                atexit { Ours.opened.withLock { $0?.close() } }
                return authority
            }
        }
    }

    static let openssl =
        ["/usr/bin/openssl", "/opt/homebrew/opt/openssl@3/bin/openssl", "/usr/local/bin/openssl"]
        .first { FileManager.default.isExecutableFile(atPath: $0) } ?? "/usr/bin/openssl"
}

func mode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
}

func mode(of path: String) throws -> Int {
    let attributes = try FileManager.default.attributesOfItem(atPath: path)
    return (attributes[.posixPermissions] as? NSNumber)?.intValue ?? -1
}
