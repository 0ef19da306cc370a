import ProctorBase
import ProctorHTTP

/// The reply of a file, which pipes change one after the other.
struct FolderReply {
    let place: String
    var status = 200
    /// nil: the registered one.
    var reason: String?
    var fields: [Field] = []
    private(set) var content: [UInt8]
    /// The content with values that the request fills in, in the language's own form; nil: there are none.
    private var late: String?
    private var isCoded = false
    /// Pieces and waits in place of the content in one piece; nil: it comes at once.
    private var pieces: [YAMLTree]?

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

    // MARK: Pipes

    mutating func apply(
        _ pipe: FolderPipe, isMarkup: Bool, _ remarks: inout ImportRemarks
    ) throws(FolderPipe.Fault) {
        switch pipe {
        case .status(let status): self.status = status
        case .header(let name, let value, let isAdded):
            if !isAdded { fields.removeAll { $0.name.lowercased() == name.lowercased() } }
            fields.append(Field(name, Array(value.utf8)))
        case .slice(let start, let end):
            try requireWhole("slice")
            let range =
                Self.offset(
                    start ?? 0, content.count)..<max(
                    Self.offset(start ?? 0, content.count), Self.offset(end ?? content.count, content.count))
            content = Array(content[range])
        case .gzip:
            try requireWhole("gzip")
            fields.removeAll { $0.name.lowercased() == "content-encoding" }
            isCoded = true
        case .trickle(let steps):
            try requireWhole("trickle")
            try trickle(steps)
        case .sub(let isEscaped):
            guard !isCoded, pieces == nil else { throw FolderPipe.Fault("sub stands behind gzip or trickle") }
            substitute(isMarkup: isEscaped ?? isMarkup, &remarks)
        }
    }

    private func requireWhole(_ name: String) throws(FolderPipe.Fault) {
        guard late == nil, !isCoded, pieces == nil else {
            throw FolderPipe.Fault("\(name) stands behind a pipe that changes the content, which can't be said")
        }
    }

    /// An offset as Python has it: a negative one counts from the end.
    private static func offset(_ offset: Int, _ count: Int) -> Int {
        offset < 0 ? max(0, count + max(offset, -count)) : min(offset, count)
    }

    private static let mostPieces = 1_000

    private mutating func trickle(_ steps: [FolderPipe.Trickle]) throws(FolderPipe.Fault) {
        var pieces: [YAMLTree] = []
        var offset = 0
        func perform(_ steps: [FolderPipe.Trickle], _ pieces: inout [YAMLTree], _ offset: inout Int) {
            for step in steps where pieces.count <= Self.mostPieces {
                switch step {
                case .bytes(let count):
                    let end = min(content.count, offset + min(count, content.count))
                    if end > offset { pieces.append(Self.piece(content[offset..<end])) }
                    offset = end
                case .delay(let milliseconds):
                    if milliseconds > 0 { pieces.append(["do": .text("wait \(milliseconds)ms")]) }
                case .again: break
                }
            }
        }
        perform(steps, &pieces, &offset)
        if case .again(let count)? = steps.last {
            let again = Array(steps.dropLast().suffix(count))
            guard again.contains(where: { if case .bytes(1...) = $0 { true } else { false } }) else {
                throw FolderPipe.Fault("r\(count) of trickle repeats no bytes, and never ends")
            }
            while offset < content.count, pieces.count <= Self.mostPieces { perform(again, &pieces, &offset) }
        }
        if offset < content.count { pieces.append(Self.piece(content[offset...])) }
        guard pieces.count <= Self.mostPieces else {
            throw FolderPipe.Fault("trickle makes more than \(Self.mostPieces) pieces and waits, which is the limit")
        }
        let names = Set(fields.map { $0.name.lowercased() })
        if names.isDisjoint(with: ["cache-control", "pragma", "expires"]) {
            fields += [
                Field("Cache-Control", Array("no-cache, no-store, must-revalidate".utf8)),
                Field("Pragma", Array("no-cache".utf8)), Field("Expires", Array("0".utf8)),
            ]
        }
        self.pieces = pieces
    }

    private static func piece(_ bytes: ArraySlice<UInt8>) -> YAMLTree {
        if let text = String(validUTF8: bytes) { return .text(LiteralText.late(text)) }
        return .base64(Array(bytes))
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

    /// `honoursRanges`: one range of the content is answered with 206.
    func draft(honoursRanges: Bool) -> DraftReply {
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
        if isCoded { reply.coding = [.text("gzip")] }
        if let pieces {
            // Without its end being told, as a content that is made piece by piece.
            if !namesFraming { reply.framing = "close" }
            reply.body = pieces.isEmpty ? .none : .made(.list(pieces))
        } else if let late {
            reply.body = .late(late)
        } else if !content.isEmpty {
            reply.body =
                String(validUTF8: content).map { $0.utf8.contains(0) ? .bytes(content) : .text($0) } ?? .bytes(content)
        }
        if honoursRanges, status == 200, late == nil, !content.isEmpty, !namesFraming {
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
