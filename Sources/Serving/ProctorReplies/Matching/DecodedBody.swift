package import ProctorBase
package import ProctorHTTP
package import ProctorScenario

/// The decoded content of one request, each form decoded at most once; on the request's loop thread only.
package final class DecodedBody: JudgedContent {
    private let head: RequestHead
    private let body: [UInt8]?
    private let gap: String?
    private let makeContext: () -> TemplateContext?

    /// The context of a pattern's templates; nil where unknown.
    package private(set) lazy var context = makeContext()
    package private(set) lazy var form = decoded("one", ofType: "application/x-www-form-urlencoded") {
        body throws(FormViolation) in
        try URLEncodedForm(parsing: body).pairs
    }
    package private(set) lazy var parts = decoded("some", ofType: "multipart/form-data") {
        [typeField] body throws(FormViolation) in
        try FormData(parsing: body, contentType: typeField).parts
    }

    package private(set) lazy var json = decodedJSON()
    /// What modules above have made of the content, by its type.
    private var values: [ObjectIdentifier: Any] = [:]
    /// The first error of a script that was asked about the request, with file and line.
    package var scriptFailure: String?

    /// Files that content was compared with; nil for an unreadable file.
    private var files: [String: [UInt8]?] = [:]

    package typealias Decoded = DecodedContent

    package static var unread: String { unreadContent }

    /// `gap` says why there is no body.
    package init(_ head: RequestHead, body: [UInt8]?, gap: String?, context: @escaping () -> TemplateContext?) {
        (self.head, self.body, self.gap) = (head, body, gap)
        makeContext = context
    }

    /// Decodes now what a comparison with the pattern will need.
    package func prepare(for pattern: BodyPattern) {
        switch pattern {
        case .exact(let source):
            if let body { prepare(source, body) }
        case .form: _ = form
        case .json: _ = json
        case .condition(let condition): condition.prepare(self)
        case .matches, .contains: break
        case .parts(let wanted):
            guard case .value(let parts) = parts, parts.count == wanted.count else { return }
            for (pattern, part) in zip(wanted, parts) {
                if let source = pattern.body { prepare(source, part.content) }
            }
        }
    }

    private func prepare(_ source: ByteSource, _ bytes: [UInt8]) {
        if case .file(let file) = source { _ = equals(file, bytes) }
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

    /// `noun` names what was wanted: `one that can't be read`.
    private func decoded<Value>(
        _ noun: String, ofType type: String, _ parse: ([UInt8]) throws(FormViolation) -> Value
    ) -> Decoded<Value> {
        guard let body else { return .other(gap ?? Self.unread) }
        guard let typeField else { return .other("content without a Content-Type") }
        guard MediaType(typeField)?.essence == type else {
            return .other("content of type \"\(EscapedText.escape(typeField))\"")
        }
        do throws(FormViolation) {
            return .value(try parse(body))
        } catch {
            return .other("\(noun) that can't be read: \(error.sentence)")
        }
    }

    /// Whatever the Content-Type says.
    private func decodedJSON() -> Decoded<JSONDocument> {
        guard let body else { return .other(gap ?? Self.unread) }
        guard !body.isEmpty else { return .other("no content") }
        do throws(LineFault) {
            return .value(try JSONDocument(parsing: body))
        } catch {
            let rest = EscapedText.escape(body[min(error.offset, body.count)...].prefix(32))
            return .other(
                "content that is no JSON: \(error.sentence), at byte \(error.offset)"
                    + (rest.isEmpty ? "" : " from where it is \(QuotedText.quote(rest))"))
        }
    }

    package func value<Value>(
        of language: String, _ read: ([UInt8]) throws(LineFault) -> Value
    ) -> Decoded<Value> {
        let key = ObjectIdentifier(Value.self)
        if let known = values[key] as? Decoded<Value> { return known }
        let value = newValue(of: language, read)
        values[key] = value
        return value
    }

    private func newValue<Value>(
        of language: String, _ read: ([UInt8]) throws(LineFault) -> Value
    ) -> Decoded<Value> {
        guard let body else { return .other(gap ?? Self.unread) }
        guard !body.isEmpty else { return .other("no content") }
        do throws(LineFault) {
            return .value(try read(body))
        } catch {
            return .other("content that is no \(language): \(error.sentence), at byte \(error.offset)")
        }
    }

    private var typeField: [UInt8]? { head.fields.first(named: "Content-Type").map { Array($0) } }
}

extension SidecarFile {
    /// nil for a file that can't be read, or has changed since it was loaded.
    var wholeBytes: [UInt8]? { try? open().bytes(from: 0, byteCount: byteCount + 1) }
}
