import Dispatch
import Foundation
import ProctorBase
import ProctorEvents
import ProctorRecorder

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Holds whoever comes to a stage, for a time that has an end even when nobody opens it.
final class Gate: Sendable {
    private static let gates = Locked<[Gate]>([])
    private let semaphore = DispatchSemaphore(value: 0)
    private let number: Int
    private let recorder = TraceRecorder()

    private init(_ number: Int) { self.number = number }

    static func make() -> Gate {
        gates.withLock { gates in
            let gate = Gate(gates.count)
            gates.append(gate)
            return gate
        }
    }

    func request(stage: String) -> URLRequest {
        URLRequest(url: URL(string: "stuck://\(stage)/\(number)") ?? URL(fileURLWithPath: "/"))
    }

    static func hold(_ request: URLRequest, at stage: String) {
        guard let url = request.url, url.host == stage, let number = Int(url.lastPathComponent) else { return }
        let gate = gates.withLock { $0.indices.contains(number) ? $0[number] : nil }
        gate?.recorder.record(TraceEvent(lane: .harness, name: .blocked))
        _ = gate?.semaphore.wait(timeout: .now() + .seconds(30))
    }

    func open() { semaphore.signal() }

    func wasReached(within limit: Duration) async -> Bool {
        await recorder.event(within: limit) { $0.name == .blocked } != nil
    }
}

final class StuckProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool {
        Gate.hold(request, at: "canInit")
        return true
    }

    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }
    override func startLoading() { Gate.hold(request, at: "start") }
    override func stopLoading() { Gate.hold(request, at: "stop") }
}
