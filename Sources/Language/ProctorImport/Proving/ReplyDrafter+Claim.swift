import ProctorBase
import ProctorHTTP

extension ReplyDrafter {
    /// What the recording says came, with the words of secrets in their place.
    func claim(_ exchange: RecordedExchange, _ read: RecordedContent, at origin: String) -> SourceClaim {
        let (request, reply) = (exchange.request, exchange.reply)
        var claim = SourceClaim(at: exchange.place, request)
        claim.origin = origin
        if !request.openSegments.isEmpty {
            claim.request.target = request.target.split(separator: "/", omittingEmptySubsequences: false)
                .map { request.openSegments.contains(String($0)) ? "1" : String($0) }.joined(separator: "/")
        }
        guard reply.status > 0 else { return claim }
        claim.status = reply.status
        if reply.version.hasPrefix("HTTP/1"), let reason = reply.reason, !reason.isEmpty { claim.reason = reason }
        let listed = Self.listed(reply.fields)
        let moment = LateDate.moment(of: reply.fields)
        claim.fields = reply.fields.map { field in
            // A 304 has no field about content that it does not have (RFC 9110 §15.4.5).
            let isOfContent = reply.status == 304 && field.name.lowercased().hasPrefix("content-")
            let fate = fate(of: field, among: reply.fields, listed: listed)
            return (field.name, isOfContent ? .leftOut : value(of: field, fate, moment))
        }
        if request.method == "HEAD" || ReplyHead.hasNoContent(reply.status) {
            claim.content = []
        } else if let stored = reply.stored {
            if reply.ending == nil { claim.contentByteCount = stored.byteCount }
        } else {
            let content = read.content
            claim.content =
                store.keepsSecrets || String(validUTF8: content) == nil
                ? content : redacted(content, type: MediaType(of: reply.fields))
        }
        return claim
    }

    private func value(of field: HTTPField, _ fate: FieldFate, _ moment: Int?) -> SourceClaim.FieldValue {
        guard case .kept = fate, field.isSendable else { return .leftOut }
        if LateDate.late(field, moment: moment) != nil { return .any }
        if field.isNamed("Set-Cookie") {
            let name = field.bytes.prefix { ![UInt8(ascii: "="), UInt8(ascii: ";")].contains($0) }
            return .begins(Array(name))
        }
        if SecretNames.contains(field.name), !store.keepsSecrets { return .any }
        if ValueForms.isUUID(field.bytes), ValueForms.namesRequests(field.name) { return .any }
        return .equal(store.redact(field.bytes))
    }
}
