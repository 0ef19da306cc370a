import Foundation
import ProctorLoop
import ProctorScenario
import ProctorTLS
import ProctorTestSupport
import Testing

@testable import ProctorReplies
@testable import ProctorServer
@testable import ProctorServing
@testable import ProctorTLSWire

/// The contexts that a server keeps: their bounds, and their end.
@Suite(.limit(minutes: 5))
struct TLSContextsTests {
    private func key(_ profile: String, _ host: String = "localhost") -> TLSContexts.Key {
        TLSContexts.Key(
            profile: profile, setup: TLSProgram(), names: CertificateNames(hosts: [host], addresses: []))
    }

    private func finished(_ minting: Minting) async {
        while minting.result == nil { await Task.yield() }
    }

    /// A key of 4096 bits takes a second, and no client that wants another one waits for it.
    @Test func `small keys do not wait behind large ones, and more mintings than a bound are refused`() async throws {
        var configuration = ServerConfiguration()
        configuration.authority = .ephemeral(seed: 1)
        let contexts = TLSContexts(configuration)
        let opened = try await contexts.open()
        // No key is as slow as this thread, which waits for the test.
        let gate = DispatchSemaphore(value: 0)
        let threads = TLSContexts.threads(for: ["rsa4096"], in: opened)
        threads.add(within: .ofInput) { _ in gate.wait() }
        defer { gate.signal() }
        let large = (1..<TLSContexts.mintingLimit).map { key("rsa4096", "h\($0).test") }
        for key in large { _ = try contexts.find(key) }
        guard case .making(let small) = try contexts.find(key("ecc256")) else {
            Issue.record("nothing was minted before")
            return
        }
        await finished(small)
        guard case .making(let last) = try contexts.find(key("rsa4096", "last.test")) else {
            Issue.record("nothing was minted before")
            return
        }
        #expect(last.result == nil)
        let refusal = #expect(throws: SecurityRefusal.self) { try contexts.find(key("ed25519")) }
        #expect(refusal?.reason == .busy)
        #expect(refusal?.description.hasPrefix("64 certificates are being made already") == true)
        gate.signal()
        // The thread of large keys takes one after the other.
        await threads.run(within: .ofInput) { _ in }
        #expect(last.result != nil)
        _ = try contexts.find(key("ed25519"))
        contexts.close()
    }

    /// Primes of 8192 bits take up to 22 seconds, more than a client's deadline.
    @Test func `a certificate whose large key is there does not wait behind the making of another one`() async throws {
        var configuration = ServerConfiguration()
        configuration.authority = .ephemeral(seed: 1)
        let contexts = TLSContexts(configuration)
        let opened = try await contexts.open()
        let threads = TLSContexts.threads(for: ["rsa4096"], in: opened)
        #expect(threads === TLSContexts.threads(for: ["rsa8192"], in: opened))
        #expect(threads !== TLSContexts.threads(for: ["rsa3072"], in: opened))
        _ = try await threads.attempt(within: .ofInput) { _ in
            try opened.authority.identity("rsa4096", names: .loopback)
        }
        let gate = DispatchSemaphore(value: 0)
        threads.add(within: .ofInput) { _ in gate.wait() }
        defer { gate.signal() }
        guard case .making(let minting) = try contexts.find(key("rsa4096", "another.test")) else {
            Issue.record("nothing was minted before")
            return
        }
        await finished(minting)
        _ = try #require(try minting.result?.get())
        contexts.close()
    }

    @Test func `contexts that were closed open nothing`() async throws {
        let contexts = TLSContexts(ServerConfiguration())
        contexts.close()
        let refusal = await #expect(throws: SecurityRefusal.self) { _ = try await contexts.open() }
        #expect(refusal?.description.contains("stopped") == true)
        #expect(throws: SecurityRefusal.self) { _ = try contexts.openNow() }
        #expect(contexts.opened == nil)
    }

    @Test func `what is made while contexts are closed is not kept`() async throws {
        let contexts = TLSContexts(ServerConfiguration())
        _ = try await contexts.open()
        guard case .making(let minting) = try contexts.find(key("rsa2048")) else {
            Issue.record("nothing was minted before")
            return
        }
        contexts.close()
        await finished(minting)
        #expect(throws: SecurityRefusal.self) { try contexts.find(key("rsa2048")) }
    }

    @Test(arguments: [("192.0.2.7", false), ("127.0.0.3", true), ("10.0.0.1", false)])
    func `an address is certified where it may be`(_ host: String, _ isNamed: Bool) async throws {
        let contexts = TLSContexts(ServerConfiguration())
        let opened = try await contexts.open()
        let security = ListenerSecurity(TLSProgram(), canAlert: false, contexts: contexts)
        let key = try security.key(for: ClientHello(), at: .ipv4(host: host, port: 443))
        #expect(key.names.addresses.contains(host) == isNamed)
        #expect(throws: Never.self) {
            _ = try TLSContexts.identity("ecc256", names: key.names, revocation: nil, by: opened)
        }
        contexts.close()
    }
}

/// A key that takes seconds is made before there is a run, and with it a client's deadline.
@Suite(.limit(minutes: 5))
struct SlowKeyTests {
    @Test(arguments: [("rsa4096", true), ("ecc256", false)])
    func `the key of a run is there before its client, if it takes its time`(
        _ profile: String, _ isThere: Bool
    ) async throws {
        let files = try TestFolder()
        defer { files.remove() }
        let folder = files.path
        let yaml = """
            summary: a key that may take its time
            origins:
              main: { scheme: https, certificate: \(profile) }
            exchanges:
              - request: "GET /"
                reply: { status: 200 }
            """
        try await withRun(yaml, configure: { $0.authority = .folder(folder + "/ca") }) { _ in
            let keys = try FileManager.default.contentsOfDirectory(atPath: folder + "/ca/keys")
            #expect(keys.contains { $0.hasSuffix("\(profile).\(profile).key") } == isThere, "\(keys)")
        }
    }
}
