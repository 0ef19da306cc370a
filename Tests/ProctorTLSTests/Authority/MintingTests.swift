import ProctorBase
import ProctorTLSWire
import ProctorTestSupport
import Testing

@testable import ProctorTLS

/// What is minted, for whom, and how often.
struct MintingTests {
    /// RSA signatures are reproducible, ECDSA signatures never are.
    @Test func `the same seed gives the same certificates, another one others`() async throws {
        let names = Ours.catalog.names.filter { Ours.catalog.profiles[$0]?.key != .rsa8192 }
        let chains = try await onThread {
            let now = Authority.systemTime()
            return try ([7, 7, 8] as [UInt64]).map { seed in
                let authority = try Authority.open(.ephemeral(seed: seed), catalog: Ours.catalog, now: { now })
                return try names.map { name in
                    let identity = try authority.identity(name, names: .loopback)
                    return identity.chain + [identity.key, identity.staple ?? [], authority.certificateDER]
                }
            }
        }
        #expect(chains[0] == chains[1])
        for (one, other) in zip(chains[0], chains[2]) {
            let common = one.filter { !$0.isEmpty && other.contains($0) }
            #expect(common.isEmpty)
        }
    }

    @Test func `what was minted is kept, for just those names`() async throws {
        let authority = try await Ours.authority()
        let names = CertificateNames(hosts: ["kept.example.org"], addresses: [])
        #expect(authority.cachedIdentity("valid", names: names) == nil)
        let identity = try await onThread { try authority.identity("valid", names: names) }
        #expect(authority.cachedIdentity("valid", names: names) == identity)
        #expect(authority.cachedIdentity("valid", names: names.asked(for: "b.test")) == nil)
        #expect(authority.cachedIdentity("ecc256", names: names) == nil)
        #expect(try await onThread { try authority.identity("valid", names: names) } == identity)
    }

    @Test func `those who want the same at once get the same`() async throws {
        let authority = try await Ours.authority()
        let names = CertificateNames(hosts: ["at-once.test"], addresses: [])
        let found = try await withThrowingTaskGroup(of: ServerIdentity.self) { group in
            for _ in 0..<16 { group.addTask { try await onThread { try authority.identity("rsa3072", names: names) } } }
            return try await group.reduce(into: Set<ServerIdentity>()) { $0.insert($1) }
        }
        #expect(found.count == 1)
    }

    @Test func `the next day it is minted anew, with the same key`() async throws {
        let clock = Locked(Authority.systemTime())
        try await onThread {
            let authority = try Authority.open(
                .ephemeral(seed: nil), catalog: Ours.catalog, now: { clock.withLock { $0 } })
            let first = try authority.identity("expired", names: .loopback)
            let client = try authority.client("alice")
            clock.withLock { $0 += DER.day }
            #expect(authority.cachedIdentity("expired", names: .loopback) == nil)
            let second = try authority.identity("expired", names: .loopback)
            #expect(first.serial != second.serial && first.key == second.key && first.chain != second.chain)
            let other = try authority.client("alice")
            #expect(other.chain != client.chain && other.key == client.key)
        }
    }

    @Test func `a profile that is not there is answered with the nearest`() async throws {
        let authority = try await Ours.authority()
        let refusal = await #expect(throws: AuthorityError.self) {
            try await onThread { try authority.identity("expird", names: .loopback) }
        }
        #expect(refusal?.description == "there is no certificate 'expird'; did you mean 'expired'?")
        #expect(refusal?.reason == .unknownName)
    }

    @Test func `sizes, serials and needs are what the profiles say`() async throws {
        let authority = try await Ours.authority()
        let found = try await onThread {
            try ["huge", "sans-10000", "duplicate-serial", "rsa512", "sha1", "rsa1024", "valid", "long-chain"].map {
                try authority.identity($0, names: .loopback)
            }
        }
        #expect(found[0].chain[0].count > 2 * 16_384 && found[1].chain[0].count > 100 * 1_024)
        #expect(found[2].serial == [0x12, 0x67])
        #expect(found[3].neededSecurityLevel == 0 && found[3].maximumVersion == .tls12)
        #expect(found[4].neededSecurityLevel == 0 && found[5].neededSecurityLevel == 1)
        #expect(found[6].neededSecurityLevel == 2 && found[6].maximumVersion == nil)
        #expect(found[7].chain.count == 7)
        let other = CertificateNames(hosts: ["other.test"], addresses: [])
        let second = try await onThread { try authority.identity("duplicate-serial", names: other) }
        #expect(second.serial == found[2].serial && second.chain != found[2].chain)
    }

    @Test func `what OpenSSL can't sign is not offered`() async throws {
        var profile = CertificateProfile(
            name: "odd", role: .server, summary: "ECDSA with MD5",
            location: SourceLocation(file: "odd.yaml", line: 1, column: 1))
        profile.anchor = .itself
        profile.digest = .md5
        var catalog = CertificateCatalog()
        catalog.add(profile)
        let refusal = await #expect(throws: AuthorityError.self) {
            try await onThread { [catalog] in
                try Authority.open(.ephemeral(seed: nil), catalog: catalog).identity("odd", names: .loopback)
            }
        }
        #expect(refusal?.reason == .notOffered && refusal?.description.contains("'odd' can't be offered") == true)
    }

    @Test func `more than is kept is forgotten, the oldest first`() {
        var state = AuthorityState()
        func key(_ number: Int) -> AuthorityState.Key {
            AuthorityState.Key(
                profile: "p", names: CertificateNames(hosts: ["\(number).test"], addresses: []), revocation: nil)
        }
        for number in 0...AuthorityState.limit {
            state.store(ServerIdentity(chain: [], key: [], profile: "p"), for: key(number))
        }
        #expect(state.identity(key(0), at: 0) == nil && state.identity(key(1), at: 0) != nil)
        var register = RevocationRegister()
        for number in 0...RevocationRegister.limit {
            register.record([1, UInt8(number >> 8), UInt8(number & 0xFF)], isRevoked: number % 2 == 0, since: 5)
        }
        #expect(register[[1, 0, 0]] == nil && register[[1, 0, 1]] != nil)
        #expect(register.revoked.count == RevocationRegister.limit / 2)
    }
}
