import Foundation
import ProctorBase
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// What a delegate of an old shape can say, without a recorder between.
@Suite(.limit(minutes: 10))
struct LegacyDelegateTests {
    /// Loads `/a` as a connection and gives what the delegate was told.
    private func connect(
        _ yaml: String, challenges: LegacyChallengeMethods = .none,
        credentials: @escaping @Sendable (LoadChallenge.ProtectionSpace) -> LoadCredential? = { _ in nil },
        filter: (@Sendable () -> any CallFilter)? = nil,
        onRequest: @escaping @Sendable (ClientRequest, String) -> ClientRequest? = { request, _ in request },
        onChallenge: @escaping @Sendable (LegacyChallenge) -> Void = { $0.performDefaultHandling() },
        resourceTimeout: Duration? = nil
    ) async throws -> LegacyLog {
        try await LegacyServer.serve(yaml) { base in
            try await LegacyBench.run(
                credentials: credentials, resourceTimeout: resourceTimeout, makeCallFilter: filter
            ) { network, queue in
                let log = LegacyLog(queue, challenges: challenges, onRequest: onRequest, onChallenge: onChallenge)
                let connection = ReferenceConnection(
                    try LegacyBench.request(base), delegate: log, on: network, scheduledOn: queue)
                connection.start()
                connection.start()
                await connection.ended()
                return log
            }
        }
    }

    // MARK: The canonical form

    @Test func `another request takes the place of the one that was announced`() async throws {
        let log = try await connect(
            LegacyScenes.redirect,
            onRequest: { request, word in
                guard word == "canonical" else { return request }
                var other = request
                other.url = (try? request.url.resolving(location: Array("/c".utf8))) ?? request.url
                return other
            })
        #expect(log.entries == "store canonical response:200 data:changed finish")
        #expect(log.isOnQueue)
    }

    @Test func `refusing the canonical form fails the load`() async throws {
        let log = try await connect(LegacyScenes.page, onRequest: { _, _ in nil })
        #expect(log.entries == "store canonical fail:cancelled")
    }

    // MARK: Challenges

    @Test func `the old trio asks first, the new method does not`() async throws {
        let use: @Sendable (LegacyChallenge) -> Void = {
            $0.resolve(.use(LoadCredential(user: "user", password: "pass")))
        }
        let old = try await connect(LegacyScenes.secret, challenges: .oldTrio, onChallenge: use)
        #expect(old.entries == "store canonical can:lab challenge response:200 data:welcome finish")
        let new = try await connect(LegacyScenes.secret, challenges: .newMethod, onChallenge: use)
        #expect(new.entries == "store canonical challenge response:200 data:welcome finish")
        let none = try await connect(LegacyScenes.secret, onChallenge: use)
        #expect(none.entries == "store canonical response:401 data:denied finish")
    }

    @Test func `a space that can't be answered gets default handling`() async throws {
        let yaml = LegacyScenes.secret.replacing("lab", with: "never")
        let without = try await connect(yaml, challenges: .oldTrio)
        #expect(without.entries == "store canonical can:never response:401 data:denied finish")
        let stored = try await connect(
            yaml, challenges: .oldTrio, credentials: { _ in LoadCredential(user: "user", password: "pass") })
        #expect(stored.entries == "store canonical can:never response:200 data:welcome finish")
    }

    @Test func `a stored credential is tried once`() async throws {
        let log = try await connect(
            LegacyScenes.secret, credentials: { _ in LoadCredential(user: "user", password: "wrong") })
        #expect(log.entries == "store canonical response:401 data:denied finish")
    }

    @Test func `the first answer to a challenge counts`() async throws {
        let log = try await connect(
            LegacyScenes.secret, challenges: .newMethod,
            onChallenge: { challenge in
                guard challenge.challenge.previousFailureCount == 0 else { return challenge.performDefaultHandling() }
                challenge.resolve(.use(LoadCredential(user: "user", password: "wrong")))
                // Without care this would be taken for the answer to the next one.
                challenge.resolve(.cancel)
            })
        #expect(log.all.count { $0 == "challenge" } == 2)
        #expect(log.entries.hasSuffix("response:401 data:denied finish"))
    }

