internal import ProctorBase
package import ProctorHTTP
package import ProctorScenario

/// The inputs of a plan besides its reply; reading one that differs between requests is recorded.
///
/// A ``ReplayablePlan`` is made only without such reads. HEAD, the coding and our address are keys of kept plans.
package struct PlanInputs {
    private let context: TemplateContext
    private let head: RequestHead?
    private let request: RequestView?
    private let refusal: Refusal?
    private let infos: [ReplyInfo]
    private let numbers: RequestNumbers
    /// Nil where there is none.
    private let state: StateValues?
    /// What the conditions of the request came to before the reply changed the state; nil where it changes none.
    package let precondition: Preconditions.Outcome?
    /// Whether a value of this request, or the time, was read.
    private(set) var areOfOneRequest: Bool
    private(set) var nameAddresses = false
    /// Why the reply can't be made, as a sentence without a subject; nil where it can.
    package private(set) var failure: String?
    /// Nil until a value is read.
    private var values: RequestValues?
    /// Bytes of texts with values of the request.
    private var lateByteCount = 0

    /// The most bytes of all texts of one reply with values of its request.
    static let lateByteBound = 16 << 20

    /// For text of a connection, before any request; `numbers` has its number in place of a request's.
    package init(context: TemplateContext, numbers: RequestNumbers) {
        (self.context, self.numbers) = (context, numbers)
        state = nil
        precondition = nil
        head = nil
        request = nil
        refusal = nil
        infos = []
        areOfOneRequest = false
    }

    /// For the reply to a request, with the fields that guards add.
    package init(
        _ part: PlayedPart, for request: RequestView, _ numbers: RequestNumbers, pattern: RequestPattern,
        addresses: BoundAddresses, origin: Int
    ) {
        self.numbers = numbers
        state = part.state
        precondition = part.precondition
        context = addresses.context(
            origin: origin, at: numbers.clock, captures: request.captures(of: part.exchange, pattern))
        head = request.head
        values = nil
        self.request = request
        refusal = part.refusal
        infos = part.infos
        // A 2xx to CONNECT opens a tunnel, and no other request has such a reply.
        areOfOneRequest = request.head.form == .authority
    }

    /// The end of the reply depends on it.
    package var method: [UInt8] { head.map { Array($0.methodBytes) } ?? [] }

    /// In Unix seconds, by the clock of the run.
    package mutating func now() -> Int {
        areOfOneRequest = true
        return context.unixSeconds
    }

    /// The head of the request that is to open a WebSocket; nil where there is no request.
    package mutating func openingHead() -> RequestHead? {
        areOfOneRequest = true
        return head
    }

    /// The fields of a request that needs some of what a reply honours; nil for any other request.
    package mutating func fields(askingFor honours: Set<Honour>) -> [HTTPField]? {
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

    package mutating func bytes(of template: Template) -> [UInt8] {
        if template.isOfOneRequest { areOfOneRequest = true }
        if template.namesAddresses { nameAddresses = true }
        guard !template.hasValues else { return rendered(template) }
        return template.rendered(in: context)
    }

    /// Text with values of the request or the run; notes why it can't be made.
    private mutating func rendered(_ template: Template) -> [UInt8] {
        let values = values ?? RequestValues(request, numbers)
        self.values = values
        var names: [[UInt8]] = []
        for case .value(.state(let name), _) in template.parts { names.append(bytes(of: name)) }
        var following = names.makeIterator()
        let (context, state) = (context, state)
        let bytes = template.rendered(in: context) { value, escape in
            switch value {
            case .capture(let name): escape.applied(to: context.captures[name] ?? [])
            case .state: escape.applied(to: following.next().flatMap { state?[$0] } ?? [])
            default: values.text(of: value, escape)
            }
        }
        lateByteCount += bytes.count
        failure = failure ?? values.failure
        guard lateByteCount <= Self.lateByteBound else {
            failure = failure ?? "its late-bound text has more than \(Self.lateByteBound) bytes"
            return []
        }
        return bytes
    }

    /// Binds the bytes of an effect like those of a body.
    package mutating func bound(_ action: Effect.Action) -> Effect.Action {
        action.bound(by: &self)
    }

    package mutating func bound(_ fields: [ReplyField]) -> [ReplyField] {
        fields.map { field in
            ReplyField(
                name: field.name, value: Template(parts: [.literal(bytes(of: field.value))]), location: field.location)
        }
    }

    package mutating func time(_ time: RandomTime, _ place: RandomPlace) -> Duration {
        areOfOneRequest = true
        return numbers.seed.time(time, request: numbers.request, place: place)
    }

    package mutating func bound(_ step: OpaqueStep) -> OpaqueStep {
        switch step {
        case .effect(let action): .effect(bound(action))
        case .expect(let source, let limit): .expect(bound(source), within: limit)
        case .read: step
        case .webSocket(let program): .webSocket(program.bound(by: &self))
        }
    }

    /// Makes templates literal; other sources are unchanged.
    package mutating func bound(_ source: ByteSource) -> ByteSource {
        guard case .template(let template) = source else { return source }
        return .literal(bytes(of: template))
    }
}

extension PlanInputs: LateBinding {}

extension RequestHead {
    /// Whether the request's fields change a reply that honours these, apart from negotiation.
    package func asks(for honours: Set<Honour>) -> Bool {
        honours.contains(.ranges) && fields.contains(named: "Range")
            || honours.contains(.conditions)
                && (fields.contains(named: "If-Match") || fields.contains(named: "If-None-Match")
                    || fields.contains(named: "If-Modified-Since") || fields.contains(named: "If-Unmodified-Since"))
    }
}

extension Template {
    /// Whether a part is a value of the request or the run.
    fileprivate var hasValues: Bool {
        parts.contains { part in
            if case .value = part { true } else { false }
        }
    }

    var namesAddresses: Bool {
        parts.contains { part in
            switch part {
            case .base, .origin, .authority, .host, .port: true
            case .now, .capture, .value, .literal: false
            }
        }
    }
}

extension ByteSource {
    /// The byte count, once templates are bound.
    var boundByteCount: Int { byteCount ?? 0 }
}
