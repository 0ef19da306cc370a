internal import ProctorBase
package import ProctorCoding
internal import ProctorHTTP
package import ProctorScenario

/// A structured reply with its text bound, before it is written; content codings and honoured request fields change
/// it.
package struct ReplyDraft {
    private let version: [UInt8]
    package private(set) var status: Int
    private var reason: [UInt8]
    /// In order, duplicates kept.
    package private(set) var fields: [Field]
    private(set) var content: ReplyContent
    private(set) var framing: StructuredReply.Framing
    /// The coding in Transfer-Encoding, before `chunked` where the body is chunked.
    private var transferCoding: [UInt8]?
    private let bodyIsGiven: Bool
    /// False where other content, or a part of it, replaces the content.
    private(set) var isWhole = true

    package typealias Field = ReplySection.Field

    init(_ message: StructuredReply, content: ReplyContent, _ inputs: inout PlanInputs) {
        version = Array(message.version.utf8)
        status = message.status
        reason = ReplySection.reason(of: message.status, given: message.reason)
        fields = message.headers.map { Field($0.name, inputs.bytes(of: $0.value)) }
        self.content = content
        framing = message.framing
        bodyIsGiven = !message.body.isEmpty
    }

    /// Whether the end of the body is the end of the connection.
    var endsByClose: Bool { framing == .close || framing == .unspecified && transferCoding != nil }

    /// The reply ends with its head (RFC 9112 §6.3).
    private(set) var isNotModified = false

    /// No requested range is within the content, and the fixture writes the reply to that.
    var isUnsatisfied = false

    // MARK: Writing

    var section: ReplySection { ReplySection(version, status, reason, lines) }

    private var lines: [Field] {
        var lines = fields
        var codings = transferCoding.map { [$0] } ?? []
        if case .chunked = framing { codings.append(Array("chunked".utf8)) }
        if !codings.isEmpty {
            lines.append(Field("Transfer-Encoding", Array(codings.joined(separator: Array(", ".utf8)))))
        }
        if saysLength { lines.append(Field("Content-Length", Array(String(content.byteCount).utf8))) }
        return lines
    }

    private var saysLength: Bool {
        switch framing {
        case .length: true
        case .unspecified:
            transferCoding == nil && !(ReplyHead.hasNoContent(status) && !bodyIsGiven)
                && !fields.contains { $0.isNamed("content-length") || $0.isNamed("transfer-encoding") }
        case .chunked, .close, .none: false
        }
    }

    // MARK: Changing

    mutating func append(_ field: Field) {
        fields.append(field)
    }

    private mutating func append(_ name: String, _ value: [UInt8]) {
        append(Field(name, value))
    }

    /// Puts fields before the others, where no other has the name of one.
    package mutating func prepend(_ new: [Field]) {
        fields =
            new.filter { field in !fields.contains { $0.isNamed(String(decoding: field.name, as: UTF8.self)) } }
            + fields
    }

    /// With the registered phrase.
    package mutating func changeStatus(to status: Int) {
        self.status = status
        reason = ReplySection.reason(of: status)
    }

    /// Replaces the first field of that name, or adds it after all fields.
    package mutating func set(_ name: String, _ value: [UInt8]) {
        guard let index = fields.firstIndex(where: { $0.isNamed(name) }) else {
            return append(name, value)
        }
        fields[index].value = value
        let first = fields[...index]
        fields = first + fields[(index + 1)...].filter { !$0.isNamed(name) }
    }

    /// Removes the framing that the fixture does not write: a 2xx to CONNECT MUST NOT have any (RFC 9110 §9.3.6).
    mutating func omitFraming() {
        if framing == .unspecified { framing = .none }
    }

    /// Changes status and content; a length that the fixture wrote becomes that of the new content.
    mutating func become(_ status: Int, _ pieces: [ContentPiece]) {
        changeStatus(to: status)
        content = ReplyContent(pieces: pieces)
        isWhole = false
        guard fields.contains(where: { $0.isNamed("content-length") }) else { return }
        set("Content-Length", Array(String(content.byteCount).utf8))
    }

    mutating func becomeNotModified() {
        keepFieldsWithoutContent()
        become(304, [])
        framing = .none
        transferCoding = nil
        isNotModified = true
    }

    package mutating func refuse(_ status: Int, _ sentence: String) {
        keepFieldsWithoutContent()
        transferCoding = nil
        append("Content-Type", Array("text/plain; charset=utf-8".utf8))
        switch framing {
        case .chunked, .close: break
        case .unspecified, .length, .none: framing = .length
        }
        become(status, [ContentPiece(Array((sentence + "\n").utf8))])
    }

    private mutating func keepFieldsWithoutContent() {
        fields = NotModified.fields(from: httpFields).map { Field($0.name, $0.bytes) }
    }

    var httpFields: [HTTPField] {
        fields.map { HTTPField(name: String(decoding: $0.name, as: UTF8.self), bytes: $0.value) }
    }
}

