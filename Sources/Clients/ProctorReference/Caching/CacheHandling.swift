internal import ProctorHTTP
internal import ProctorHTTPClient

/// How one load uses its session's cache; belongs to the load's thread.
struct CacheHandling {
    enum Way {
        case send(ClientRequest)
        case answer(StoredAnswer)
        case fail(LoadError)
    }

    enum Validation {
        case holds(StoredAnswer)
        /// The 304 is about another response than the one in the condition.
        case isAnothers(LoadError)
    }

    struct StoredAnswer {
        let head: ReplyHead
        let content: [UInt8]
    }

    private let cache: ReferenceCache
    private let mayStore: Bool
    private let fault: CacheFault?
    private var request: ClientRequest?
    private var requestedAt = 0
    /// The stored response that the current request revalidates.
    private var stale: StoredResponse?
    /// The state of a 304 that answers a condition of the cache, not of the caller.
    private(set) var validation: Validation?
    private var arriving: Arriving?

    private struct Arriving {
        let head: ReplyHead
        let receivedAt: Int
        /// nil: the content is longer than the cache stores.
        var content: [UInt8]? = []
    }

    init(_ cache: ReferenceCache, mayStore: Bool, fault: CacheFault? = nil) {
        (self.cache, self.fault, self.mayStore) = (cache, fault, mayStore)
    }

    // MARK: Before a transfer

    /// Called once for every request.
    mutating func chooseWay(for request: ClientRequest) -> Way {
        self.request = request
        requestedAt = cache.now
        stale = nil
        validation = nil
        arriving = nil
        let isReload = request.cachePolicy == .reload || request.cachePolicy == .reloadAll
        guard request.method == "GET", !request.concernsPart, !isReload else {
            return Self.wayWithoutCache(request, fault: fault)
        }
        let stored = cache.response(to: request)
        let asksAnyway = request.cachePolicy == .revalidate && fault != .freshIsNeverAsked
        guard request.cachePolicy == .byProtocol || request.cachePolicy == .revalidate else {
            return stored?.storedAnswer(at: requestedAt) ?? Self.wayWithoutCache(request, fault: fault)
        }
        let directives = asksAnyway ? [HTTPField("Cache-Control", "no-cache")] : []
        let decision = CacheDecision(
            method: request.method, requestFields: request.fields + directives, reply: stored?.reply, now: requestedAt)
        switch decision {
        case .serve: return stored?.storedAnswer(at: requestedAt) ?? .send(request)
        case .validate(let conditions):
            stale = stored
            var conditional = request
            conditional.fields += conditions
            return .send(conditional)
        case .load: return .send(request)
        case .refuse: return .fail(Self.nothing(for: request))
        }
    }

    static func wayWithoutCache(_ request: ClientRequest, fault: CacheFault?) -> Way {
        switch request.cachePolicy {
        case .cacheOnly: .fail(nothing(for: request))
        case .reloadAll where fault != .reloadSaysNothing: .send(request.pastEveryCache)
        default: .send(request)
        }
    }

    private static func nothing(for request: ClientRequest) -> LoadError {
        LoadError(
            .resourceUnavailable,
            "\(request.method) \(request.url) is to be answered by the cache alone, and nothing that may is stored")
    }

    // MARK: During a transfer

    /// Handles an event of the transfer; returns whether the event concerns only the cache.
    mutating func takes(_ event: LoadEvent) -> Bool {
        switch event {
        case .head(let head) where !head.isInterim: return takes(head)
        // These events belong to the 304, even when its connection failed.
        case .content, .replyEnded, .drained, .failed: return validation != nil
        default: return false
        }
    }

    private mutating func takes(_ head: ReplyHead) -> Bool {
        guard let request else { return false }
        let now = cache.now
        arriving = nil
        if let stale {
            self.stale = nil
            if head.status == 304 {
                validation = validation(of: stale, by: [HTTPField](head.fields), at: now)
                return true
            }
            // RFC 9111 §4.3.3: a 5xx reply says nothing about the stored response.
            if head.status < 500 { cache.remove(stale) }
        }
        if request.method == "HEAD", head.status == 200, !request.concernsPart, fault != .headIsIgnored {
            refresh(by: [HTTPField](head.fields), of: request, at: now)
        }
        for key in CacheKey.invalidated(
            by: request.method, to: request.url, status: head.status, replyFields: [HTTPField](head.fields))
        {
            cache.removeAll(of: key)
        }
        // Parts that replace each other are no complete response, and their number is unlimited.
        let isInParts = MediaType(of: [HTTPField](head.fields))?.isMixedReplace == true
        if mayStore, !request.concernsPart, !isInParts, request.mayKeep(head) {
            arriving = Arriving(head: head, receivedAt: now)
        }
        return false
    }

