import Dispatch
import Foundation
import ProctorBase
import ProctorHTTP
import ProctorLoop
import Testing

@testable import ProctorReference

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What a URLProtocol asks its client about (R20), over sockets.
@Suite(.timeLimit(.minutes(5)))
struct ProtocolChallengeTests {
    private final class ProxiedProtocol: ReferenceProtocol {
        static let port = Locked(0)

        override class var options: Options {
            var options = super.options
            options.proxy = Origin(scheme: .http, host: "127.0.0.1", port: port.withLock { $0 })
            return options
        }
    }

    /// Loads with the client answering nothing; gives what it heard up to the first question or the end.
    private func hear(_ url: String, _ type: ReferenceProtocol.Type = ReferenceProtocol.self) async throws -> [String] {
        let client = HearingClient()
        let request = URLRequest(url: try #require(URL(string: url)))
        let object = Confined(type.init(request: request, cachedResponse: nil, client: client))
        DispatchQueue.global().async { object.value.startLoading() }
        var heard: [String] = []
        for await call in client.calls {
            heard.append(call)
            if ["challenge", "finish", "fail"].contains(call) { break }
        }
        object.value.stopLoading()
        return heard
    }

    @Test(arguments: [
        ("Basic realm=it", ["challenge"]), ("Digest realm=it, nonce=n, qop=auth", ["challenge"]),
        ("Bearer realm=it", ["response", "data", "finish"]), ("Negotiate", ["response", "data", "finish"]),
    ])
    func `Basic and Digest are forwarded, and what may not be is an ordinary response`(
        challenge: String, heard: [String]
    ) async throws {
        try await SessionBench.run({ _, _ in reply(401, "denied", "WWW-Authenticate: \(challenge)") }) { bench in
            let calls = try await hear("http://\(bench.address)/a")
            #expect(calls == heard)
        }
    }

    @Test func `a proxy that is named takes host names, and its challenge is forwarded`() async throws {
        try await SessionBench.run({ _, _ in reply(407, "denied", "Proxy-Authenticate: Basic realm=it") }) { bench in
            ProxiedProtocol.port.withLock { $0 = Int(bench.address.port ?? 0) }
            let request = URLRequest(url: try #require(URL(string: "http://example.test/a")))
            #expect(ProxiedProtocol.canInit(with: request))
            let calls = try await hear("http://example.test/a", ProxiedProtocol.self)
            #expect(calls == ["challenge"])
            #expect(bench.lines == ["GET http://example.test/a"])
        }
    }
}
