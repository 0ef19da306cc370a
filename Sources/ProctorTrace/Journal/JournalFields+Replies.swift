import ProctorHTTP

// What the journal says of a reply that begins, read back.
extension JournalFields {
    func sentReply() throws(LineFault) -> SentReply {
        SentReply(
            status: has("status") ? try integer("status") : nil, fields: has("fields") ? try fieldLines() : nil,
            headByteCount: has("headByteCount") ? try integer("headByteCount") : nil,
            content: try sentContent("content"), codedContent: try sentContent("codedContent"))
    }

    private func fieldLines() throws(LineFault) -> FieldSection {
        FieldSection(
            try list("fields").map { tree throws(LineFault) in
                guard case .list(let parts) = tree, parts.count == 2 else {
                    throw LineFault(0, "'fields' is a list of name and value")
                }
                return (try Self.bytes(parts[0], "fields"), try Self.bytes(parts[1], "fields"))
            })
    }

    private func sentContent(_ key: String) throws(LineFault) -> SentContent? {
        guard let fields = try objectIfAny(key) else { return nil }
        let content = SentContent(
            byteCount: try fields.integer("byteCount"), kept: try fields.bytes("body"),
            sha256: try fields.textIfAny("sha256"))
        guard content.kept.count <= content.byteCount else {
            throw LineFault(0, "'\(key)' keeps more bytes than it counts")
        }
        return content
    }
}
