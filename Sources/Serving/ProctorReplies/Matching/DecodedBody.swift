package import ProctorBase
internal import ProctorCoding
package import ProctorHTTP
package import ProctorScenario

/// The content of one request, of which each form is made at most once; by one thread at a time.
///
/// What is read of it is counted by the budget before it is read.
package final class DecodedBody: JudgedContent {
    private let head: RequestHead
    private let body: [UInt8]?
    private let gap: String?
    /// The most bytes of decoded content.
    private let bound: Int
    private let makeContext: () -> TemplateContext?

    /// The context of a pattern's templates; nil where unknown.
    package private(set) lazy var context = makeContext()
    private var bytes: Decoded<[UInt8]>?
    private var form: Decoded<[URLEncodedForm.Pair]>?
    private var parts: Decoded<[FormData.Part]>?
    private var json: Decoded<JSONDocument>?
    /// What modules above have made of the content, by its type.
    private var values: [ObjectIdentifier: Any] = [:]
    /// The first error of a script that was asked about the request, with file and line.
    package var scriptFailure: String?

    /// Files that content was compared with; nil for an unreadable file.
    private var files: [String: [UInt8]?] = [:]

    package typealias Decoded = DecodedContent

    package static var unread: String { unreadContent }

    /// The most bytes of decoded content where the caller names no bound.
    package static var usualBound: Int { ReceivedCodings.usualBound }

    /// `gap` says why there is no body.
    package init(
        _ head: RequestHead, body: [UInt8]?, gap: String?, upTo bound: Int = usualBound,
        context: @escaping () -> TemplateContext?
    ) {
        (self.head, self.body, self.gap, self.bound) = (head, body, gap, bound)
        makeContext = context
    }

    /// The content without its codings (RFC 9110 §8.4).
    package func bytes(within budget: WorkBudget?) throws(SpentBudget) -> Decoded<[UInt8]> {
        if let bytes { return bytes }
        let bytes = try decodedBytes(within: budget)
        self.bytes = bytes
        return bytes
    }

    private func decodedBytes(within budget: WorkBudget?) throws(SpentBudget) -> Decoded<[UInt8]> {
        guard let body else { return .other(gap ?? Self.unread) }
        guard !body.isEmpty, let codings = ReceivedCodings(head.fields.values(named: Array("Content-Encoding".utf8)))
        else { return .value(body) }
        switch try codings.decode(body, upTo: bound, within: budget) {
        case .bytes(let bytes): return .value(bytes)
        case .refused(let sentence): return .other(sentence)
        }
    }

    // MARK: Files

    /// Reads a file now with which the content will be compared.
    package func prepare(for pattern: BodyPattern) {
        if case .exact(.file(let file)) = pattern, let body { _ = equals(file, body) }
    }

    /// The bytes of a file up to the bound of compared content; nil for a longer or unreadable file.
    package func bytes(of file: SidecarFile) -> [UInt8]? {
        files[file.path] != nil || file.byteCount <= Self.mostFileBytes ? readOnce(file) : nil
    }

    private static let mostFileBytes = 1 << 20

    /// Whether these are the bytes of a file, which is read at most once and only when the length is equal.
    package func equals(_ file: SidecarFile, _ bytes: [UInt8]) -> Bool {
        file.byteCount == bytes.count && readOnce(file) == bytes
    }

    private func readOnce(_ file: SidecarFile) -> [UInt8]? {
        if let read = files[file.path] { return read }
        let read = file.wholeBytes
        files[file.path] = .some(read)
        return read
    }

    // MARK: Forms

    package func form(within budget: WorkBudget?) throws(SpentBudget) -> Decoded<[URLEncodedForm.Pair]> {
        if let form { return form }
        let form = try decoded("one", ofType: "application/x-www-form-urlencoded", within: budget) {
            body, _ throws(FormViolation) in
            try URLEncodedForm(parsing: body).pairs
        }
        self.form = form
        return form
    }

    package func parts(within budget: WorkBudget?) throws(SpentBudget) -> Decoded<[FormData.Part]> {
        if let parts { return parts }
        let parts = try decoded("some", ofType: "multipart/form-data", within: budget) {
            body, type throws(FormViolation) in
            try FormData(parsing: body, contentType: type).parts
        }
        self.parts = parts
        return parts
    }

    /// `noun` names what was wanted: `one that can't be read`.
    private func decoded<Value>(
        _ noun: String, ofType wanted: String, within budget: WorkBudget?,
        _ parse: ([UInt8], [UInt8]) throws(FormViolation) -> Value
    ) throws(SpentBudget) -> Decoded<Value> {
        guard body != nil else { return .other(gap ?? Self.unread) }
        guard let type = head.fields.first(named: "Content-Type").map({ Array($0) }) else {
            return .other("content without a Content-Type")
        }
        guard MediaType(type)?.essence == wanted else {
            return .other("content of type \"\(EscapedText.escape(type))\"")
        }
        let bytes = try bytes(within: budget)
        guard case .value(let body) = bytes else { return bytes.other() }
        try Self.count(body, within: budget)
        do throws(FormViolation) {
            return .value(try parse(body, type))
        } catch {
            return .other("\(noun) that can't be read: \(error.sentence)")
        }
    }

    // MARK: Languages

    /// Whatever the Content-Type says.
    package func json(within budget: WorkBudget?) throws(SpentBudget) -> Decoded<JSONDocument> {
        if let json { return json }
        let json = try read("JSON", within: budget) { body throws(LineFault) in try JSONDocument(parsing: body) }
        self.json = json
        return json
    }

    package func value<Value>(
        of language: String, within budget: WorkBudget?, _ parse: ([UInt8]) throws(LineFault) -> Value
    ) throws(SpentBudget) -> Decoded<Value> {
        let key = ObjectIdentifier(Value.self)
        if let known = values[key] as? Decoded<Value> { return known }
        let value = try read(language, within: budget, parse)
        values[key] = value
        return value
    }

    private func read<Value>(
        _ language: String, within budget: WorkBudget?, _ parse: ([UInt8]) throws(LineFault) -> Value
    ) throws(SpentBudget) -> Decoded<Value> {
        let bytes = try bytes(within: budget)
        guard case .value(let body) = bytes else { return bytes.other() }
        guard !body.isEmpty else { return .other("no content") }
        try Self.count(body, within: budget)
        do throws(LineFault) {
            return .value(try parse(body))
        } catch {
            let rest = EscapedText.escape(body[min(error.offset, body.count)...].prefix(32))
            let place =
                error.offset == 0 && language == "JSON"
                ? "it begins with \(QuotedText.quote(rest))"
                : "\(error.sentence), at byte \(error.offset)" + (rest.isEmpty ? "" : ", \(QuotedText.quote(rest))")
            return .other("content that is not \(language): \(place)")
        }
    }

    /// Counts what it takes to read the bytes as a form or a language.
    private static func count(_ body: [UInt8], within budget: WorkBudget?) throws(SpentBudget) {
        try budget?.spend(body.count / bytesOfStep)
    }

    private static let bytesOfStep = 8
}

extension RequestView {
    /// Whether the content came in a coding, as far as its fields say.
    package var isCoded: Bool { head.fields.contains(named: Array("Content-Encoding".utf8)) }

    /// The content without its codings, as patterns compare it.
    package func content(within budget: WorkBudget?) throws(SpentBudget) -> DecodedContent<[UInt8]> {
        if let decoded { return try decoded.bytes(within: budget) }
        return body.map { .value($0) } ?? .other(bodyGap ?? DecodedBody.unread)
    }
}

extension SidecarFile {
    /// nil for a file that can't be read, or has changed since it was loaded.
    var wholeBytes: [UInt8]? { try? open().bytes(from: 0, byteCount: byteCount + 1) }
}