    @Test func `an open challenge is taken back where the old methods can hear of it`() async throws {
        let old = try await connect(
            LegacyScenes.secret, challenges: .oldTrio, onChallenge: { _ in }, resourceTimeout: .milliseconds(500))
        #expect(old.entries == "store canonical can:lab challenge withdrawn fail:timedOut")
        let new = try await connect(
            LegacyScenes.secret, challenges: .newMethod, onChallenge: { _ in }, resourceTimeout: .milliseconds(500))
        #expect(new.entries == "store canonical challenge fail:timedOut")
    }

    // MARK: Filters

    /// Makes each call twice, or elsewhere.
    private struct Doubling: CallFilter {
        let isElsewhere: Bool

        mutating func filter(_ call: DelegateCall) -> [PlacedCall] {
            guard case .data = call else { return [PlacedCall(call)] }
            return isElsewhere ? [PlacedCall(call, isElsewhere: true)] : [PlacedCall(call), PlacedCall(call)]
        }
    }

    @Test func `a filter decides which calls are made, and where`() async throws {
        let twice = try await connect(LegacyScenes.page, filter: { Doubling(isElsewhere: false) })
        #expect(twice.all == ["store", "canonical", "response:200", "data:hello", "data:hello", "finish"])
        let elsewhere = try await connect(LegacyScenes.page, filter: { Doubling(isElsewhere: true) })
        #expect(elsewhere.all == ["store", "canonical", "response:200", "data:hello", "finish"])
        #expect(!elsewhere.isOnQueue)
    }

    // MARK: Ends

    @Test func `a network that has ended fails what starts later, and ends what is under way`() async throws {
        let yaml = """
            exchanges:
              - request: GET /a
                reply: { effects: [{ at: head, do: stall }] }
            """
        try await LegacyServer.serve(yaml) { base in
            try await LegacyBench.run { network, queue in
                let sent = Locked(false)
                let first = LegacyLog(
                    queue,
                    onEntry: { entry, _ in
                        if entry == "canonical" { sent.withLock { $0 = true } }
                    })
                let running = ReferenceConnection(
                    try LegacyBench.request(base), delegate: first, on: network, scheduledOn: queue)
                running.start()
                while !sent.withLock({ $0 }) { await Task.yield() }
                await network.stop()
                await running.ended()
                #expect(first.entries == "store canonical fail:cancelled")
                let second = LegacyLog(queue)
                let late = ReferenceConnection(
                    try LegacyBench.request(base), delegate: second, on: network, scheduledOn: queue)
                late.start()
                await late.ended()
                #expect(second.entries == "fail:cancelled")
            }
        }
    }

    @Test func `a cancel from another thread is the last that is heard of`() async throws {
        let yaml = """
            exchanges:
              - request: GET /a
                reply: { status: 200, headers: { Content-Length: "20" }, body: "hello", effects: [{ at: end, do: stall }] }
            """
        try await LegacyServer.serve(yaml) { base in
            try await LegacyBench.run { network, queue in
                let hasData = Locked(false)
                let log = LegacyLog(
                    queue,
                    onEntry: { entry, _ in
                        if entry.hasPrefix("data") { hasData.withLock { $0 = true } }
                    })
                let connection = ReferenceConnection(
                    try LegacyBench.request(base), delegate: log, on: network, scheduledOn: queue)
                connection.start()
                while !hasData.withLock({ $0 }) { await Task.yield() }
                connection.cancel()
                connection.cancel()
                await connection.ended()
                #expect(log.entries == "store canonical response:200 data:hello")
            }
        }
    }

    @Test func `waiting for the end ends with the task that waits`() async throws {
        try await LegacyBench.run { network, queue in
            let connection = ReferenceConnection(
                try LegacyBench.request("http://127.0.0.1:9"), delegate: LegacyLog(queue), on: network,
                scheduledOn: queue)
            // It is never started, so that only the cancel can end this.
            let waiter = Task { await connection.ended() }
            waiter.cancel()
            await waiter.value
        }
    }
}
