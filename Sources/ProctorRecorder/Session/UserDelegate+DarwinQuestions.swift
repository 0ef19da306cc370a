#if canImport(Darwin)
    internal import Foundation

    /// Questions passed on; false where the method is not implemented.
    extension UserDelegate {
        func challenged(
            _ session: URLSession, _ challenge: URLAuthenticationChallenge,
            _ handler: @escaping ChallengeHandler
        ) -> Bool {
            object.urlSession?(session, didReceive: challenge, completionHandler: handler) != nil
        }

        func redirected(
            _ session: URLSession, _ task: URLSessionTask, _ response: HTTPURLResponse, _ request: URLRequest,
            _ handler: @escaping @Sendable (URLRequest?) -> Void
        ) -> Bool {
            (object as? any URLSessionTaskDelegate)?.urlSession?(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: handler) != nil
        }

        func challenged(
            _ session: URLSession, _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge,
            _ handler: @escaping ChallengeHandler
        ) -> Bool {
            (object as? any URLSessionTaskDelegate)?.urlSession?(
                session, task: task, didReceive: challenge, completionHandler: handler) != nil
        }

        func needsBodyStream(
            _ session: URLSession, _ task: URLSessionTask, _ handler: @escaping @Sendable (InputStream?) -> Void
        ) -> Bool {
            (object as? any URLSessionTaskDelegate)?.urlSession?(session, task: task, needNewBodyStream: handler) != nil
        }

        func needsBodyStream(
            _ session: URLSession, _ task: URLSessionTask, from offset: Int64,
            _ handler: @escaping @Sendable (InputStream?) -> Void
        ) -> Bool {
            (object as? any URLSessionTaskDelegate)?.urlSession?(
                session, task: task, needNewBodyStreamFrom: offset, completionHandler: handler) != nil
        }

        func willBegin(
            _ session: URLSession, _ task: URLSessionTask, _ request: URLRequest,
            _ handler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
        ) -> Bool {
            (object as? any URLSessionTaskDelegate)?.urlSession?(
                session, task: task, willBeginDelayedRequest: request, completionHandler: handler) != nil
        }

        func received(
            _ session: URLSession, _ task: URLSessionDataTask, _ response: URLResponse,
            _ handler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) -> Bool {
            (object as? any URLSessionDataDelegate)?.urlSession?(
                session, dataTask: task, didReceive: response, completionHandler: handler) != nil
        }

        func willCache(
            _ session: URLSession, _ task: URLSessionDataTask, _ proposed: CachedURLResponse,
            _ handler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) -> Bool {
            (object as? any URLSessionDataDelegate)?.urlSession?(
                session, dataTask: task, willCacheResponse: proposed, completionHandler: handler) != nil
        }
    }
#endif
