internal import ProctorHTTP

/// How one load uses its session's cache; belongs to the load's thread.
struct CacheHandling {
    enum Way {
        case send(ClientRequest)
        case answer(StoredAnswer)
        case fail(LoadError)
    }

    enum Validation {
        case holds(StoredAnswer)
        /// The 304 names another response than the one that the condition names.
        case isAnothers(LoadError)
    }

    struct StoredAnswer {
        let head: ReplyHead
        let content: [UInt8]
    }

    private let cache: ReferenceCache
    private let mayStore: Bool
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
        /// nil: the content is longer than the cache accepts.
        var content: [UInt8]? = []
    }

    init(_ cache: ReferenceCache, mayStore: Bool) {
        self.cache = cache
        self.mayStore = mayStore
    }

    // MARK: Before a transfer

    /// Called once for every request.
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

    static func wayWithoutCache(_ request: ClientRequest) -> Way {
        request.cachePolicy == .cacheOnly ? .fail(nothing(for: request)) : .send(request)
    }

    private static func nothing(for request: ClientRequest) -> LoadError {
        LoadError(
            .resourceUnavailable,
            "\(request.method) \(request.url) is to be answered by the cache alone, and nothing that may is stored")
    }

    // MARK: During a transfer

    /// Takes an event of the transfer; true: the event concerns only the cache.
    mutating func takes(_ event: LoadEvent) -> Bool {
        switch event {
        case .head(let head) where !head.isInterim: return takes(head)
        // These belong to the 304, whatever became of its connection.
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
        for key in CacheKey.invalidated(
            by: request.method, to: request.url, status: head.status, replyFields: [HTTPField](head.fields))
        {
            cache.removeAll(of: key)
        }
        // Parts that replace each other are no complete response, and their number has no bound.
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
        // Where the 304 or the new request forbids storing, this answers one request only (RFC 9111 §3, §5.2.1.5).
        if request?.mayKeep(refreshed.reply.status, refreshed.reply.fields) == true {
            cache.store(refreshed)
        } else {
            cache.remove(stale)
        }
        return .holds(answer)
    }

    /// Ends the validation: later events belong to no transfer or to another one.
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

    /// Stores the complete content; the loader has checked that it may.
    mutating func store() {
        guard let request, let arriving, let content = arriving.content else { return }
        self.arriving = nil
        let response = StoredResponse(
            arriving.head, content, to: request, requestedAt: requestedAt, receivedAt: arriving.receivedAt)
        if let response { cache.store(response) }
    }
}

extension ClientRequest {
    /// Whether a private cache may keep such a complete answer (RFC 9111 §3).
    func mayKeep(_ status: Int, _ fields: [HTTPField]) -> Bool {
        CacheStorage.mayStore(method: method, requestFields: self.fields, status: status, replyFields: fields)
    }

    /// Whether the client is asked about storing: only for success (R32).
    func mayKeep(_ head: ReplyHead) -> Bool {
        (200..<300).contains(head.status) && mayKeep(head.status, [HTTPField](head.fields))
    }

    /// Whether the caller asks for a part or sets conditions; the cache then takes no part.
    fileprivate var concernsPart: Bool { fields.contains(named: "Range") || Preconditions.areAny(in: fields) }
}

extension StoredResponse {
    /// nil where the stored fields form no readable head.
    fileprivate func answer(at now: Int) -> CacheHandling.Way? {
        head(at: now).map { .answer(CacheHandling.StoredAnswer(head: $0, content: content)) }
    }
}
