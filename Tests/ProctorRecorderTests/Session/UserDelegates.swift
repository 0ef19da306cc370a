import Foundation
import ProctorBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Implements what a careful user would, and refuses redirects.
final class Refuser: NSObject, URLSessionDataDelegate {
    let calls = Locked<[String]>([])

    private func note(_ call: String) { calls.withLock { $0.append(call) } }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        note("redirect")
        completionHandler(nil)
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        note("response")
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) { note("data") }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        note("complete")
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) { note("invalid") }
}

/// Implements nothing but what it is told of the body.
final class Quiet: NSObject, URLSessionDataDelegate {
    let body = Locked<[UInt8]>([])

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        body.withLock { $0 += data }
    }
}

/// Adds a header to every redirect.
final class Changer: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        var changed = request
        changed.setValue("yes", forHTTPHeaderField: "X-Changed")
        completionHandler(changed)
    }
}

/// Conforms to the protocol of tasks and implements nothing.
final class OnlyTasks: NSObject, URLSessionTaskDelegate {}

/// Conforms to the protocol of downloads.
final class OnlyDownloads: NSObject, URLSessionDownloadDelegate {
    func urlSession(
        _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
    ) {}
}

/// Conforms to the protocol of sessions alone.
final class OnlySession: NSObject, URLSessionDelegate {}
