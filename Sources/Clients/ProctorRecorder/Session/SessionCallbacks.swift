internal import Foundation
internal import ProctorEvents
internal import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The delegate of a ``SessionRecorder``: records the beginning and the return of every callback.
final class SessionCallbacks: NSObject, URLSessionDataDelegate, URLSessionDownloadDelegate,
    URLSessionWebSocketDelegate, URLSessionStreamDelegate
{
    var recorder: TraceRecorder { records.recorder }
    let records: TaskRecords
    let calls: DelegateCalls
    let user: UserDelegate?
    let answersChallenges: Bool
    /// Methods that URLSession must find missing.
    let without: [DelegateMethod]
    /// Records that no owner holds this object any longer; nil when a user may own it.
    private let token: DelegateToken?

    /// Without a user's delegate the answers come from the tasks' records.
    init(
        records: TaskRecords, user: UserDelegate? = nil, position: SessionRecorder.Position, answersChallenges: Bool,
        without: [DelegateMethod] = [], token: DelegateToken? = nil
    ) {
        (self.records, self.user, self.answersChallenges, self.without) = (records, user, answersChallenges, without)
        self.token = token
        calls = DelegateCalls(recorder: records.recorder, records: records, who: position.rawValue)
    }

    /// On Linux URLSession looks at the protocols of a delegate, and behaves differently for one that conforms to all
    /// of them; so there a user's delegate is represented by an object that conforms to the same protocols.
    var delegate: any URLSessionDelegate {
        #if canImport(Darwin)
            self
        #else
            if let user { user.narrowed(self) } else if let front { front } else { self }
        #endif
    }

    /// The delegate of a task or of an `async` method, represented on Linux as ``delegate`` is.
    var taskDelegate: any URLSessionTaskDelegate {
        #if canImport(Darwin)
            self
        #else
            if let user { user.narrowedForTasks(self) } else if let front { front } else { self }
        #endif
    }
}

#if canImport(Darwin)
    // URLSession asks which methods a delegate implements, and behaves differently when one is missing.
    extension SessionCallbacks {
        /// False for the methods of a challenge, a body stream and a delayed request when no delegate answers them.
        ///
        /// The other questions are always recorded, since their default answer has the effect of a missing method.
        override func responds(to selector: Selector?) -> Bool {
            if let selector, without.contains(where: { Self.selector(of: $0) == selector }) { return false }
            guard let selector, Self.decisive.contains(selector) else { return super.responds(to: selector) }
            if let user { return user.object.responds(to: selector) }
            return answersChallenges || !Self.challenges.contains(selector)
        }

        /// The selector; nil for methods of other families.
        private static func selector(of method: DelegateMethod) -> Selector? {
            switch method {
            case .redirect:
                #selector(
                    (any URLSessionTaskDelegate)
                        .urlSession(_:task:willPerformHTTPRedirection:newRequest:completionHandler:))
            case .needBodyStream: #selector((any URLSessionTaskDelegate).urlSession(_:task:needNewBodyStream:))
            case .bodySent:
                #selector(
                    (any URLSessionTaskDelegate)
                        .urlSession(_:task:didSendBodyData:totalBytesSent:totalBytesExpectedToSend:))
            case .willCache:
                #selector((any URLSessionDataDelegate).urlSession(_:dataTask:willCacheResponse:completionHandler:))
            case .response:
                #selector((any URLSessionDataDelegate).urlSession(_:dataTask:didReceive:completionHandler:))
            case .askCanAuth, .askCredStore, .shouldDecode, .destination: nil
            }
        }

        private static var challenges: Set<Selector> {
            [
                #selector((any URLSessionDelegate).urlSession(_:didReceive:completionHandler:)),
                #selector((any URLSessionTaskDelegate).urlSession(_:task:didReceive:completionHandler:)),
            ]
        }

        private static var decisive: Set<Selector> {
            var decisive = challenges
            decisive.insert(#selector((any URLSessionTaskDelegate).urlSession(_:task:needNewBodyStream:)))
            decisive.insert(
                #selector((any URLSessionTaskDelegate).urlSession(_:task:willBeginDelayedRequest:completionHandler:)))
            if #available(iOS 17, *) {
                decisive.insert(
                    #selector(
                        (any URLSessionTaskDelegate).urlSession(_:task:needNewBodyStreamFrom:completionHandler:)))
            }
            return decisive
        }
    }
#endif
