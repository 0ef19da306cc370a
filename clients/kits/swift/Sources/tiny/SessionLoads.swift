import Foundation
import Synchronization

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// The loads of a session by their tasks: its delegate makes sequences of what comes.
///
/// A client that has sequences of its own needs none of it.
final class Loads: NSObject, URLSessionDataDelegate, Sendable {
    private struct Load {
        let followsRedirects: Bool
        let heads: AsyncThrowingStream<URLResponse, any Error>.Continuation
        let parts: AsyncThrowingStream<Data, any Error>.Continuation
    }

    private let loads = Mutex([Int: Load]())

    func begin(
        _ task: URLSessionDataTask, followsRedirects: Bool
    ) -> (AsyncThrowingStream<URLResponse, any Error>, AsyncThrowingStream<Data, any Error>) {
        let heads = AsyncThrowingStream.makeStream(of: URLResponse.self)
        let parts = AsyncThrowingStream.makeStream(of: Data.self)
        let load = Load(followsRedirects: followsRedirects, heads: heads.continuation, parts: parts.continuation)
        loads.withLock { $0[task.taskIdentifier] = load }
        task.resume()
        return (heads.stream, parts.stream)
    }

    func urlSession(
        _: URLSession, task: URLSessionTask, willPerformHTTPRedirection _: HTTPURLResponse, newRequest: URLRequest,
        completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(loads.withLock { $0[task.taskIdentifier]?.followsRedirects ?? true } ? newRequest : nil)
    }

    func urlSession(
        _: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
    ) {
        let load = loads.withLock { $0[dataTask.taskIdentifier] }
        load?.heads.yield(response)
        load?.heads.finish()
        completionHandler(.allow)
    }

    func urlSession(_: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        _ = loads.withLock { $0[dataTask.taskIdentifier]?.parts.yield(data) }
    }

    func urlSession(_: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        let load = loads.withLock { $0.removeValue(forKey: task.taskIdentifier) }
        load?.heads.finish(throwing: error)
        load?.parts.finish(throwing: error)
    }
}
