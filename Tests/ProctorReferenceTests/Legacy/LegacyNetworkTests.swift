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

final class EndingDelegate: LegacyDelegate {
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

    func load(_ load: any LegacyLoading, tells call: DelegateCall) {
        switch call {
        case .response: note("response")
        case .data: note("data")
        default: break
        }
    }
}
