import ProctorBase
import ProctorHTTP
import Testing

@testable import ProctorReference

/// What a load of the old kind does with stored credentials (R19).
@Suite(.timeLimit(.minutes(5)))
struct LegacyCredentialTests {
    @Test(arguments: [(true, "response 200"), (false, "response 401")])
    func `a stored credential is the answer by default where the delegate lets it be used`(
        usesStorage: Bool, response: String
    ) async throws {
        try await SessionBench.run { request, _ in
            request.field("Authorization") == nil
                ? reply(401, "denied", "WWW-Authenticate: Digest realm=it, nonce=n, qop=auth") : reply(200, "page")
        } _: { bench in
            let request = try bench.request("/a")
            var configuration = ReferenceConfiguration()
            let store = ReferenceCredentialStore()
            store.set(
                LoadCredential(user: "user", password: "pass"),
                for: LoadChallenge.ProtectionSpace(kind: "digest", origin: request.url.origin, realm: "it"))
            configuration.credentialStore = store
            let network = try LegacyNetwork(configuration: configuration)
            let queue = try CallbackQueue()
            for round in 0..<2 {
                let delegate = StoringDelegate(usesStorage: usesStorage)
                let connection = ReferenceConnection(request, delegate: delegate, on: network, scheduledOn: queue)
                connection.start()
                await connection.ended()
                #expect(delegate.log.lines == [response, "end"], "round \(round)")
            }
            await network.end()
            queue.end()
            // The second one is not even asked.
            let sent = bench.asked.withLock { $0.map { $0.field("Authorization") != nil } }
            #expect(sent == (usesStorage ? [false, true, true] : [false, false]))
        }
    }
}

/// Has no method for challenges.
private final class StoringDelegate: ReferenceConnectionDelegate {
    let log = CallLog()
    private let usesStorage: Bool

    init(usesStorage: Bool) { self.usesStorage = usesStorage }

    func shouldUseCredentialStorage(for load: any LegacyLoading) -> Bool { usesStorage }

    func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse) {
        log.add("response \(response.status)")
    }

    func connectionDidFinishLoading(_ connection: ReferenceConnection) { log.add("end") }
}
