internal import ProctorHTTP
internal import ProctorScenario

/// The inputs of a plan besides its reply; reading one that differs between requests is recorded.
///
/// A ``ReplayablePlan`` is made only without such reads. HEAD, the coding and our address are keys of kept plans.
struct PlanInputs {
    private let context: TemplateContext
    private let head: RequestHead?
    private let refusal: Refusal?
    private let infos: [ReplyInfo]
    /// Whether a value of this request, or the time, was read.
    private(set) var areOfOneRequest: Bool
    private(set) var nameAddresses = false

    /// For text of a connection, before any request.
    init(context: TemplateContext) {
        self.context = context
        head = nil
        refusal = nil
        infos = []
        areOfOneRequest = false
    }

    /// For the reply to a request, with the fields that guards add.
    init(_ part: PlayedPart, for request: RequestView, pattern: RequestPattern, addresses: BoundAddresses, origin: Int)
    {
        context = addresses.context(origin: origin, captures: pattern.captures(of: request))
        head = request.head
        refusal = part.refusal
        infos = part.infos
        // A 2xx to CONNECT opens a tunnel, and no other request has such a reply.
        areOfOneRequest = request.head.form == .authority
    }

    /// The end of the reply depends on it.
    var method: [UInt8] { head.map { Array($0.methodBytes) } ?? [] }

    /// In Unix seconds.
    mutating func now() -> Int {
        areOfOneRequest = true
        return context.unixSeconds
    }

    /// The fields of a request that needs some of what a reply honours; nil for any other request.
    mutating func fields(askingFor honours: Set<Honour>) -> [HTTPField]? {
        guard let head, head.asks(for: honours) else { return nil }
        areOfOneRequest = true
        return head.fields.map { HTTPField($0) }
    }

    /// The fields that guards add after those of the fixture; `content` is called where a guard hashes it.
    mutating func guardFields(content: () -> [UInt8]) -> [ReplyDraft.Field] {
        var lines: [ReplyDraft.Field] = []
        if let refusal {
            if refusal.planKey == nil { areOfOneRequest = true }
            lines = refusal.values { bytes(of: $0) }.map { ReplyDraft.Field(refusal.field, $0) }
        }
        for info in infos {
            areOfOneRequest = true
            lines.append(ReplyDraft.Field(info.field, info.value(content: info.provesContent ? content() : [])))
        }
        return lines
    }

    // MARK: Text

    mutating func bytes(of template: Template) -> [UInt8] {
        if template.isOfOneRequest { areOfOneRequest = true }
        if template.namesAddresses { nameAddresses = true }
        return template.rendered(in: context)
    }

    /// Binds the bytes of an effect like those of a body.
    mutating func bound(_ action: Effect.Action) -> Effect.Action {
        switch action {
        case .send(let source): .send(bound(source))
        case .wait, .close, .reset, .halfClose, .stall, .await, .alert, .truncateRecord, .badMAC: action
        }
    }

    mutating func bound(_ step: OpaqueStep) -> OpaqueStep {
        switch step {
        case .effect(let action): .effect(bound(action))
        case .expect(let source, let limit): .expect(bound(source), within: limit)
        case .read: step
        }
    }

    /// Makes templates literal; other sources are unchanged.
    mutating func bound(_ source: ByteSource) -> ByteSource {
        guard case .template(let template) = source else { return source }
        return .literal(bytes(of: template))
    }
}

extension RequestPattern {
    fileprivate func captures(of request: RequestView) -> Captures {
        var captures = targetCaptures(of: request) ?? Captures()
        for condition in headers {
            guard let value = condition.value else { continue }
            let lines = request.head.fields.values(named: Array(condition.name.utf8))
            if let found = lines.lazy.compactMap({ value.match($0.span) }).first { captures.merge(found) }
        }
        return captures
    }
}

extension RequestHead {
    /// Whether the request's fields change a reply that honours these, apart from negotiation.
    func asks(for honours: Set<Honour>) -> Bool {
        honours.contains(.ranges) && fields.contains(named: "Range")
            || honours.contains(.conditions)
                && (fields.contains(named: "If-Match") || fields.contains(named: "If-None-Match")
                    || fields.contains(named: "If-Modified-Since") || fields.contains(named: "If-Unmodified-Since"))
    }
}

extension Template {
    /// Whether the text differs by request or by time.
    fileprivate var isOfOneRequest: Bool {
        parts.contains { part in
            switch part {
            case .now, .capture: true
            case .base, .origin, .authority, .host, .port, .literal: false
            }
        }
    }

    var namesAddresses: Bool {
        parts.contains { part in
            switch part {
            case .base, .origin, .authority, .host, .port: true
            case .now, .capture, .literal: false
            }
        }
    }
}

extension ByteSource {
    /// The byte count, once templates are bound.
    var boundByteCount: Int { byteCount ?? 0 }
}
