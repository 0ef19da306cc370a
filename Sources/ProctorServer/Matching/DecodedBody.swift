internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario

/// What patterns ask of a request's content beyond its bytes; each answer is worked out at most once.
///
/// Belongs to one request and its loop's thread.
final class DecodedBody {
    private let head: RequestHead
    private let body: [UInt8]?
    private let gap: String?
    private let makeContext: () -> TemplateContext?

    /// What late-bound text of a pattern stands for; nil where nobody said.
    private(set) lazy var context = makeContext()
    private(set) lazy var form = decodedForm()
    private(set) lazy var parts = decodedParts()

    /// Files that content was compared with; nil for one that can't be read.
    private var files: [String: [UInt8]?] = [:]

    /// A value, or what was there in its place as a person would say it: `content of type "text/plain"`.
    enum Decoded<Value> {
        case value(Value)
        case other(String)
    }

    static let unread = "content that was not read"

    /// `gap` says why there is no body.
    init(_ head: RequestHead, body: [UInt8]?, gap: String?, context: @escaping () -> TemplateContext?) {
        self.head = head
        self.body = body
        self.gap = gap
        makeContext = context
    }

    /// Works out now what a comparison with the pattern will ask for.
    func prepare(for pattern: BodyPattern) {
        switch pattern {
        case .exact(let source):
            if let body { prepare(source, body) }
        case .form: _ = form
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

    /// The bytes of a file that is no longer than what a request's content is compared with; nil for any other.
    func bytes(of file: SidecarFile) -> [UInt8]? {
        if let read = files[file.path] { return read }
        guard file.byteCount <= Self.mostFileBytes else { return nil }
        let read = file.wholeBytes
        files[file.path] = .some(read)
        return read
    }

    private static let mostFileBytes = 1 << 20

    /// Whether these are the bytes of a file, which is read once at most, and only where the length is right.
    func equals(_ file: SidecarFile, _ bytes: [UInt8]) -> Bool {
        guard file.byteCount == bytes.count else { return false }
        if let read = files[file.path] { return read == bytes }
        let read = file.wholeBytes
        files[file.path] = .some(read)
        return read == bytes
    }

    private func decodedForm() -> Decoded<[URLEncodedForm.Pair]> {
        guard let body else { return .other(gap ?? Self.unread) }
        guard type?.essence == "application/x-www-form-urlencoded" else { return .other(typeText) }
        do throws(FormViolation) {
            return .value(try URLEncodedForm(parsing: body).pairs)
        } catch {
            return .other("one that can't be read: \(error.sentence)")
        }
    }

    private func decodedParts() -> Decoded<[FormData.Part]> {
        guard let body else { return .other(gap ?? Self.unread) }
        guard type?.essence == "multipart/form-data" else { return .other(typeText) }
        do throws(FormViolation) {
            return .value(try FormData(parsing: body, contentType: typeField).parts)
        } catch {
            return .other("some that can't be read: \(error.sentence)")
        }
    }

    private var typeField: [UInt8]? { head.fields.first(named: "Content-Type").map { Array($0) } }

    private var type: MediaType? { typeField.flatMap { MediaType($0) } }

    private var typeText: String {
        guard let value = typeField else { return "content without a Content-Type" }
        return "content of type \"\(EscapedText.of(value))\""
    }
}

extension SidecarFile {
    /// nil for a file that can't be read, or is not what was loaded.
    var wholeBytes: [UInt8]? { try? open().bytes(from: 0, byteCount: byteCount + 1) }
}
