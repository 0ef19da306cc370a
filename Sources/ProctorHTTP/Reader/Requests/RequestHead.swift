import ProctorBase

/// A request line and its field section, with what they mean for reading on.
///
/// One reference, so that it is cheap to hand on and to keep; what it refers to never changes.
public struct RequestHead: Sendable, Equatable {
    private let parts: Parts

    private final class Parts: Sendable {
        let precedingByteCount: Int
        let method: Range<UInt32>
        let target: Range<UInt32>
        let version: HTTPVersion
        let form: TargetForm
        let fields: FieldSection
        let framing: BodyFraming
        let keepsConnection: Bool
        let expectsContinue: Bool
        let violations: [Violation]

        init(
            fields: FieldSection, precedingByteCount: Int, line: RequestLine, meaning: RequestMeaning,
            violations: [Violation]
        ) {
            self.fields = fields
            self.precedingByteCount = precedingByteCount
            method = Range(truncating: line.methodRange)
            target = Range(truncating: line.targetRange)
            version = line.version
            form = line.form
            framing = meaning.framing
            keepsConnection = meaning.keepsConnection
            expectsContinue = meaning.expectsContinue
            self.violations = violations
        }

        /// The same head with fewer fields.
        init(_ other: Parts, fields: FieldSection) {
            self.fields = fields
            precedingByteCount = other.precedingByteCount
            method = other.method
            target = other.target
            version = other.version
            form = other.form
            framing = other.framing
            keepsConnection = other.keepsConnection
            expectsContinue = other.expectsContinue
            violations = other.violations
        }
    }

    /// `fields` stand over the same bytes as those of `other`, and are some of them.
    init(_ other: RequestHead, fields: FieldSection) { parts = Parts(other.parts, fields: fields) }

    /// `fields` stand over the bytes of the whole head, which the limits keep within 32 bits.
    init(
        fields: FieldSection, precedingByteCount: Int, line: RequestLine, meaning: RequestMeaning,
        violations: [Violation]
    ) {
        parts = Parts(
            fields: fields, precedingByteCount: precedingByteCount, line: line, meaning: meaning,
            violations: violations)
    }

    /// Two heads are equal when the same bytes arrived and mean the same.
    public static func == (left: RequestHead, right: RequestHead) -> Bool {
        left.parts === right.parts
            || left.fields == right.fields && left.precedingByteCount == right.precedingByteCount
                && left.methodRange == right.methodRange && left.targetRange == right.targetRange
                && left.version == right.version && left.form == right.form && left.framing == right.framing
                && left.keepsConnection == right.keepsConnection && left.expectsContinue == right.expectsContinue
                && left.violations == right.violations
    }
}

extension RequestHead {
    /// Bytes of empty lines that came before the method; violation offsets count them, the ranges here do not.
    public var precedingByteCount: Int { parts.precedingByteCount }

    /// 1.x, but for a reader that accepts anything; others refuse other major versions.
    public var version: HTTPVersion { parts.version }

    /// Which of the four forms the target has.
    public var form: TargetForm { parts.form }

    /// The header section, over the same bytes.
    public var fields: FieldSection { parts.fields }

    /// Where the content ends, Transfer-Encoding before Content-Length.
    public var framing: BodyFraming { parts.framing }

    /// Whether the peer will take another request on this connection (RFC 9112 §9.3, for both versions).
    public var keepsConnection: Bool { parts.keepsConnection }

    /// Whether the peer waits for a 100 before it sends content (RFC 9110 §10.1.1); never true for HTTP/1.0.
    public var expectsContinue: Bool { parts.expectsContinue }

    /// What can be read over, in order of offset.
    public var violations: [Violation] { parts.violations }

    /// Exactly what arrived, from the method to the empty line and its line end.
    public var bytes: [UInt8] { fields.bytes }

    /// The range of the method in `bytes`.
    public var methodRange: Range<Int> { Int(parts.method.lowerBound)..<Int(parts.method.upperBound) }

    /// The range of the request-target in `bytes`.
    public var targetRange: Range<Int> { Int(parts.target.lowerBound)..<Int(parts.target.upperBound) }

    /// Any token, in the sender's letter case; made anew at each call, so compare with `hasMethod` where speed counts.
    public var method: String { String(decoding: bytes[methodRange], as: UTF8.self) }

    /// A view of the method, without a copy.
    public var methodBytes: ArraySlice<UInt8> { bytes[methodRange] }

    /// Methods are compared with letter case (RFC 9110 §9.1).
    public func hasMethod(_ name: StaticString) -> Bool { bytes.span.extracting(methodRange).equals(name) }

