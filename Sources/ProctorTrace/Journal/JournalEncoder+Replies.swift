import ProctorBase
import ProctorHTTP

extension JournalEncoder {
    static func append(_ reply: SentReply, to json: inout JSONText) {
        json.member("ev", "replyBegun")
        if let status = reply.status { json.member("status", status) }
        if let fields = reply.fields { append(fields, to: &json) }
        if let count = reply.headByteCount { json.member("headByteCount", count) }
        if let content = reply.content { append(content, named: "content", to: &json) }
        if let content = reply.codedContent { append(content, named: "codedContent", to: &json) }
    }

    /// A list of name and value.
    static func append(_ fields: FieldSection, to json: inout JSONText) {
        json.key("fields")
        json.open("[")
        for field in fields {
            json.element()
            json.open("[")
            append(field.name, to: &json)
            append(field.value, to: &json)
            json.close("]")
        }
        json.close("]")
    }

    private static func append(_ content: SentContent, named key: StaticString, to json: inout JSONText) {
        json.key(key)
        json.open("{")
        json.member("byteCount", content.byteCount)
        json.member("body", orBase64: "bodyBase64", content.kept[...])
        if let hash = content.sha256 { json.member("sha256", hash) }
        json.close("}")
    }
}