/// What the server computes from the request's fields, where the fixture wants it (RFC 9110 §13.2.2, §14.2).
extension ReplyDraft {
    /// Changes a 200 only; with `leavesUnsatisfied`, an unsatisfiable range only sets ``isUnsatisfied``.
    mutating func honour(_ honours: Set<Honour>, _ inputs: inout PlanInputs, leavesUnsatisfied: Bool) {
        guard status == 200, let request = inputs.fields(askingFor: honours) else { return }
        let (method, now) = (String(decoding: inputs.method, as: UTF8.self), inputs.now())
        let validators = Validators(of: httpFields, now: now)
        if honours.contains(.conditions) {
            let outcome =
                inputs.precondition
                ?? Preconditions.evaluate(method: method, fields: request, validators: validators, now: now)
            switch outcome {
            case .proceed: break
            case .notModified: return becomeNotModified()
            case .failed:
                let tag = httpFields.first { $0.isNamed("ETag") }.map { "ETag \($0.value)" }
                let date = httpFields.first { $0.isNamed("Last-Modified") }.map { "Last-Modified \($0.value)" }
                let state = [tag, date].compactMap(\.self).joined(separator: ", ")
                return refuse(
                    412,
                    "a condition of the request does not hold: what is here has \(state.isEmpty ? "no ETag and no Last-Modified" : state)"
                )
            }
        }
        guard honours.contains(.ranges) else { return }
        let length = content.byteCount
        switch RangeSelection(method: method, fields: request, validators: validators, length: length, now: now) {
        case .whole: break
        case .unsatisfiable where leavesUnsatisfied: isUnsatisfied = true
        case .unsatisfiable:
            refuse(416, "none of the ranges asked for is within the \(length) bytes that are here")
            append("Content-Range", UnsatisfiedRange(length: length).bytes)
        case .parts(let ranges): becomePartial(ranges, of: length)
        }
    }

    private mutating func becomePartial(_ ranges: [Range<Int>], of length: Int) {
        if ranges.count == 1, let place = ContentRange(ranges[0], of: length) {
            append("Content-Range", place.bytes)
            return become(206, content.pieces(of: ranges[0]))
        }
        let type = fields.first { $0.isNamed("content-type") }?.value
        guard let frame = MultipartRanges(ranges, of: length, contentType: type, boundary: Self.boundary(length))
        else { return }
        var pieces: [ContentPiece] = []
        for part in frame.parts {
            pieces.append(ContentPiece(part.head))
            pieces += content.pieces(of: part.range)
        }
        pieces.append(ContentPiece(frame.end))
        set("Content-Type", frame.contentType)
        become(206, pieces)
    }

    /// The boundary for a length, always the same, so that tests can know it; a long text that no body has by chance.
    private static func boundary(_ length: Int) -> [UInt8] {
        var random = SplitMix64(seed: UInt64(truncatingIfNeeded: length))
        return Array("proctor-\(String(random.next(), radix: 16))".utf8)
    }
}

extension ReplyDraft {
    /// Adds the fields of the coding, or those that the fixture wants.
    mutating func addFields(of coding: BodyCoding, as variant: CodingVariant) {
        let value: [UInt8]
        switch coding.label {
        case .absent: return
        case .text(let text): value = text
        case .names:
            guard !variant.steps.isEmpty else { return }
            value = Array(variant.steps.map(\.coding.rawValue).joined(separator: ", ").utf8)
        }
        switch coding.place {
        case .content: append("Content-Encoding", value)
        case .transfer: transferCoding = value
        }
    }

    static func nothingAcceptable(_ coding: BodyCoding) -> String {
        let names = coding.steps.map(\.coding.rawValue).joined(separator: ", ")
        return "Accept-Encoding forbids all that there is: \(names), and the content as it is (identity)"
    }
}

struct CodingVariant {
    /// Number among the variants of a reply, from 0.
    let number: Int
    /// Applied in order; empty: the content is not coded.
    let steps: [CodingStep]
    /// False where the client forbids every variant.
    var isAcceptable = true
}

extension BodyCoding {
    package var steps: [CodingStep] {
        switch plan {
        case .apply(let steps), .negotiate(let steps): steps
        }
    }

    var variantCount: Int {
        switch plan {
        case .apply: 1
        case .negotiate(let steps): steps.count + 2
        }
    }

    /// The variant for a request (RFC 9110 §12.5.3).
    func variant(for request: RequestView) -> CodingVariant {
        guard case .negotiate(let steps) = plan else { return CodingVariant(number: 0, steps: steps) }
        let fields = request.head.fields.map { HTTPField($0) }
        switch AcceptEncoding(fields).choose(among: steps.map(\.coding.rawValue)) {
        case .coding(let name):
            if let index = steps.firstIndex(where: { $0.coding.rawValue == name }) {
                return CodingVariant(number: index, steps: [steps[index]])
            }
            fallthrough
        case .identity: return CodingVariant(number: steps.count, steps: [])
        case .nothing: return CodingVariant(number: steps.count + 1, steps: [], isAcceptable: false)
        }
    }
}

extension Collection<UInt8> {
    /// Whether this is the field name, with ASCII letter case ignored (RFC 9110 §5.1).
    package func isNamed(_ name: String) -> Bool {
        count == name.utf8.count && zip(self, name.utf8).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}
