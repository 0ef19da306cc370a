internal import Foundation
internal import ProctorBase

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A user's own delegate, whose answers are used as without a recorder.
struct UserDelegate: Sendable {
    let object: any URLSessionDelegate

    var tasks: (any URLSessionTaskDelegate)? { object as? any URLSessionTaskDelegate }
    var data: (any URLSessionDataDelegate)? { object as? any URLSessionDataDelegate }
    var downloads: (any URLSessionDownloadDelegate)? { object as? any URLSessionDownloadDelegate }
    var webSockets: (any URLSessionWebSocketDelegate)? { object as? any URLSessionWebSocketDelegate }
    var streams: (any URLSessionStreamDelegate)? { object as? any URLSessionStreamDelegate }

    /// Asks about a response; false where the delegate does not implement the method.
    func answers(
        _ response: URLResponse, of task: URLSessionDataTask, in session: URLSession,
        by handler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) -> Bool {
        guard let ask = implemented(data?.urlSession(_:dataTask:didReceive:completionHandler:)) else { return false }
        #if canImport(Darwin)
            ask(session, task, response, handler)
            return true
        #else
            // The protocol's default calls no handler, so only the release of the handler shows that the method is
            // missing.
            var lent = LentHandler()
            lent.lend { hold in
                ask(session, task, response) { answer in
                    hold.isUsed.withLock { $0 = true }
                    handler(answer)
                }
            }
            return !lent.isReleased
        #endif
    }
}

/// A delegate's method, if the delegate implements it.
///
/// On Darwin a method can be missing. On Linux each protocol has defaults with URLSession's answers, so the result is
/// nil only when the delegate does not conform to the protocol.
func implemented<Method>(_ method: Method?) -> Method? { method }

#if !canImport(Darwin)
    /// Finds whether a handler is still owned by anyone after a call.
    private struct LentHandler: ~Copyable {
        private let isUsed = Locked(false)
        private weak var hold: Hold?

        final class Hold: Sendable {
            let isUsed: Locked<Bool>

            init(_ isUsed: Locked<Bool>) { self.isUsed = isUsed }
        }

        /// Calls `body` with the only strong reference.
        mutating func lend(_ body: (Hold) -> Void) {
            let hold = Hold(isUsed)
            self.hold = hold
            body(hold)
        }

        /// Whether the handler was not called, and can no longer be called.
        var isReleased: Bool { hold == nil && !isUsed.withLock { $0 } }
    }
#endif
