internal import ProctorBase
internal import ProctorHTTP

/// The state machine of one load, with events in and actions out; it has no clock, no socket and no callback.
///
/// An event that does not fit the phase has no effect: answers may come late or twice, and a peer may send anything.
package struct Loader: Sendable {
    /// The current request, or the next one.
    package internal(set) var request: ClientRequest
    private(set) var policy: LoaderPolicy
    /// Finds the ways to a URL, the first of which is tried first; nil: the policy's proxy is the only one.
    var findRoutes: RouteFinding?
    /// The hosts that are asked by https alone; nil: none are known.
    var strictHosts: StrictHosts?
    /// The URL for which ways were found, and those that were not tried.
    private var routes: (url: ClientURL, left: ArraySlice<ProxyRoute>)?
    var phase = LoaderPhase.idle
    var redirectCount = 0
    /// The URLs that were asked; kept only where a redirect may not lead to one of them.
    private var askedURLs: Set<String> = []
    /// The number of transfers that began, those without a connection included (R41).
    var exchangeCount = 0
    /// Whether the request was repeated without a question, which is done at most once.
    var hasRetried = false
    /// How often the server has reported that it has not processed the request.
    var unprocessedCount = 0
    /// Whether the request was repeated on another connection because of a 421.
    var hasLeftConnection = false
    /// Whether the last head came on a stream of HTTP/2, where a WebSocket is asked for by CONNECT (RFC 8441 §4).
    var isOnStreams = false
    /// The body of the current request before it was sent.
    var unsentBody = RequestBody.none
    /// Whether the current head is the proxy's, which refuses a tunnel.
    var isTunnelRefused = false
    var sending = BodyProgress()
    var authentication = AuthenticationState()
    /// The credentials that loads share; set while an event is handled.
    private(set) var memory = AuthenticationMemory.none
    var content = ContentState()
    var held = HeldContent()

    struct BodyProgress: Sendable, Equatable {
        var reported = 0
        var unreported = 0
        var expected = -1
    }

    /// Does nothing before `start`.
    init(_ request: ClientRequest, policy: LoaderPolicy = LoaderPolicy()) {
        (self.request, self.policy) = (request, policy)
        authentication.usesStored = policy.usesStoredCredentials
    }

    var isRedirected: Bool { redirectCount > 0 }

    var isEnded: Bool { phase == .ended }

    /// Handles an event with the memory that the loads of one client share, and updates it.
    mutating func handle(_ event: LoadEvent, knowing memory: inout AuthenticationMemory) -> [LoadAction] {
        swap(&self.memory, &memory)
        defer { swap(&self.memory, &memory) }
        return handle(event)
    }

    /// Handles one event; the actions are in the order in which they must run.
    package mutating func handle(_ event: LoadEvent) -> [LoadAction] {
        guard phase != .ended else { return [] }
        switch event {
        case .cancel: return endLoad(LoadError(.cancelled, "the load was cancelled"))
        case .timedOut: return endLoad(LoadError(.timedOut, "\(request.method) \(request.url) took too long"))
        case .storageAnswered(let isUsed):
            authentication.usesStored = isUsed
            return []
        case .bodySent(let byteCount, let expected): return bodySent(byteCount, expected: expected)
        case .start: return phase == .idle ? start() : []
        default: return event.isOfTheWire ? arrived(event) : answered(event)
        }
    }

    /// Handles an answer of the client, which has no effect without its question.
    private mutating func answered(_ event: LoadEvent) -> [LoadAction] {
        switch (phase, event) {
        case (.announcing, .canonicalAnswered(let isAccepted)):
            return isAccepted
                ? openBody() : endLoad(LoadError(.cancelled, "the canonical form of the request was refused"))
        case (.openingBody, .bodyStreamAnswered(let stream)): return receiveStream(stream)
        case (.redirecting(let response), .redirectAnswered(let next)): return redirectAnswered(next, of: response)
        case (.securing(let challenge), .challengeAnswered(let answer)):
            return handshakeAnswered(answer, to: challenge)
        case (.challenging(let negotiation), .challengeAnswered(let answer)):
            return challengeAnswered(answer, to: negotiation)
        case (.disposing, .responseAnswered(let disposition)):
            return disposition == .cancel
                ? endLoad(LoadError(.cancelled, "the response was not wanted")) : receive()
        case (.storing, .cacheAnswered): return endLoad(nil)
        default: return []
        }
    }

    /// Handles an event of the transfer; ignored after a failure, and while a question has no answer if it does not
    /// fit.
    private mutating func arrived(_ event: LoadEvent) -> [LoadAction] {
        switch (phase, event) {
        case (.sending, .handshakeAsks(let challenge)): return handshakeAsks(challenge)
        case (.sending, .tunnelNeeded): return tunnelNeeded()
        case (.sending, .tunnelOpened(let head)): return tunnelOpened(head)
        case (.sending, .tunnelRefused(let head)): return tunnelRefused(head)
        case (.sending, .head(let head)):
            return head.isInterim ? [.tell(.informational(head))] : judge(LoadResponse(url: request.url, head: head))
        case (.sending, .storedHead(let head)):
            return deliver(LoadResponse(url: request.url, head: head), isStored: true)
        case (.redirecting, _) where policy.readsOpenRedirects && held.takes(event): return []
        case (.receiving, .content(let bytes)): return receiveContent(bytes)
        case (.receiving, .trailers(let fields)): return [.tell(.trailers(fields))]
        case (.receiving, .replyEnded): return replyEnded()
        case (.leaving, .drained): return openBody()
        case (.leaving, .failed):
            authentication.loseConnection()
            return openBody()
        case (.sending, .failed(let failure)): return failed(failure)
        case (_, .failed(let failure)): return phase.hasTransfer ? endLoad(failure.error) : []
        default: return []
        }
    }

    private mutating func start() -> [LoadAction] {
        // A text that is no URL has no canonical form.
        if let fault = request.urlFault { return endLoad(LoadError(fault)) }
        secure()
        guard policy.announcesCanonicalForm else { return openBody() }
        phase = .announcing
        return [.tell(.canonicalize(request))]
    }

    /// Has a host that asked for https asked by it (RFC 6797 §8.3).
    private mutating func secure() {
        guard let url = strictHosts?.secured(request.url), url != request.url else { return }
        request.url = url
    }

    /// Updates the memory that all loads of the client share.
    mutating func remember(_ change: (inout AuthenticationMemory) -> Void) { change(&memory) }

    /// Ends the load from any phase, exactly once (R39); first withdraws a question without an answer (R11).
    mutating func endLoad(_ error: LoadError?, byAnswer isAnswered: Bool = false) -> [LoadAction] {
        var actions: [LoadAction] = phase.hasTransfer && error != nil ? [.abort] : []
        if let challenge = phase.openChallenge, !isAnswered { actions.append(.tell(.challengeCancelled(challenge))) }
        phase = .ended
        return actions + [
            .tell(.metrics(ReferenceMetrics(exchangeCount: exchangeCount))), .tell(.complete(error)),
        ]
    }

    /// Called before each transmission: asks for a stream, since other bodies can be read again.
    mutating func openBody() -> [LoadAction] {
        guard request.body == .streamOnDemand else { return send() }
        phase = .openingBody
        return [.tell(.needBodyStream)]
    }

    mutating func receiveStream(_ stream: BodyStream?) -> [LoadAction] {
        guard let stream else {
            let reason =
                exchangeCount == 0
                ? "is to come from a stream, and none was given; answer needsBodyStream with one"
                : "came from a stream and cannot be had again; answer needsBodyStream with a new one"
            return endLoad(
                LoadError(
                    .requestBodyStreamExhausted, "the content of \(request.method) \(request.url) \(reason)"))
        }
        request.body = .stream(stream)
        return send()
    }

    /// Takes the first way to another URL than before, and returns why there is none.
    private mutating func findRoute() -> LoadError? {
        guard let findRoutes, routes?.url != request.url else { return nil }
        do throws(LoadError) {
            let ways = try findRoutes(request.url)
            policy.route = ways.first ?? .direct
            routes = (request.url, ways.dropFirst())
            return nil
        } catch {
            return error
        }
    }

    private mutating func send() -> [LoadAction] {
        if let error = findRoute() { return endLoad(error) }
        var outgoing = request
        isTunnelRefused = false
        unsentBody = request.body
        // The next transmission needs another stream (R22).
        if request.body.isConsumedBySending { request.body = .streamOnDemand }
        authorize(&outgoing)
        exchangeCount += 1
        if policy.refusesCycles { askedURLs.insert(request.url.text) }
        sending = BodyProgress()
        phase = .sending
        return [.send(outgoing, onNewConnection: hasRetried)]
    }

    /// Reports progress, or keeps it while a question has no answer, since no other call may be made then (R28).
    mutating func bodySent(_ byteCount: Int, expected: Int) -> [LoadAction] {
        guard byteCount > 0 else { return [] }
        sending.expected = expected
        let (unreported, overflow) = sending.unreported.addingReportingOverflow(byteCount)
        sending.unreported = overflow ? .max : unreported
        switch phase {
        case .sending, .redirecting, .challenging, .receiving: return tellProgress()
        case .idle, .announcing, .openingBody, .securing, .leaving, .disposing, .storing, .ended: return []
        }
    }

    mutating func tellProgress() -> [LoadAction] {
        let (total, overflow) = sending.reported.addingReportingOverflow(sending.unreported)
        guard sending.unreported > 0, !overflow else { return [] }
        defer {
            sending.reported = total
            sending.unreported = 0
        }
        return [
            .tell(.bodySent(TransferProgress(byteCount: sending.unreported, total: total, expected: sending.expected)))
        ]
    }

    /// Repeats a request after a failure of its transfer, or ends the load.
    ///
    /// Repeats it once after a failure of its kept connection, when that is safe (RFC 9110 §9.2.2), and three times
    /// when the server has not processed it.
    mutating func failed(_ failure: TransferFailure) -> [LoadAction] {
        if failure.isUnprocessed, unprocessedCount < Self.unprocessedLimit {
            unprocessedCount += 1
            if failure.isUnsent { request.body = unsentBody }
            return openBody()
        }
        if failure.isOfRoute, let next = routes?.left.popFirst() {
            policy.route = next
            request.body = unsentBody
            return openBody()
        }
        let isSafe = failure.isUnsent || RegisteredMethods.isIdempotent(request.method)
        guard failure.mayBeRetried, !hasRetried, isSafe else { return endLoad(failure.error) }
        hasRetried = true
        authentication.loseConnection()
        if failure.isUnsent { request.body = unsentBody }
        return openBody()
    }

    /// The most repetitions for a server that does not process a request.
    private static let unprocessedLimit = 3

    /// Handles the final head: a redirect, a challenge, or the response.
    mutating func judge(_ response: LoadResponse) -> [LoadAction] {
        isOnStreams = response.head.version == .http2
        // Repeated once, on another connection, whatever the method is (RFC 9110 §15.5.20).
        if response.head.isMisdirection, !hasLeftConnection, policy.leavesMisdirection {
            hasLeftConnection = true
            return drain()
        }
        if let error = heed(response) { return endLoad(error) }
        if let next = redirection(by: response) {
            if policy.refusesCycles, askedURLs.contains(next.url.text) {
                return endLoad(
                    LoadError(.tooManyRedirects, "\(response.url) redirects to \(next.url), which was asked before"))
            }
            guard redirectCount < policy.redirectLimit else {
                return endLoad(
                    LoadError(
                        .tooManyRedirects,
                        "\(response.url) redirects to \(next.url), and \(policy.redirectLimit) redirects are the most"))
            }
            redirectCount += 1
            held = HeldContent()
            phase = .redirecting(response)
            return [.tell(.redirect(to: next, from: response))]
        }
        return challenge(by: response)
    }

    /// The request that follows (RFC 9110 §15.4); nil when the response redirects to no URL that can be loaded.
    private func redirection(by response: LoadResponse) -> ClientRequest? {
        guard RedirectRules.isRedirect(status: response.status) else { return nil }
        // A status that keeps the method is read as 307, which keeps everything.
        let decision = RedirectDecision(
            status: policy.keptMethods.contains(response.status) ? 307 : response.status,
            replyFields: [HTTPField](response.head.fields), method: request.method,
            url: request.url, fields: request.fields)
        guard case .follow(let next) = decision else { return nil }
        var following = request
        following.method = next.method
        following.url = next.url
        following.fields = next.fields
        if !next.keepsContent { following.body = .none }
        return following
    }

    mutating func redirectAnswered(_ next: ClientRequest?, of response: LoadResponse) -> [LoadAction] {
        guard let next else { return deliver(response) }
        let isOver = held.end != nil
        held = HeldContent()
        if let fault = next.urlFault { return endLoad(LoadError(fault)) }
        request = next
        secure()
        hasLeftConnection = false
        guard !isOver else {
            hasRetried = false
            return openBody()
        }
        return drain()
    }

    mutating func drain() -> [LoadAction] {
        hasRetried = false
        phase = .leaving
        return [.drain]
    }

    /// What the transfer does with the rest of its reply; nil: it waits for the client's answer.
    var step: TransferStep? {
        if case .redirecting = phase, policy.readsOpenRedirects, held.hasRoom { return .readOn }
        return phase.step
    }

    /// The content of a redirect whose question has no answer; it is delivered if the redirect is refused.
    struct HeldContent: Sendable {
        var bytes: [UInt8] = []
        /// The end of the content; nil: more may come.
        var end: End?

        enum End: Sendable {
            case complete
            case failed(LoadError)
        }

        /// The most bytes; further bytes are left on the connection.
        static let byteCount = 65_536

        var hasRoom: Bool { end == nil && bytes.count < Self.byteCount }

        mutating func takes(_ event: LoadEvent) -> Bool {
            switch event {
            case .content(let bytes): self.bytes += bytes
            case .replyEnded: end = .complete
            case .failed(let failure): end = .failed(failure.error)
            default: return false
            }
            return true
        }
    }

    struct ContentState: Sendable {
        var response: LoadResponse?
        /// The number of bytes passed to the client; not counted with parts.
        var byteCount = 0
        /// The reader of multipart/x-mixed-replace; nil for other types.
        var parts: MultipartReader?
        /// Bytes that arrived after the head of a part, before the client allowed that part.
        var unread: [UInt8] = []
        /// The reply is complete: no bytes follow `unread`.
        var isComplete = false
        var hasPart = false
        /// Whether the response comes from the cache, so that the client is not asked to store it again (R32).
        var isStored = false
    }

    /// Delivers the response; a reply with parts delivers only its parts (R26).
    mutating func deliver(_ response: LoadResponse, isStored: Bool = false) -> [LoadAction] {
        content = ContentState(response: response, isStored: isStored)
        if policy.splitsParts, response.head.framing != .tunnel,
            let type = response.head.fields.first(named: "Content-Type"),
            type.first == UInt8(ascii: "m") || type.first == UInt8(ascii: "M")
        {
            content.parts = MediaType(Array(type)).flatMap { $0.isMixedReplace ? MultipartReader($0) : nil }
        }
        guard content.parts == nil else { return receive() }
        phase = .disposing
        return [.tell(.response(response))]
    }

    mutating func receive() -> [LoadAction] {
        phase = .receiving
        var actions = tellProgress()
        let unread = content.unread + held.bytes
        content.unread = []
        held.bytes = []
        if !unread.isEmpty { actions += receiveContent(unread) }
        guard phase == .receiving else { return actions }
        switch held.end {
        case .complete?:
            held.end = nil
            return actions + replyEnded()
        case .failed(let error)?: return actions + endLoad(error)
        case nil: return content.isComplete ? actions + finish() : actions
        }
    }

    mutating func receiveContent(_ bytes: [UInt8]) -> [LoadAction] {
        guard content.parts == nil else { return readParts(bytes) }
        content.byteCount += bytes.count
        return bytes.isEmpty ? [] : [.tell(.data(bytes))]
    }

    /// Reads up to the next part, whose response the client has to allow first.
    private mutating func readParts(_ bytes: [UInt8]) -> [LoadAction] {
        var actions: [LoadAction] = []
        var offset = 0
        while phase == .receiving, let event = content.parts?.next(bytes.span, at: &offset) {
            actions += receivePart(event)
        }
        if phase == .disposing { content.unread = Array(bytes[offset...]) }
        return actions
    }

    private mutating func receivePart(_ event: MultipartEvent) -> [LoadAction] {
        switch event {
        case .partBegan(let fields):
            guard let response = content.response else { return [] }
            content.hasPart = true
            phase = .disposing
            return [.tell(.response(LoadResponse(url: response.url, head: response.head, partFields: fields)))]
        case .content(let bytes): return [.tell(.data(bytes))]
        case .partEnded, .ended: return []
        case .refused(let violation):
            return endLoad(LoadError(.cannotParseResponse, "a part can't be read: \(violation)", violation: violation))
        }
    }

    mutating func replyEnded() -> [LoadAction] {
        var actions: [LoadAction] = []
        while phase == .receiving, let event = content.parts?.finish() { actions += receivePart(event) }
        guard phase == .receiving else { return actions }
        content.isComplete = true
        if content.parts != nil, !content.hasPart, let response = content.response {
            // Without any part, the whole reply is the response, since every success needs one (R2).
            content.parts = nil
            phase = .disposing
            return [.tell(.response(response))]
        }
        return actions + finish()
    }

    private mutating func finish() -> [LoadAction] {
        guard policy.asksToStore, !content.isStored, content.parts == nil, let response = content.response,
            request.mayKeep(response.head)
        else { return endLoad(nil) }
        phase = .storing
        return [.tell(.willCache(response, byteCount: content.byteCount))]
    }
}
