internal import ProctorHTTP

/// What one load has to do with its session's cache; belongs to the load's thread.
struct CacheHandling {
    /// What becomes of a request that is to be sent.
    enum Way {
        /// The request goes out, perhaps with conditions.
        case send(ClientRequest)
        case answer(StoredAnswer)
        case fail(LoadError)
    }

    /// What a 304 says.
    enum Validation {
        case holds(StoredAnswer)
        /// The 304 is about another response than the one that was asked about.
        case isAnothers(LoadError)
    }

    /// A stored response with the head that it answers with now.
    struct StoredAnswer {
        let head: ReplyHead
        let content: [UInt8]
    }

    private let cache: ReferenceCache
    /// Whether the load will ever want something stored.
    private let mayStore: Bool
    /// Of the transfer under way, as the loader wants it sent.
    private var request: ClientRequest?
    private var requestedAt = 0
    /// Asked about by the request under way.
    private var stale: StoredResponse?
    /// What comes of a 304 that is the answer to a question of this side.
    private(set) var validation: Validation?
    private var arriving: Arriving?

    /// A response that might be stored.
    private struct Arriving {
        let head: ReplyHead
        let receivedAt: Int
        /// nil: more than the cache would take.
        var content: [UInt8]? = []
    }

    init(_ cache: ReferenceCache, mayStore: Bool) {
        self.cache = cache
        self.mayStore = mayStore
    }

    // MARK: Before an transfer

    /// To be asked once for every request.
    mutating func begin(_ request: ClientRequest) -> Way {
        self.request = request
        requestedAt = cache.now
        stale = nil
        validation = nil
        arriving = nil
        guard request.method == "GET", !request.concernsPart, request.cachePolicy != .reload else {
            return Self.wayWithoutCache(request)
        }
        let stored = cache.response(to: request)
        guard request.cachePolicy == .byProtocol else {
            return stored?.answer(at: requestedAt) ?? Self.wayWithoutCache(request)
        }
        let decision = CacheDecision(
            method: request.method, requestFields: request.fields, reply: stored?.reply, now: requestedAt)
        switch decision {
        case .serve: return stored?.answer(at: requestedAt) ?? .send(request)
        case .validate(let conditions):
            stale = stored
            var conditional = request
            conditional.fields += conditions
            return .send(conditional)
        case .load: return .send(request)
        case .refuse: return .fail(Self.nothing(for: request))
        }
    }

    /// Where nothing is stored.
    static func wayWithoutCache(_ request: ClientRequest) -> Way {
        request.cachePolicy == .cacheOnly ? .fail(nothing(for: request)) : .send(request)
    }

    private static func nothing(for request: ClientRequest) -> LoadError {
        LoadError(
            .resourceUnavailable,
            "\(request.method) \(request.url) is to be answered by the cache alone, and nothing that may is stored")
    }

    // MARK: During an transfer

    /// Looks at what comes over the wire; true: it is the cache's business alone.
    mutating func takes(_ event: LoadEvent) -> Bool {
        switch event {
        case .head(let head) where !head.isInterim: return takes(head)
        // Of the 304, whatever became of its connection.
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
            // RFC 9111 §4.3.3: a server in trouble says nothing about what is stored.
            if head.status < 500 { cache.remove(stale) }
        }
        for key in CacheKey.invalidated(
            by: request.method, to: request.url, status: head.status, replyFields: [HTTPField](head.fields))
        {
            cache.removeAll(of: key)
        }
        // Parts that replace each other are no whole, and may come for ever.
        let isInParts = MediaType(of: [HTTPField](head.fields))?.isMixedReplace == true
        if mayStore, !request.concernsPart, !isInParts, request.mayKeep(head) {
            arriving = Arriving(head: head, receivedAt: now)
        }
        return false
    }

    private func validation(of stale: StoredResponse, by fields: [HTTPField], at now: Int) -> Validation {
        var refreshed = stale
        refreshed.reply.refresh(by: fields, requestedAt: requestedAt, receivedAt: now)
        guard stale.reply.isConfirmed(by: fields), case .answer(let answer)? = refreshed.answer(at: now) else {
            cache.remove(stale)
            return .isAnothers(
                LoadError(
                    .badServerResponse,
                    "a 304 came for another version of \(request?.url.text ?? "") than the one that was asked about"))
        }
        // What the 304 or the new request forbids to store answers this once (RFC 9111 §3, §5.2.1.5).
        if request?.mayKeep(refreshed.reply.status, refreshed.reply.fields) == true {
            cache.store(refreshed)
        } else {
            cache.remove(stale)
        }
        return .holds(answer)
    }

    /// The 304 is out of the way: what comes next is no transfer's, or another one's.
    mutating func endValidation() {
        validation = nil
        arriving = nil
    }

    // MARK: Storing

    /// Of the content under way that might be stored.
    var collectedByteCount: Int { arriving?.content?.count ?? 0 }

    /// The client was given so much more of the content.
    mutating func collect(_ bytes: [UInt8]) {
        guard let count = arriving?.content?.count else { return }
        if count + bytes.count > cache.byteLimit {
            arriving?.content = nil
        } else {
            arriving?.content? += bytes
        }
    }

    /// The content is whole and the client wants it stored; whether it may be is the loader's to know.
    mutating func store() {
        guard let request, let arriving, let content = arriving.content else { return }
        self.arriving = nil
        let response = StoredResponse(
            arriving.head, content, to: request, requestedAt: requestedAt, receivedAt: arriving.receivedAt)
        if let response { cache.store(response) }
    }
}

extension ClientRequest {
    /// Whether a private cache may keep that answer at all, were it whole (RFC 9111 §3).
    func mayKeep(_ status: Int, _ fields: [HTTPField]) -> Bool {
        CacheStorage.mayStore(method: method, requestFields: self.fields, status: status, replyFields: fields)
    }

    /// Whether its content is offered when it is whole: only what came with success (R32).
    func mayKeep(_ head: ReplyHead) -> Bool {
        (200..<300).contains(head.status) && mayKeep(head.status, [HTTPField](head.fields))
    }

    /// Whether the caller asks for a part, or under conditions of its own: a cache keeps out of that.
    fileprivate var concernsPart: Bool { fields.contains(named: "Range") || Preconditions.areAny(in: fields) }
}

extension StoredResponse {
    /// nil where no head can be made.
    fileprivate func answer(at now: Int) -> CacheHandling.Way? {
        head(at: now).map { .answer(CacheHandling.StoredAnswer(head: $0, content: content)) }
    }
}
