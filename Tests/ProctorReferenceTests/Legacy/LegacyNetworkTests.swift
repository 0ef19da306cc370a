import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// A queue that its owner ends before a load of the old kind has ended.
@Suite(.limit(minutes: 5))
struct LegacyQueueTests {
    @Test(arguments: ["start", "willSend", "response", "data"])
    func `a load whose queue was ended ends and is released`(moment: String) async throws {
        try await SessionBench.run { _, peer in
            try await peer.send("HTTP/1.1 200 X\r\nContent-Length: 100\r\n\r\nhalf")
            try await peer.wait()
            return nil
        } _: { bench in
            let network = try LegacyNetwork()
            let queue = try CallbackQueue()
            let delegate = EndingDelegate(queue, at: moment)
            weak var gone: ReferenceConnection?
            do {
                let connection = ReferenceConnection(
                    try bench.request("/half"), delegate: delegate, on: network, scheduledOn: queue)
                gone = connection
                if moment == "start" { queue.stop() }
                connection.start()
                await Self.end(of: connection, moment, delegate)
            }
            #expect(await Release.comes { gone })
            await network.stop()
            #expect(delegate.log.lines.last == (moment == "start" ? nil : moment))
        }
    }

    /// A reply that never ends keeps a load whose delegate can receive no call: then the load is cancelled.
    private static func end(of connection: ReferenceConnection, _ moment: String, _ delegate: EndingDelegate) async {
        if moment != "start" { await delegate.log.wait(for: moment) }
        if moment == "data" { connection.cancel() }
        await connection.ended()
    }
}

final class EndingDelegate: ReferenceConnectionDelegate {
    let log = CallLog()
    private let queue: CallbackQueue
    private let moment: String

    init(_ queue: CallbackQueue, at moment: String) {
        self.queue = queue
        self.moment = moment
    }

    private func note(_ line: String) {
        if line == moment { queue.stop() }
        log.add(line)
    }

    func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse: LoadResponse?
    ) -> ClientRequest? {
        note("willSend")
        return request
    }

    func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse) { note("response") }

    func connection(_ connection: ReferenceConnection, didReceive data: [UInt8]) { note("data") }
}

/// What a load of the old kind does with stored credentials (R19).
@Suite(.limit(minutes: 5))
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
            await network.stop()
            queue.stop()
            // The second one is not even asked.
            let sent = bench.asked.withLock { $0.map { $0.field("Authorization") != nil } }
            #expect(sent == (usesStorage ? [false, true, true] : [false, false]))
        }
    }
}

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

/// When a load of the old kind announces the canonical form of its request (R7).
@Suite(.limit(minutes: 5))
struct LegacyCanonicalTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// Before and behind the address.
        let scheme: String
        let path: String
        let isComplete: Bool
        let lines: [String]

        init(_ scheme: String, _ path: String, isComplete: Bool = true, _ lines: String...) {
            self.scheme = scheme
            self.path = path
            self.isComplete = isComplete
            self.lines = lines
        }

        var testDescription: String { "\(scheme)://…\(path)\(isComplete ? "" : " without fields")" }
    }

    @Test(arguments: [
        Row("http", "/page", "200"), Row("http", "/page", isComplete: false, "canonical /page", "200"),
        Row("HTTP", "/page", "canonical /page", "200"), Row("http", "", "canonical /", "200"),
        Row("http", "/a/../page", "canonical /page", "200"), Row("http", "/moved", "redirect /page", "200"),
        Row("Http", "/moved", "canonical /moved", "redirect /page", "200"),
    ])
    func `what is rewritten is announced once, and what is not is not`(row: Row) async throws {
        try await SessionBench.run { request, _ in
            request.target == "/moved"
                ? reply(302, "", "Location: HTTP://\(request.head.host)/b/../page") : reply(200, "page")
        } _: { bench in
            let network = try LegacyNetwork()
            let queue = try CallbackQueue()
            let delegate = AnnouncedDelegate()
            let request = ClientRequest(
                url: try ClientURL(typed: "\(row.scheme)://\(bench.address)\(row.path)"),
                fields: row.isComplete ? DefaultFields.list : [])
            let connection = ReferenceConnection(request, delegate: delegate, on: network, scheduledOn: queue)
            connection.start()
            await connection.ended()
            await network.stop()
            queue.stop()
            #expect(delegate.log.lines == row.lines)
        }
    }
}

private final class AnnouncedDelegate: ReferenceConnectionDelegate {
    let log = CallLog()

    func load(
        _ load: any LegacyLoading, willSend request: ClientRequest, redirectResponse: LoadResponse?
    ) -> ClientRequest? {
        log.add("\(redirectResponse == nil ? "canonical" : "redirect") \(request.url.path)")
        return request
    }

    func connection(_ connection: ReferenceConnection, didReceive response: LoadResponse) {
        log.add("\(response.status)")
    }
}

extension String {
    /// What Host names.
    fileprivate var host: Substring {
        firstRange(of: "Host: ").map { self[$0.upperBound...].prefix { $0 != "\r\n" } } ?? ""
    }
}
