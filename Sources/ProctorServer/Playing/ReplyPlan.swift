internal import ProctorHTTP
import ProctorJournal
internal import ProctorScenario

/// A reply worked out to what is handed to the socket, in order.
struct ReplyPlan: Sendable {
    let steps: [Step]
    /// nil for raw bytes and for effects alone.
    let status: Int?
    /// The reply itself says, or needs, that the connection ends after it.
    let endsConnection: Bool
    /// Tells an HTTP/1.0 client that the connection stays.
    let saysKeepAlive: Bool
    /// False when something in it is made anew for each request.
    var isReusable: Bool
    /// Our own address stands in it.
    let namesAddresses: Bool
    /// The origin that the connection belongs to behind it; nil for nearly every reply.
    var tunnel: Int?
    /// nil: as few writes as the system allows, as fast as the peer takes them.
    let rhythm: Rhythm?
    /// What its head sets, where that goes out whole; nil for nearly every reply.
    var setCookies: SetCookies?
    /// What is sent and expected behind it, where the connection is no HTTP any more, with its text bound; nil where the
    /// fixture writes no script.
    var opaque: [OpaqueStep]?
    /// For the journal, in order; made once with the plan, so that a request costs no more than a reference.
    var begun: [BegunReply] = []
    /// What the fixture says of the connection, whatever request and reply say.
    var persistence = Reply.Persistence.usual

    /// The Set-Cookie fields of a head.
    struct SetCookies: Sendable {
        let values: [[UInt8]]
        /// Bytes that have gone out, those of effects too, when the head has.
        let headEnd: Int
    }

    /// Whether the connection stays for another request behind it (RFC 9112 §9.3), unless the server stops.
    func staysOpen(answering head: RequestHead) -> Bool {
        switch persistence {
        case .usual: head.keepsConnection && !endsConnection && (head.version != .http10 || saysKeepAlive)
        case .keep: true
        case .close: false
        }
    }

    /// Whether it has a 100 (Continue) that the fixture writes itself.
    var continuesRequest: Bool { begun.contains { $0.reply.status == 100 } }

    /// Whether another protocol begins behind it: 101, and 2xx to CONNECT (RFC 9112 §6.3).
    func leavesHTTP(answering head: RequestHead) -> Bool {
        guard let status = begun.last?.reply.status else { return false }
        return status == 101 || head.form == .authority && 200...299 ~= status
    }

    enum Step: Sendable {
        case send([UInt8])
        /// Part of a source that is not held in memory.
        case stream(ContentSource, Range<Int>)
        case effect(Effect.Action, at: String)
    }
}
