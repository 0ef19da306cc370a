internal import ProctorBase
package import ProctorHTTP
internal import ProctorJSON
package import ProctorScenario
internal import ProctorXML

/// The decoded content of one request, each form decoded at most once; on the request's loop thread only.
package final class DecodedBody {
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

    private(set) lazy var json = decodedJSON()
    private(set) lazy var xml = decodedXML()
    /// The first error of a script that was asked about the request, with file and line.
    package var scriptFailure: String?

    /// Files that content was compared with; nil for an unreadable file.
    private var files: [String: [UInt8]?] = [:]

    /// A value, or a description of the received content: `content of type "text/plain"`.
    package enum Decoded<Value> {
        case value(Value)
        case other(String)
    }

    package static let unread = "content that was not read"

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
        case .json, .schema: _ = json
        case .xml: _ = xml
        case .values(let values): if values.contains(where: \.query.isOfXML) { _ = xml } else { _ = json }
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

    /// What a query finds, or the bound that ended it; nil where the content is not of its language.
    func result(of query: ContentValue.Query, within budget: WorkBudget?) -> Result<[[UInt8]], SpentBudget>? {
        switch query {
        case .xml(let path):
            guard case .value(let document) = xml else { return nil }
            return Result { () throws(SpentBudget) in try path.result(in: document, within: budget).values }
        case .json(let path):
            guard case .value(let document) = json else { return nil }
            return Result { () throws(SpentBudget) in
                try path.places(in: document, within: budget).map { place in
                    if case .text(let text) = document.values[place].kind {
                        text
                    } else {
                        Array(document.text(of: place))
                    }
                }
            }
        }
    }

    /// Whatever the Content-Type says.
    private func decodedXML() -> Decoded<XMLDocument> {
        guard let body else { return .other(gap ?? Self.unread) }
        guard !body.isEmpty else { return .other("no content") }
        do throws(LineFault) {
            return .value(try XMLDocument(parsing: body))
        } catch {
            return .other("content that is no XML: \(error.sentence), at byte \(error.offset)")
        }
    }

    private var typeField: [UInt8]? { head.fields.first(named: "Content-Type").map { Array($0) } }
}

extension SidecarFile {
    /// nil for a file that can't be read, or has changed since it was loaded.
    var wholeBytes: [UInt8]? { try? open().bytes(from: 0, byteCount: byteCount + 1) }
}
