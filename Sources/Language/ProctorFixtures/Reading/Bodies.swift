import ProctorBase
package import ProctorDocument
import ProctorHTTP
package import ProctorScenario

struct MultipartKeys: Sendable {
    let multipart = Key<Node>("multipart", isRequired: true)
    let boundary = Key<[UInt8]>("boundary", isRequired: true) { $1.boundary($0) }
    let preamble = Key("preamble", Shape<Template>.lateBound("a preamble"))
    let epilogue = Key("epilogue", Shape<Template>.lateBound("an epilogue"))
    let closed = UsualKey("closed", Shape<Bool>.boolean("closed"), usual: true)
}

struct PartKeys: Sendable {
    let headers = Key("headers", Shape<[ReplyField]>.fields("headers"))
    let body = Key("body", Shape<ByteSource>.bytes("the body of a part"), isRequired: true)
}

extension Shape where Value == Template {
    /// Text with late-bound parts, and no other form of bytes.
    fileprivate static func lateBound(_ what: String) -> Shape {
        Shape(.named("text")) { node, reader in
            reader.sink.text(node, what).flatMap {
                TemplateParser(scope: reader.scope, sink: reader.sink).parse(ScalarText(node, $0))
            }
        }
    }
}

extension ScenarioReader {
    static let multipartTable = Table("a multipart body", MultipartKeys())
    static let partTable = Table("a part", PartKeys())

    func body(_ node: Node) -> [BodyPiece] {
        if node.entries?.contains(where: { $0.key == "multipart" }) == true { return multipart(node) }
        if let made = madeBody(node) { return made }
        return pieces(node, "a body", mayBeEmpty: true)
    }

    /// Bytes, or a list of bytes and effects; `what` is the noun in messages: `a body`.
    package func pieces(_ node: Node, _ what: String, mayBeEmpty: Bool = false) -> [BodyPiece] {
        guard let items = node.items else {
            return bytes(node, what).map { [.bytes($0)] } ?? []
        }
        guard items.count <= Bounds.chunks else {
            sink.report(node, "\(what) has \(items.count) pieces; at most \(Bounds.chunks) are permitted")
            return []
        }
        if items.isEmpty, !mayBeEmpty { sink.report(node, "\(what) needs at least one piece") }
        return items.compactMap { item -> BodyPiece? in
            if item.isEffect { return inlineEffect(item, "in \(what)").map { .effect($0) } }
            return bytes(item, "a piece of \(what)").map { .bytes($0) }
        }
    }

    /// `{ do: …, abrupt: … }` in a list; `place` follows "an effect" in messages.
    package func inlineEffect(_ item: Node, _ place: String) -> Effect.Action? {
        if let position = item.entries?.first(where: { $0.key == "at" }) {
            return sink.refuse(
                position.keyNode, "an effect \(place) stands where it is played; \"at\" goes under effects:")
        }
        guard let keys = Self.inlineEffectTable.called("an effect \(place)").open(item, self), let action = action(keys)
        else { return nil }
        guard !scope.isCoded else {
            return sink.refuse(
                item, "an effect between pieces has no place in a coded body",
                hint: "count with at: body N, which means byte N of what is coded")
        }
        return action
    }

    private func multipart(_ node: Node) -> [BodyPiece] {
        guard let keys = Self.multipartTable.open(node, self) else { return [] }
        let boundary = keys[\.boundary]
        let preamble = keys[\.preamble]
        let epilogue = keys[\.epilogue]
        let isClosed = keys[\.closed]
        if !isClosed, let node = keys.entry(\.epilogue)?.keyNode {
            sink.report(node, "an epilogue stands behind the closing delimiter, which closed: false leaves out")
        }
        guard let list = keys[\.multipart], let items = sink.list(list, "parts", limit: Bounds.parts), let boundary
        else { return [] }
        var writer = MultipartPieces(boundary: boundary)
        if let preamble { writer.addPreamble(preamble) }
        for item in items {
            if item.isEffect {
                if let action = inlineEffect(item, "between parts") { writer.add(action) }
            } else {
                addPart(item, to: &writer)
            }
        }
        if !writer.hasParts { sink.report(list, "\"multipart\" needs at least one part") }
        if isClosed { writer.close(epilogue: epilogue) }
        return writer.pieces
    }

    private func addPart(_ node: Node, to writer: inout MultipartPieces) {
        guard let keys = Self.partTable.open(node, self) else { return }
        let headers = keys[\.headers] ?? []
        guard let body = keys[\.body] else {
            writer.skipPart()
            return
        }
        writer.addPart(headers, body)
    }

    /// The boundary of the parts (RFC 2046 §5.1.1).
    fileprivate func boundary(_ node: Node) -> [UInt8]? {
        guard let text = sink.text(node, "a boundary") else { return nil }
        let bytes = Array(text.utf8)
        guard (1...70).contains(bytes.count) else {
            return sink.refuse(node, "a boundary has 1 to 70 characters (RFC 2046 §5.1.1), found \(bytes.count)")
        }
        if let bad = bytes.firstIndex(where: { !$0.isBoundaryByte }) {
            return sink.refuse(
                node.location(ofTextOffset: bad),
                "a boundary is made of letters, digits, spaces and '()+_,-./:=? (RFC 2046 §5.1.1), found "
                    + quoted(text))
        }
        guard bytes.last != 0x20 else {
            return sink.refuse(
                node.location(ofTextOffset: bytes.count - 1), "a boundary does not end with a space (RFC 2046 §5.1.1)")
        }
        return bytes
    }
}

extension Node {
    /// Whether the mapping, in a list that has other items too, is an effect.
    package var isEffect: Bool { entries?.contains { $0.key == "do" || $0.key == "abrupt" || $0.key == "at" } == true }
}

extension BodyPiece {
    /// Whether the piece is content, and no effect.
    var isBytes: Bool {
        if case .bytes = self { return true }
        return false
    }
}

/// Collects the pieces of a multipart body.
private struct MultipartPieces {
    let boundary: [UInt8]
    private(set) var pieces: [BodyPiece] = []
    private(set) var hasParts = false
    /// The bytes before the next delimiter: none at the start of the body, else a line end.
    private var lead: [Template.Part] = []

    init(boundary: [UInt8]) {
        self.boundary = boundary
    }

    mutating func addPreamble(_ text: Template) {
        lead = text.parts + [.literal([0x0D, 0x0A])]
    }

    /// Adds an effect, which is played after the preamble and before the delimiter of the next part.
    mutating func add(_ action: Effect.Action) {
        if !hasParts, !lead.isEmpty {
            add(lead)
            lead = []
        }
        pieces.append(.effect(action))
    }

    mutating func skipPart() { hasParts = true }

    mutating func addPart(_ headers: [ReplyField], _ body: ByteSource) {
        hasParts = true
        var parts = lead + [.literal([0x2D, 0x2D] + boundary + [0x0D, 0x0A])]
        for field in headers {
            parts += [.literal(field.name + [0x3A, 0x20])] + field.value.parts + [.literal([0x0D, 0x0A])]
        }
        parts.append(.literal([0x0D, 0x0A]))
        // Bytes known at loading are one piece, and so one chunk, with the head of the part.
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
