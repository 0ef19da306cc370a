internal import ProctorHTTP

/// A response as the cache has it: whole, with its codings undone.
struct StoredResponse: Sendable, Equatable {
    let key: CacheKey
    /// Refreshed by every 304 (RFC 9111 §4.3.4).
    var reply: CachedReply
    let reason: [UInt8]
    let content: [UInt8]

    /// nil for a response that answers no other request (§4.1).
    init?(
        _ head: ReplyHead, _ content: [UInt8], to request: ClientRequest, requestedAt: Int, receivedAt: Int
    ) {
        let fields = [HTTPField](head.fields)
        let reply = CachedReply(
            status: head.status, fields: fields, requestFields: request.fields, requestedAt: requestedAt,
            receivedAt: receivedAt)
        guard let reply else { return nil }
        key = CacheKey(request.url)
        self.reply = reply
        reason = head.reason
        self.content = content
    }

    /// What it takes of the cache's bytes; the constants stand for the objects around them.
    var byteCount: Int {
        reply.fields.reduce(256 + key.bytes.count + content.count) { $0 + 64 + $1.name.utf8.count + $1.bytes.count }
    }

    /// The head that a client is told of at that moment; nil where the fields make none that can be read.
    func head(at now: Int) -> ReplyHead? {
        var text = Array("HTTP/1.1 \(reply.status) ".utf8) + reason
        ReplyWriter.lineEnd(into: &text)
        for field in reply.fields(servedAt: now) {
            ReplyWriter.fieldLine(name: field.name.utf8, value: field.bytes, into: &text)
        }
        ReplyWriter.lineEnd(into: &text)
        var reader = ReplyReader()
        reader.expectReply(to: Array("GET".utf8))
        var offset = 0
        while let event = reader.next(text.span, at: &offset) {
            if case .head(let head) = event { return head }
        }
        return nil
    }
}
