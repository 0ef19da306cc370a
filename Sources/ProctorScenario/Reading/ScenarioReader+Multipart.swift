import ProctorBase
import ProctorDocument
import ProctorHTTP

/// Bodies of several parts (RFC 2046 §5.1.1), written out with their delimiters.
extension ScenarioReader {
    private static let multipartKeys = ["multipart", "boundary", "preamble", "epilogue", "closed"]

    /// The pieces that a list of parts comes to: one for each part with its delimiter, and the closing delimiter.
    func multipart(_ node: Node, scope: TemplateScope) -> [BodyPiece] {
        guard let reader = MappingReader(node, "a multipart body", keys: Self.multipartKeys, sink: sink) else {
            return []
        }
        let boundary = reader.required("boundary").flatMap(boundary)
        let preamble = reader["preamble"].flatMap { lateBoundText($0, "a preamble", scope: scope) }
        let epilogue = reader["epilogue"].flatMap { lateBoundText($0, "an epilogue", scope: scope) }
        let isClosed = reader["closed"].flatMap { sink.boolean($0, "closed") } ?? true
        if !isClosed, let node = reader.entry("epilogue")?.keyNode {
            sink.report(node, "an epilogue stands behind the closing delimiter, which closed: false leaves out")
        }
        guard let list = reader.required("multipart"), let items = sink.list(list, "parts", limit: Bounds.parts),
            let boundary
        else { return [] }
        var writer = MultipartPieces(boundary: boundary)
        if let preamble { writer.addPreamble(preamble) }
        for item in items {
            if item.isEffect {
                if let action = inlineEffect(item, "between parts", scope: scope) { writer.add(action) }
            } else {
                part(item, to: &writer, scope: scope)
            }
        }
        if !writer.hasParts { sink.report(list, "\"multipart\" needs at least one part") }
        if isClosed { writer.close(epilogue: epilogue) }
        return writer.pieces
    }

    private func part(_ node: Node, to writer: inout MultipartPieces, scope: TemplateScope) {
        guard let reader = MappingReader(node, "a part", keys: ["headers", "body"], sink: sink) else { return }
        let headers = reader["headers"].map { fields($0, "headers", scope: scope) } ?? []
        guard let body = reader.required("body").flatMap({ bytes($0, "the body of a part", scope: scope) }) else {
            writer.skipPart()
            return
        }
        writer.addPart(headers, body)
    }

    /// Text in one form only, with its late-bound parts.
    private func lateBoundText(_ node: Node, _ what: String, scope: TemplateScope) -> Template? {
        sink.text(node, what).flatMap { TemplateParser(scope: scope, sink: sink).parse(ScalarText(node, $0)) }
    }

    private func boundary(_ node: Node) -> [UInt8]? {
        guard let text = sink.text(node, "a boundary") else { return nil }
        let bytes = Array(text.utf8)
        guard (1...70).contains(bytes.count) else {
            sink.report(node, "a boundary has 1 to 70 characters (RFC 2046 §5.1.1), found \(bytes.count)")
            return nil
        }
        if let bad = bytes.firstIndex(where: { !$0.isBoundaryByte }) {
            sink.report(
                node.location(ofTextOffset: bad),
                "a boundary is made of letters, digits, spaces and '()+_,-./:=? (RFC 2046 §5.1.1), found "
                    + quoted(text))
            return nil
        }
        guard bytes.last != 0x20 else {
            sink.report(
                node.location(ofTextOffset: bytes.count - 1), "a boundary does not end with a space (RFC 2046 §5.1.1)")
            return nil
        }
        return bytes
    }
}

/// Collects the pieces of a multipart body.
private struct MultipartPieces {
    let boundary: [UInt8]
    private(set) var pieces: [BodyPiece] = []
    private(set) var hasParts = false
    /// What comes before the next delimiter: nothing at the beginning of the body, else a line end.
    private var lead: [Template.Part] = []

    init(boundary: [UInt8]) {
        self.boundary = boundary
    }

    mutating func addPreamble(_ text: Template) {
        lead = text.parts + [.literal([0x0D, 0x0A])]
    }

    /// The effect comes before the delimiter of the next part, and behind the preamble.
    mutating func add(_ action: Effect.Action) {
        if !hasParts, !lead.isEmpty {
            add(lead)
            lead = []
        }
        pieces.append(.effect(action))
    }

    /// A part that could not be read counts as one all the same.
    mutating func skipPart() { hasParts = true }

    mutating func addPart(_ headers: [ReplyField], _ body: ByteSource) {
        hasParts = true
        var parts = lead + [.literal([0x2D, 0x2D] + boundary + [0x0D, 0x0A])]
        for field in headers {
            parts += [.literal(field.name + [0x3A, 0x20])] + field.value.parts + [.literal([0x0D, 0x0A])]
        }
        parts.append(.literal([0x0D, 0x0A]))
        // What is short goes in one piece, and so in one chunk, with its head.
        switch body {
        case .literal(let bytes): add(parts + [.literal(bytes)])
        case .template(let template): add(parts + template.parts)
        case .file, .repeated, .pattern:
            add(parts)
            pieces.append(.bytes(body))
        }
        lead = [.literal([0x0D, 0x0A])]
    }

    mutating func close(epilogue: Template?) {
        add(lead + [.literal([0x2D, 0x2D] + boundary + [0x2D, 0x2D, 0x0D, 0x0A])] + (epilogue?.parts ?? []))
    }

    private mutating func add(_ parts: [Template.Part]) {
        pieces.append(.bytes(ByteSource(Template(parts: parts))))
    }
}
