import Foundation
import ProctorLoop
import ProctorScenario
import ProctorTLS
import Testing

@testable import ProctorServer

/// The desk that certificates are fetched from: its bounds, and its end.
@Suite(.timeLimit(.minutes(5)))
struct TLSDeskTests {
    private func wish(_ profile: String, _ host: String = "localhost") -> TLSDesk.Wish {
        TLSDesk.Wish(
            profile: profile, setup: TLSServerSetup(), names: CertificateNames(hosts: [host], addresses: []))
    }

    private func finished(_ minting: Minting) async {
        while minting.result == nil { await Task.yield() }
    }

    /// A key of 4096 bits takes a second, and nobody who wants another one waits for it.
    @Test func `small keys do not wait behind large ones, and more mintings than a bound are refused`() async throws {
        var configuration = ServerConfiguration()
        configuration.authority = .ephemeral(seed: 1)
        let desk = TLSDesk(configuration)
        let room = try await desk.open()
        // Nobody's key is as slow as this thread, which waits for the test.
        let gate = DispatchSemaphore(value: 0)
        TLSDesk.threads(for: ["rsa4096"], in: room).add { gate.wait() }
        defer { gate.signal() }
        let large = (1..<TLSDesk.mintingLimit).map { wish("rsa4096", "h\($0).test") }
        for wish in large { _ = try desk.find(wish) }
        guard case .making(let small) = try desk.find(wish("ecc256")) else {
            Issue.record("nothing was minted before")
            return
        }
        await finished(small)
        guard case .making(let last) = try desk.find(wish("rsa4096", "last.test")) else {
            Issue.record("nothing was minted before")
            return
        }
        #expect(last.result == nil)
        let refusal = #expect(throws: SecurityRefusal.self) { try desk.find(wish("ed25519")) }
        #expect(refusal?.reason == .busy)
        #expect(refusal?.description.hasPrefix("64 certificates are being made already") == true)
        gate.signal()
        // The thread of large keys takes one after the other.
        await TLSDesk.threads(for: ["rsa4096"], in: room).run {}
        #expect(last.result != nil)
        _ = try desk.find(wish("ed25519"))
        desk.close()
    }

    @Test func `a desk that was closed opens nothing`() async throws {
        let desk = TLSDesk(ServerConfiguration())
        desk.close()
        let refusal = await #expect(throws: SecurityRefusal.self) { _ = try await desk.open() }
        #expect(refusal?.description.contains("stopped") == true)
        guard case .failure = desk.openNow() else {
            Issue.record("an authority was opened behind the end")
            return
        }
        #expect(desk.room == nil)
    }

    @Test func `what is made while a desk is closed is not kept`() async throws {
        let desk = TLSDesk(ServerConfiguration())
        _ = try await desk.open()
        guard case .making(let minting) = try desk.find(wish("rsa2048")) else {
            Issue.record("nothing was minted before")
            return
        }
        desk.close()
        await finished(minting)
        #expect(throws: SecurityRefusal.self) { try desk.find(wish("rsa2048")) }
    }

    @Test(arguments: [("192.0.2.7", false), ("127.0.0.3", true), ("10.0.0.1", false)])
    func `an address is certified where it may be`(_ host: String, _ isNamed: Bool) async throws {
        let desk = TLSDesk(ServerConfiguration())
        let room = try await desk.open()
        let securing = Securing(TLSProgram(), canAlert: false, desk: desk)
        let wish = try securing.wish(for: ClientHello(), at: .ipv4(host: host, port: 443))
        #expect(wish.names.addresses.contains(host) == isNamed)
        #expect(throws: Never.self) { _ = try TLSDesk.identity("ecc256", wish.names, nil, room) }
        desk.close()
    }
}
