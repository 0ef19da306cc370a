import ProctorBase
import ProctorHTTP

/// The reply of a file, with what its sidecars say.
struct FolderReply {
    let place: String
    var status = 200
    /// nil: the registered one.
    var reason: String?
    var fields: [Field] = []
    let content: [UInt8]
    /// The content with values that the request fills in, in the language's own form; nil: there are none.
    private var late: String?

    struct Field {
        let name: String
        let value: [UInt8]
        /// Whether values of the request stand in it, as wptserve writes them.
        var isTemplate = false

        init(_ name: String, _ value: [UInt8], isTemplate: Bool = false) {
            (self.name, self.value, self.isTemplate) = (name, value, isTemplate)
        }
    }

    init(place: String, content: [UInt8]) {
        (self.place, self.content) = (place, content)
    }

    /// What a file has at most whose values are filled in.
    private static let lateByteLimit = 256 << 10

    mutating func substitute(isMarkup: Bool, _ remarks: inout ImportRemarks) {
        guard content.firstRange(ofBytes: "{{".utf8) != nil, let text = String(validUTF8: content) else { return }
        guard content.count <= Self.lateByteLimit else {
            remarks.add(
                at: place, "values are filled in up to \(Self.lateByteLimit) bytes; this content is sent as it is")
            return
        }
        late = FolderTemplate.late(text, at: place, isMarkup: isMarkup, &remarks)
    }

    // MARK: Drafts

    /// One range of the content is answered with 206.
    func draft() -> DraftReply {
        var reply = DraftReply(status)
        reply.reason = reason.map { LiteralText.late($0) }
        var unread = ImportRemarks()
        reply.headers = fields.map { field in
            guard let text = String(validUTF8: field.value) else {
                return .init(field.name, .base64(field.value))
            }
            return .init(
                field.name,
                .text(
                    field.isTemplate
                        ? FolderTemplate.late(text, at: place, isMarkup: false, &unread) : LiteralText.late(text)))
        }
        guard !ReplyHead.hasNoContent(status) else { return reply }
        if let late {
            reply.body = .late(late)
        } else if !content.isEmpty {
            reply.body =
                String(validUTF8: content).map { $0.utf8.contains(0) ? .bytes(content) : .text($0) } ?? .bytes(content)
        }
        if status == 200, late == nil, !content.isEmpty, !namesFraming {
            reply.more.append(.init("honours", .text("ranges")))
        }
        return reply
    }

    private var namesFraming: Bool {
        fields.contains { ["content-length", "transfer-encoding"].contains($0.name.lowercased()) }
    }

    /// What the folder says comes of a request for the target.
    func claim(at place: String, target: String) -> SourceClaim {
        var claim = SourceClaim(at: place, RecordedRequest(method: "GET", origin: "", target: target))
        claim.hasAllFields = false
        claim.answeredBy = place
        claim.status = status
        claim.reason = reason
        claim.fields = fields.filter { !["content-length", "transfer-encoding"].contains($0.name.lowercased()) }
            .map { ($0.name, $0.isTemplate ? .any : .equal($0.value)) }
        // With framing of its own the content is as long as that says.
        if late == nil, !namesFraming { claim.content = ReplyHead.hasNoContent(status) ? [] : content }
        return claim
    }
}
