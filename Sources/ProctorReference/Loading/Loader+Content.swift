import ProctorHTTP

extension Loader {
    /// What becomes of the content of the final reply.
    struct ContentState: Sendable {
        var response: LoadResponse?
        /// Only of multipart/x-mixed-replace.
        var parts: MultipartReader?
        /// Bytes that came with a part whose response the client has not allowed yet.
        var unread: [UInt8] = []
        /// The reply is over; what is unread is all there is.
        var isComplete = false
        var hasPart = false
        /// The cache has answered: nobody is asked again whether that may be stored (R32).
        var isStored = false
    }

    /// Tells of the response; with parts, of none before the first one (R26).
    mutating func deliver(_ response: LoadResponse, isStored: Bool = false) -> [LoadAction] {
        content = ContentState(response: response, isStored: isStored)
        if let type = response.head.fields.first(named: "Content-Type"),
            type.first == UInt8(ascii: "m") || type.first == UInt8(ascii: "M")
        {
            content.parts = MediaType(Array(type)).flatMap { $0.isMixedReplace ? MultipartReader($0) : nil }
        }
        guard content.parts == nil else {
            phase = .receiving
            return []
        }
        phase = .disposing
        return [.tell(.response(response))]
    }

    mutating func receive() -> [LoadAction] {
        phase = .receiving
        var actions = tellProgress()
        let unread = content.unread
        content.unread = []
        if !unread.isEmpty { actions += readParts(unread) }
        return content.isComplete && phase == .receiving ? actions + finish() : actions
    }

    mutating func take(_ bytes: [UInt8]) -> [LoadAction] {
        if content.parts == nil { return bytes.isEmpty ? [] : [.tell(.data(bytes))] }
        return readParts(bytes)
    }

    /// Up to the next part, whose response has to be allowed first.
    private mutating func readParts(_ bytes: [UInt8]) -> [LoadAction] {
        var actions: [LoadAction] = []
        var offset = 0
        while phase == .receiving, let event = content.parts?.next(bytes.span, at: &offset) {
            actions += take(event)
        }
        if phase == .disposing { content.unread = Array(bytes[offset...]) }
        return actions
    }

    private mutating func take(_ event: MultipartEvent) -> [LoadAction] {
        switch event {
        case .partBegan(let fields):
            guard let response = content.response else { return [] }
            content.hasPart = true
            phase = .disposing
            return [.tell(.response(LoadResponse(url: response.url, head: response.head, partFields: fields)))]
        case .content(let bytes): return [.tell(.data(bytes))]
        case .partEnded, .ended: return []
        case .refused(let violation):
            return end(LoadError(.cannotParseResponse, "a part can't be read: \(violation)", violation: violation))
        }
    }

    mutating func replyEnded() -> [LoadAction] {
        var actions: [LoadAction] = []
        while phase == .receiving, let event = content.parts?.end() { actions += take(event) }
        guard phase == .receiving else { return actions }
        content.isComplete = true
        if content.parts != nil, !content.hasPart, let response = content.response {
            // No part at all: the client hears of the whole, as every success needs a response (R2).
            content.parts = nil
            phase = .disposing
            return [.tell(.response(response))]
        }
        return actions + finish()
    }

    private mutating func finish() -> [LoadAction] {
        guard policy.asksToStore, !content.isStored, content.parts == nil, let response = content.response,
            request.mayKeep(response.head)
        else { return end(nil) }
        phase = .storing
        return [.tell(.willCache(response))]
    }
}
