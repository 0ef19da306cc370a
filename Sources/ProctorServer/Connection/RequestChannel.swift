internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// What a request came on and its reply goes out on: a connection of HTTP/1.1, which has one request at a time, or a
/// stream of HTTP/2; on the loop's thread only.
protocol RequestChannel: AnyObject {
    /// Whether the server is about to stop.
    var isStopping: Bool { get }
    /// Of the connection; a stream neither reads it nor writes to it.
    var socket: Socket { get }
    /// Who leaves when nothing waits for an answer any more: a connection's socket, or a stream.
    var peer: any PeerWaiting { get }
    var endpoint: Endpoint { get }
    var bounds: ConnectionBounds { get }
    /// The request as far as it has come.
    var input: RequestInput { get }
    /// Of the connection.
    var journals: ConnectionJournals { get }
    var scheme: Scheme { get }
    /// What the handshake agreed on; nil without TLS.
    var secured: HandshakeNote? { get }
    /// What TLS has settled; nil without TLS.
    var securityFacts: SecurityFacts? { get }
    /// When the request began, in MonotonicClock nanoseconds.
    var requestBeginning: UInt64 { get }

    /// Whether bytes that were not read may be of a request behind this one.
    var mayHaveWaitingRequest: Bool { get }

    /// The client has sent bytes behind this request that were not read, at the latest at the moment, in MonotonicClock
    /// nanoseconds.
    func noteWaitingRequest(at moment: UInt64)

    /// The connection's number in the stage's journal; opens the connection there when it is new.
    func attach(to stage: Stage, origin: Int?) -> ConnectionJournals.Attachment

    /// Reads the content until the goal is reached.
    func receive(_ goal: RequestInput.Goal) async throws(ConnectionEnd)

    /// Sends 100 (Continue); false where the peer already sends content, so that 100 may be omitted (RFC 9110
    /// §10.1.1).
    func sendContinue() async throws(ConnectionEnd) -> Bool

    /// Whether a request like this one can follow its reply.
    func staysOpen(after head: RequestHead) -> Bool

    /// Writes a page as it stands, and returns the count of bytes; `closes`: nothing follows it.
    ///
    /// Content of a page that has a stream goes on with ``write(part:)``.
    func write(_ page: BuiltInReply, to head: RequestHead, closes: Bool) async throws(ConnectionEnd) -> Int

    /// Writes content behind such a page, in the framing of HTTP/1.1 where that is spoken.
    func write(part bytes: [UInt8]) async throws(ConnectionEnd)

    /// Ends such content: the last chunk, where it has chunks, or END_STREAM.
    func endParts(areChunks: Bool) async throws(ConnectionEnd)

    /// Sends a page of the server in place of a reply of the scenario; `closes`: nothing follows it.
    func send(_ page: BuiltInReply, to head: RequestHead, closes: Bool, _ log: RequestLog) async throws(ConnectionEnd)

    func send(refusalOf violation: Violation) async throws(ConnectionEnd) -> Never

    /// Notes `events`, and plays the reply as far as no step waits.
    func play(
        _ part: PlayedPart, of request: StageRequest, for view: RequestView, noting events: consuming EventList
    ) throws(ConnectionEnd) -> RestOfAnswer?
}

extension RequestChannel {
    func send(_ page: BuiltInReply, to head: RequestHead, _ log: RequestLog) async throws(ConnectionEnd) {
        try await send(page, to: head, closes: false, log)
    }
}

extension RequestChannel {
    /// Refuses the request, and notes what has come of it.
    func refuse(_ violation: Violation) async throws(ConnectionEnd) -> Never {
        input.takeRest()
        journals.note(input.unfinished.event(.refused))
        for earlier in input.request.takeViolations() { journals.note(.violation(earlier)) }
        journals.note(.violation(violation))
        try await send(refusalOf: violation)
    }

    /// The current request, with its content where all of it was kept; without framing the content is empty.
    ///
    /// `comparison` is that of the request, by its first view or by ``CompiledScenario/comparison(for:)``.
    func view(
        _ head: RequestHead, _ target: [UInt8], of stage: Stage, origin: Int, comparison: Comparison?
    ) -> RequestView {
        let input = input
        var body: [UInt8]? = []
        var gap: String?
        if head.hasFraming {
            let (count, kept) = (input.request.contentByteCount, input.request.keptContent.count)
            body = input.request.isComplete && kept == count ? input.request.keptContent : nil
            if input.request.isComplete, kept < count {
                gap = "\(count) bytes, of which only the first \(kept) are kept"
            }
        }
        let scheme = stage.router == nil ? scheme : stage.scenario.origins[origin].scheme
        guard stage.compiled.needsDecoding else {
            return RequestView(
                head: head, target: target, body: body, bodyGap: gap, comparison: comparison, scheme: scheme)
        }
        let decoding = DecodedBody(head, body: body, gap: gap) {
            stage.addresses.bound(for: head, scheme).context(origin: origin)
        }
        let view = RequestView(
            head: head, target: target, body: body, bodyGap: gap, decoding: decoding,
            security: stage.compiled.looksAtSecurity ? securityFacts : nil, comparison: comparison, scheme: scheme)
        return stage.compiled.asksScripts ? view.asking(scriptAsker(view, of: stage)) : view
    }
}