    /// A copy of the request-target, byte for byte.
    public var target: [UInt8] { Array(bytes[targetRange]) }

    /// A view of the request-target, without a copy.
    public var targetBytes: ArraySlice<UInt8> { bytes[targetRange] }
}

extension Range<UInt32> {
    fileprivate init(truncating range: Range<Int>) {
        self = UInt32(truncatingIfNeeded: range.lowerBound)..<UInt32(truncatingIfNeeded: range.upperBound)
    }
}

extension RequestHead {
    /// Reads one complete head and leaves bytes after it alone.
    ///
    /// Throws the fatal violation, or `incomplete-head` when the bytes end too early.
    public init(parsing bytes: [UInt8], limits: RequestLimits = RequestLimits()) throws(Violation) {
        var reader = RequestReader(limits: limits)
        var offset = 0
        var event = reader.next(bytes.span, at: &offset)
        while let found = event {
            switch found {
            case .head(let head):
                self = head
                return
            case .refused(let violation): throw violation
            case .content, .chunk, .trailers, .violation, .end: event = reader.next(bytes.span, at: &offset)
            }
        }
        throw Violation(.incompleteHead, at: bytes.count, bound: bytes.count)
    }

    /// The path of an origin-form or absolute-form target, as it was sent; nil for the other forms.
    public var path: ArraySlice<UInt8>? { pathAndQuery?.path }

    /// What follows the first `?` of an origin-form or absolute-form target, without it; nil without one.
    public var query: ArraySlice<UInt8>? { pathAndQuery?.query }

    private var pathAndQuery: (path: ArraySlice<UInt8>, query: ArraySlice<UInt8>?)? {
        switch form {
        case .authority, .asterisk: return nil
        case .origin:
            // Never split as a reference: a path may begin with two slashes and names no host then.
            let target = targetBytes
            guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return (target, nil) }
            return (target[..<mark], target[(mark + 1)...])
        case .absolute:
            let uri = URIReference(splitting: target)
            return (uri.path, uri.query)
        }
    }
}

extension RequestHead {
    /// The head with the fields that a proxy hands on; bytes and meaning stay as they came.
    ///
    /// Without Connection, the fields that it names and Proxy-Connection (RFC 9110 §7.6.1), and without
    /// Proxy-Authorization, which the proxy has consumed (§11.7.2). A head that has none of them is handed back as it
    /// is, and nothing is allocated.
    public var forwarded: RequestHead {
        let span = bytes.span
        let entries = fields.entries
        var hasOptions = false
        var hasOthers = false
        for entry in entries {
            switch HopField(span.extracting(entry.name)) {
            case .connection: hasOptions = true
            case .proxy: hasOthers = true
            case nil: break
            }
        }
        guard hasOptions || hasOthers else { return self }
        let options = hasOptions ? fields.values(named: "Connection") : []
        let left = entries.filter { entry in
            let name = span.extracting(entry.name)
            return HopField(name) == nil && !options.contains { Self.names(name, in: $0.span) }
        }
        return RequestHead(self, fields: FieldSection(bytes: bytes, unfolded: fields.unfolded, entries: left))
    }

    /// Whether a list of connection options (RFC 9110 §7.6.1) has the name among them.
    private static func names(_ name: Span<UInt8>, in options: Span<UInt8>) -> Bool {
        var elements = ListElements()
        while let element = elements.next(in: options) {
            if name.equalsIgnoringCase(options.extracting(element)) { return true }
        }
        return false
    }
}

/// Fields that are for the next recipient alone, whatever they say.
private enum HopField {
    case connection
    /// Proxy-Connection and Proxy-Authorization.
    case proxy

    init?(_ name: Span<UInt8>) {
        switch name.count {
        case 10 where name.equalsIgnoringCase("Connection"): self = .connection
        case 16 where name.equalsIgnoringCase("Proxy-Connection"): self = .proxy
        case 19 where name.equalsIgnoringCase("Proxy-Authorization"): self = .proxy
        default: return nil
        }
    }
}

/// How a request says where its content ends (RFC 9112 §6.3).
public enum BodyFraming: Sendable, Hashable {
    /// Neither Content-Length nor Transfer-Encoding: no content.
    case none
    /// Content-Length, in bytes; zero is a length too.
    case length(Int)
    /// Transfer-Encoding with `chunked` as its only coding.
    case chunked

    /// How the content is read.
    var content: ContentReader.State {
        switch self {
        case .none: .done
        case .length(let byteCount): .length(byteCount)
        case .chunked: .chunkLine
        }
    }
}
