#if !canImport(Darwin)
    internal import Foundation
    internal import FoundationNetworking
    internal import ProctorBase

    /// Questions passed on; false where the user's delegate can not have been meant to answer.
    ///
    /// A protocol's default answers for a method that is not implemented, as it would without a recorder.
    extension UserDelegate {
        func challenged(
            _ session: URLSession, _ challenge: URLAuthenticationChallenge,
            _ handler: @escaping ChallengeHandler
        ) -> Bool {
            object.urlSession(session, didReceive: challenge, completionHandler: handler)
            return true
        }

        func redirected(
            _ session: URLSession, _ task: URLSessionTask, _ response: HTTPURLResponse, _ request: URLRequest,
            _ handler: @escaping @Sendable (URLRequest?) -> Void
        ) -> Bool {
            guard let delegate = object as? any URLSessionTaskDelegate else { return false }
            delegate.urlSession(
                session, task: task, willPerformHTTPRedirection: response, newRequest: request,
                completionHandler: handler)
            return true
        }

        func challenged(
            _ session: URLSession, _ task: URLSessionTask, _ challenge: URLAuthenticationChallenge,
            _ handler: @escaping ChallengeHandler
        ) -> Bool {
            guard let delegate = object as? any URLSessionTaskDelegate else { return false }
            delegate.urlSession(session, task: task, didReceive: challenge, completionHandler: handler)
            return true
        }

        func needsBodyStream(
            _ session: URLSession, _ task: URLSessionTask, _ handler: @escaping @Sendable (InputStream?) -> Void
        ) -> Bool {
            guard let delegate = object as? any URLSessionTaskDelegate else { return false }
            delegate.urlSession(session, task: task, needNewBodyStream: handler)
            return true
        }

        func willBegin(
            _ session: URLSession, _ task: URLSessionTask, _ request: URLRequest,
            _ handler: @escaping @Sendable (URLSession.DelayedRequestDisposition, URLRequest?) -> Void
        ) -> Bool {
            guard let delegate = object as? any URLSessionTaskDelegate else { return false }
            delegate.urlSession(session, task: task, willBeginDelayedRequest: request, completionHandler: handler)
            return true
        }

        /// The default answers nothing, so that nobody can tell it from a method that is not there but by this: the handler is let go.
        func received(
            _ session: URLSession, _ task: URLSessionDataTask, _ response: URLResponse,
            _ handler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
        ) -> Bool {
            guard let delegate = object as? any URLSessionDataDelegate else { return false }
            var letGo = LetGo()
            letGo.lend { hold in
                delegate.urlSession(session, dataTask: task, didReceive: response) { answer in
                    hold.isUsed.withLock { $0 = true }
                    handler(answer)
                }
            }
            return !letGo.isOver
        }

        func willCache(
            _ session: URLSession, _ task: URLSessionDataTask, _ proposed: CachedURLResponse,
            _ handler: @escaping @Sendable (CachedURLResponse?) -> Void
        ) -> Bool {
            guard let delegate = object as? any URLSessionDataDelegate else { return false }
            delegate.urlSession(session, dataTask: task, willCacheResponse: proposed, completionHandler: handler)
            return true
        }
    }
#endif
