import Foundation
import ProctorBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Loads with a session of its own, and tells its client on the thread that started it.
class OwnProtocol: URLProtocol {
    private let result = Locked<Result<(URLResponse, Data), any Error>?>(nil)

    override class func canInit(with request: URLRequest) -> Bool { true }
    override class func canonicalRequest(for request: URLRequest) -> URLRequest { request }

    override func startLoading() {
        let session = URLSession(configuration: .ephemeral)
        session.dataTask(with: request) { [result] data, response, error in
            if let response, let data { result.withLock { $0 = .success((response, data)) } }
            if let error { result.withLock { $0 = .failure(error) } }
        }.resume()
        session.finishTasksAndInvalidate()
        // On this thread's run loop.
        let own = OnOneThread(value: self)
        _ = Timer.scheduledTimer(withTimeInterval: 0.002, repeats: true) { timer in
            guard let result = own.value.result.withLock({ $0 }) else { return }
            timer.invalidate()
            own.value.tell(result)
        }
    }

    /// `@unchecked`: a timer fires on the thread that scheduled it.
    private struct OnOneThread: @unchecked Sendable {
        let value: OwnProtocol
    }

    func tell(_ result: Result<(URLResponse, Data), any Error>) {
        switch result {
        case .success(let (response, data)):
            client?.urlProtocol(self, didReceive: response, cacheStoragePolicy: .notAllowed)
            client?.urlProtocol(self, didLoad: data)
            client?.urlProtocolDidFinishLoading(self)
        case .failure(let error):
            client?.urlProtocol(self, didFailWithError: error)
        }
    }

    override func stopLoading() {}
}

/// Breaks R39.
final class EndingTwice: OwnProtocol {
    override func tell(_ result: Result<(URLResponse, Data), any Error>) {
        super.tell(result)
        client?.urlProtocolDidFinishLoading(self)
    }
}
