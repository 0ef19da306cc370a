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
    private func connect(_ yaml: String, filter: @escaping @Sendable () -> any CallFilter) async throws -> LegacyLog {
        try await LegacyServer.serve(yaml) { base in
            try await LegacyBench.run(makeCallFilter: filter) { network, queue in
                let log = LegacyLog(queue)
                let connection = ReferenceConnection(
                    try LegacyBench.request(base), delegate: log, on: network, scheduledOn: queue)
                connection.start()
                connection.start()
                await connection.ended()
                return log
            }
        }
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