    /// RFC 9111 §4.3.5: a reply to HEAD refreshes the stored reply to GET, or shows that the stored one is out of date.
    private func refresh(by fields: [HTTPField], of request: ClientRequest, at now: Int) {
        guard var stored = cache.response(to: request) else { return }
        guard stored.reply.isConfirmed(by: fields), stored.hasLength(of: fields) else { return cache.remove(stored) }
        stored.reply.refresh(by: fields, requestedAt: requestedAt, receivedAt: now)
        if request.mayKeep(stored) { cache.store(stored) } else { cache.remove(stored) }
    }

    private func validation(of stale: StoredResponse, by fields: [HTTPField], at now: Int) -> Validation {
        var refreshed = stale
        refreshed.reply.refresh(by: fields, requestedAt: requestedAt, receivedAt: now)
        guard stale.reply.isConfirmed(by: fields), case .answer(let answer)? = refreshed.storedAnswer(at: now) else {
            cache.remove(stale)
            return .isAnothers(
                LoadError(
                    .badServerResponse,
                    "a 304 came for another version of \(request?.url.text ?? "") than the one that was asked about"))
        }
        // When the 304 or the new request forbids storing, the response answers only this request (RFC 9111 §3,
        // §5.2.1.5).
        if request?.mayStore(refreshed.reply.status, refreshed.reply.fields) == true {
            cache.store(refreshed)
        } else {
            cache.remove(stale)
        }
        return .holds(answer)
    }

    /// Ends the validation; later events belong to another transfer.
    mutating func endValidation() {
        validation = nil
        arriving = nil
    }

    // MARK: Storing

    /// Bytes of the current content that are kept for storing.
    var collectedByteCount: Int { arriving?.content?.count ?? 0 }

    mutating func collect(_ bytes: [UInt8]) {
        guard let count = arriving?.content?.count else { return }
        if count + bytes.count > cache.byteLimit {
            arriving?.content = nil
        } else {
            arriving?.content? += bytes
        }
    }

    /// Stores the complete content by the delegate's answer; the loader has checked that storing is permitted.
    mutating func store(_ answer: StoringAnswer) {
        guard answer != .refuse, let request, let arriving, let content = arriving.content else { return }
        self.arriving = nil
        let made = StoredResponse(
            arriving.head, content, to: request, requestedAt: requestedAt, receivedAt: arriving.receivedAt)
        guard var response = made else { return }
        response.storage = request.url.origin.scheme == .https ? .allowedInMemoryOnly : .allowed
        if case .change(var change) = answer, fault != .changeIsForgotten {
            if fault == .notesAreForgotten { change.notes = nil }
            response.change(by: change)
        }
        if response.storage != .notAllowed { cache.store(response) }
    }
}

extension ClientRequest {
    /// Whether a private cache may keep such a complete answer (RFC 9111 §3).
    func mayStore(_ status: Int, _ fields: [HTTPField]) -> Bool {
        CacheStorage.mayStore(method: method, requestFields: self.fields, status: status, replyFields: fields)
    }

    /// Whether the client is asked about storing: only for success (R32).
    func mayKeep(_ head: ReplyHead) -> Bool {
        (200..<300).contains(head.status) && mayStore(head.status, [HTTPField](head.fields))
    }

    /// Whether the client is asked about storing the response to a GET that is in the cache.
    fileprivate func mayKeep(_ stored: StoredResponse) -> Bool {
        CacheStorage.mayStore(
            method: "GET", requestFields: fields, status: stored.reply.status, replyFields: stored.reply.fields)
    }

    /// The request that tells every cache on its way to ask the origin (RFC 9111 §5.2.1.4), those of HTTP/1.0 by Pragma
    /// (§5.4).
    fileprivate var pastEveryCache: ClientRequest {
        var request = self
        for name in ["Cache-Control", "Pragma"] where !fields.contains(named: name) {
            request.fields.append(HTTPField(name, "no-cache"))
        }
        return request
    }

    /// Whether the caller asks for a part or sets conditions; then the cache is not used.
    fileprivate var concernsPart: Bool { fields.contains(named: "Range") || Preconditions.areAny(in: fields) }
}

extension StoredResponse {
    /// The stored response; nil when its fields form no readable head.
    fileprivate func storedAnswer(at now: Int) -> CacheHandling.Way? {
        head(at: now).map { .answer(CacheHandling.StoredAnswer(head: $0, content: content)) }
    }
}
