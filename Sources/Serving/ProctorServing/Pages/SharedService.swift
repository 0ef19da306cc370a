internal import ProctorBase
package import ProctorHTTP
package import ProctorJournal
package import ProctorLoop
package import ProctorReplies
package import ProctorScenario

/// What the owner of the shared port offers at it: scenarios below their ids, pages and the control API.
package protocol SharedService: AnyObject, Sendable {
    var log: SharedPortLog { get }
    /// In order of preference; never empty.
    var protocols: [ApplicationProtocol] { get }

    /// `scheme` is that of the connection, `place` gives its local address, which few routes need; `mount` is the connection's memory.
    func route(
        _ head: RequestHead, _ scheme: Scheme, at place: () -> SocketAddress, remembering mount: inout KnownMount?
    ) -> Route

    /// A text reply as a page for a browser.
    func page(of reply: BuiltInReply) -> BuiltInReply

    // MARK: Control calls

    var callBounds: CallBounds { get }

    /// The most bytes of a call's body.
    func bodyLimit(of head: RequestHead) -> Int

    /// Answers a call that came to `place`; `peer` is the caller, who may leave while the call waits.
    func replyToCall(
        _ head: RequestHead, body: [UInt8], _ scheme: Scheme, at place: SocketAddress, from peer: LoopBound<WaitingPeer>
    ) async -> BuiltInReply

    func refusal(_ reason: CallRefusal) -> BuiltInReply
}

/// Why a call or a page is refused before anything looks at it.
package enum CallRefusal {
    case bodyTooLong(limit: Int)
    /// Half a sentence about the bound that was reached.
    case busy(String)
}

/// Notes connections and requests of a shared port that belong to no scenario; their lines in a journal file have
/// neither `scenario` nor `run`.
///
/// Safe from any thread.
package final class SharedPortLog: Sendable {
    package let journal: Journal
    private let counts = Locked((connections: 0, requests: 0))

    package init(journal: Journal) {
        self.journal = journal
    }

    func admitConnection() -> Int {
        counts.withLock { counts in
            defer { counts.connections += 1 }
            return counts.connections
        }
    }

    func admitRequest() -> Int {
        counts.withLock { counts in
            defer { counts.requests += 1 }
            return counts.requests
        }
    }
}
