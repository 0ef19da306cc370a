import Dispatch
import Foundation
import ProctorBase
import ProctorEvents
import ProctorRecorder
import ProctorTestSupport

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// What protocols of tests have in common: they take everything and answer at once.
class PlainProtocol: URLProtocol {
    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        respond()
        client?.urlProtocolDidFinishLoading(self)
    }

    override func stopLoading() {}

    func respond() {
        guard let url = request.url,
            let response = HTTPURLResponse(url: url, statusCode: 200, httpVersion: "HTTP/1.1", headerFields: nil)
        else { return }
        client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
    }
}

/// Comes back to its client thread by the run loop, as it should; its timer is of the thread that started it.
final class TimerProtocol: PlainProtocol {
    private var timer: Timer?
    private var turns = 0

    override func startLoading() {
        let reference = WeakTimerProtocol(object: self)
        let timer = Timer(timeInterval: 0.003, repeats: true) { _ in reference.object?.goOn() }
        RunLoop.current.add(timer, forMode: .default)
        self.timer = timer
    }

    private func goOn() {
        turns += 1
        switch turns {
        case 1: respond()
        case 2, 3: client?.urlProtocol(self, didLoad: Data("x".utf8))
        default:
            timer?.invalidate()
            client?.urlProtocolDidFinishLoading(self)
        }
    }

    override func stopLoading() { timer?.invalidate() }
}

struct WeakTimerProtocol: @unchecked Sendable {
    private(set) weak var object: TimerProtocol?
}

final class RefusingProtocol: PlainProtocol {
    override class func canInit(with request: URLRequest) -> Bool { false }
}

final class FailingProtocol: PlainProtocol {
    override func startLoading() {
        client?.urlProtocol(self, didFailWithError: URLError(.secureConnectionFailed))
    }
}

final class ImpureProtocol: PlainProtocol {
    private static let count = Locked(0)

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        let number = count.withLock { count in
            count += 1
            return count
        }
        return URLRequest(url: URL(string: "http://example.test/\(number)") ?? URL(fileURLWithPath: "/"))
    }
}

final class CountingProtocol: PlainProtocol {
    private static let count = Locked(0)

    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        let number = count.withLock { count in
            count += 1
            return count
        }
        var request = request
        request.setValue("\(number)", forHTTPHeaderField: "X-Count")
        return request
    }
}

final class GrowingProtocol: PlainProtocol {
    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        var request = request
        request.url = request.url?.appendingPathComponent("more")
        return request
    }
}

final class LowercasingProtocol: PlainProtocol {
    override class func canonicalRequest(for request: URLRequest) -> URLRequest {
        CanonicalForm.of(request)
    }
}

final class LeakingProtocol: PlainProtocol {
    private static let kept = Locked<[Kept]>([])

    private struct Kept: @unchecked Sendable { let object: URLProtocol }

    override func startLoading() {
        let kept = Kept(object: self)
        Self.kept.withLock { $0.append(kept) }
        super.startLoading()
    }

    static func letGo() {
        let objects = kept.withLock { kept in
            defer { kept = [] }
            return kept
        }
        _ = consume objects
    }
}

/// Says something more once it is stopped, on another thread.
final class LateProtocol: PlainProtocol {
    private struct Handed: @unchecked Sendable { let object: LateProtocol }

    override func stopLoading() {
        let handed = Handed(object: self)
        Thread.detachNewThread { handed.object.client?.urlProtocol(handed.object, didLoad: Data("late".utf8)) }
    }
}

/// Redirects, and then brings a response for what it redirected from as soon as the new object runs.
final class PersistentProtocol: PlainProtocol {
    private struct Former: @unchecked Sendable { let object: PersistentProtocol }

    private static let formers = Locked<[String: Former]>([:])

    override func startLoading() {
        guard let url = request.url, let host = url.host else { return }
        if url.path == "/b" {
            Self.formers.withLock { $0.removeValue(forKey: host) }?.object.respond()
            return super.startLoading()
        }
        let former = Former(object: self)
        Self.formers.withLock { $0[host] = former }
        guard let target = URL(string: "/b", relativeTo: url)?.absoluteURL,
            let response = HTTPURLResponse(url: url, statusCode: 302, httpVersion: "HTTP/1.1", headerFields: nil)
        else { return }
        client?.urlProtocol(self, wasRedirectedTo: URLRequest(url: target), redirectResponse: response)
    }
}

/// Stops threads at a stage until the test opens it, or until a time limit.
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
        _ = gate?.semaphore.wait(timeout: .now() + .seconds(Patience.seconds))
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
