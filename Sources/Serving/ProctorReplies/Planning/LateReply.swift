internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

/// A plain reply of a fixture whose fields or content have values of the request, prepared when the scenario is compiled.
final class LateReply: Sendable {
    private let reply: PlainReply
    private let persistence: Reply.Persistence
    private let fields: [ReplyField]
    private let body: [Piece]
    let hasCaptures: Bool

    private enum Piece {
        case bytes([UInt8])
        case late(Template)
    }

    /// Nil for a reply that the planner has to plan, or whose plan can be kept.
    init?(_ reply: Reply) {
        guard case .structured(let message)? = reply.message, reply.effects.isEmpty, reply.opaque == nil,
            message.isPlain
        else { return nil }
        var templates = message.headers.map(\.value)
        body = message.body.compactMap { piece in
            switch piece {
            case .bytes(.literal(let bytes)): return .bytes(bytes)
            case .bytes(.template(let template)):
                templates.append(template)
                return .late(template)
            case .bytes, .effect: return nil
            }
        }
        let parts = templates.flatMap(\.allParts)
        guard body.count == message.body.count, parts.contains(where: \.isLate),
            parts.allSatisfy({ $0.isLate || $0.isLiteral })
        else { return nil }
        hasCaptures = parts.contains(where: \.isCapture)
        fields = message.headers
        self.reply = PlainReply(
            status: message.status,
            statusLine: message.reason.map { StatusLines.line(message.status, $0) }
                ?? StatusLines.registered(message.status))
        persistence = reply.persistence
    }

    /// Nil where the planner has to say what becomes of the reply.
    func plan(
        _ texts: inout LateTexts, of request: RequestView, _ numbers: RequestNumbers, omitsContent: Bool
    ) -> LaidOutReply? {
        // A reply that echoes so much is planned anyhow, so nothing of it is made here first.
        guard request.body?.count ?? 0 <= PlainReply.contentByteLimit else { return nil }
        let content: [UInt8]
        if body.count == 1, case .late(let template) = body[0] {
            content = texts.bytes(of: template, request, numbers)
        } else {
            var bytes: [UInt8] = []
            for piece in body {
                switch piece {
                case .bytes(let literal): bytes.append(contentsOf: literal)
                case .late(let template): bytes.append(contentsOf: texts.bytes(of: template, request, numbers))
                }
            }
            content = bytes
        }
        var section = FieldSectionWriter(lineCount: fields.count + 1, byteCount: 64 + 64 * fields.count)
        for field in fields {
            let value = texts.bytes(of: field.value, request, numbers)
            guard PlainReply.isText(value) else { return nil }
            section.add(field.name, value)
        }
        guard !texts.areMissing else { return nil }
        return reply.written(section, content: content, omitsContent: omitsContent).map {
            LaidOutReply($0, persistence: persistence)
        }
    }
}

/// Binds texts that name no addresses, for one request.
struct LateTexts {
    /// The captures of the request's pattern.
    let captures: Captures
    let state: StateValues?
    /// Made for the first value that is not of the head.
    private var values: RequestValues?

    init(captures: Captures, state: StateValues?) {
        (self.captures, self.state) = (captures, state)
    }

    /// Whether a value can't be told.
    var areMissing: Bool { values?.failure != nil }

    mutating func bytes(of template: Template, _ request: RequestView, _ numbers: RequestNumbers) -> [UInt8] {
        if template.parts.count == 1 { return bytes(of: template.parts[0], request, numbers) }
        var bytes: [UInt8] = []
        for part in template.parts {
            if case .literal(let literal) = part {
                bytes.append(contentsOf: literal)
            } else {
                bytes.append(contentsOf: self.bytes(of: part, request, numbers))
            }
        }
        return bytes
    }

    private mutating func bytes(
        of part: Template.Part, _ request: RequestView, _ numbers: RequestNumbers
    ) -> [UInt8] {
        switch part {
        case .literal(let bytes): return bytes
        case .capture(let name): return captures[name] ?? []
        case .value(.capture(let name), let escape): return escape.applied(to: captures[name] ?? [])
        case .value(.state(let name), let escape):
            let name = bytes(of: name, request, numbers)
            return escape.applied(to: state?[name] ?? [])
        case .value(let value, let escape):
            if let bytes = RequestValues.headBytes(of: value, in: request) { return escape.applied(to: bytes) }
            let values = values ?? RequestValues(request, numbers)
            self.values = values
            return values.text(of: value, escape)
        case .base, .origin, .authority, .host, .port, .now: return []
        }
    }
}

extension StructuredReply {
    /// Whether head and content say all: no framing, coding, pace or field of it needs the planner.
    fileprivate var isPlain: Bool {
        guard framing == .unspecified || framing == .length, version == "HTTP/1.1", PlainReply.isPlain(status) else {
            return false
        }
        return trailers.isEmpty && interim.isEmpty && coding == nil && honours.isEmpty && unsatisfiable == nil
            && tunnel == nil && pace == nil && slicing == nil && bodyInJSON == nil
            && PlainReply.isText(Array((reason ?? "").utf8))
            && headers.allSatisfy {
                !PlainReply.isSpecial($0.name.span)
                    && RequestWriter.isMethod(String(decoding: $0.name, as: UTF8.self).utf8)
            }
    }
}

extension Template {
    /// With those of names of the state.
    fileprivate var allParts: [Part] {
        parts.flatMap { part in
            if case .value(.state(let name), _) = part { [part] + name.allParts } else { [part] }
        }
    }
}

extension Template.Part {
    fileprivate var isLiteral: Bool {
        if case .literal = self { true } else { false }
    }

    fileprivate var isLate: Bool {
        switch self {
        case .capture, .value: true
        case .base, .origin, .authority, .host, .port, .now, .literal: false
        }
    }

    fileprivate var isCapture: Bool {
        switch self {
        case .capture, .value(.capture, _): true
        default: false
        }
    }
}
