import ProctorBase

/// A request line and its field section, and how the request's content ends.
///
/// A reference to an immutable object, cheap to pass and to store.
public struct RequestHead: Sendable, Equatable {
    private let parts: Parts
    /// The stream of the request; nil for HTTP/1, and if the code that made the head gave none.
    ///
    /// It stands beside the object, so that heads of many streams that are written alike share one.
    package let stream: UInt32?

    private final class Parts: Sendable {
        let facts: Facts

        init(_ facts: Facts) { self.facts = facts }
    }

    private struct Facts: Sendable, Equatable {
        var fields: FieldSection
        let precedingByteCount: Int
        let method: Range<UInt32>
        let target: Range<UInt32>
        let version: HTTPVersion
        let form: TargetForm
        let framing: BodyFraming
        let keepsConnection: Bool
        let asksToClose: Bool
        let expectsContinue: Bool
        let violations: [Violation]
        let hostByteCount: UInt32
        var isMultiplexed = false
        var protocolName: [UInt8]?
        /// The target of a stream, which came in an array of its own.
        var targetOfStream: [UInt8]?
    }

    /// `fields` refer to the bytes of the whole head, which the limits keep within 32 bits.
    init(
        fields: FieldSection, precedingByteCount: Int, line: RequestLine, meaning: RequestMeaning,
        violations: [Violation]
    ) {
        stream = nil
        parts = Parts(
            Facts(
                fields: fields, precedingByteCount: precedingByteCount, method: Range(truncating: line.methodRange),
                target: Range(truncating: line.targetRange), version: line.version, form: line.form,
                framing: meaning.framing, keepsConnection: meaning.keepsConnection,
                asksToClose: meaning.asksToClose,
                expectsContinue: meaning.expectsContinue, violations: violations,
                hostByteCount: UInt32(truncatingIfNeeded: meaning.hostByteCount)))
    }

    /// The head of a stream: `fields` refer to the HTTP/1.1 form of the head.
    init(
        fields: FieldSection, method: Range<Int>, target: [UInt8], form: TargetForm, framing: BodyFraming,
        expectsContinue: Bool, violations: [Violation], hostByteCount: Int, version: HTTPVersion, stream: UInt32?,
        protocolName: [UInt8]?
    ) {
        // One space stands between them.
        let start = method.upperBound + 1
        self.stream = stream
        parts = Parts(
            Facts(
                fields: fields, precedingByteCount: 0, method: Range(truncating: method),
                target: Range(truncating: start..<start + target.count), version: version, form: form, framing: framing,
                keepsConnection: true,
                asksToClose: false,
                expectsContinue: expectsContinue, violations: violations,
                hostByteCount: UInt32(truncatingIfNeeded: hostByteCount), isMultiplexed: true,
                protocolName: protocolName, targetOfStream: target))
    }

    /// Makes a copy of a head on another stream.
    package init(_ other: RequestHead, onStream stream: UInt32) {
        (parts, self.stream) = (other.parts, stream)
    }

    /// Makes a copy of a head with some of its fields; its bytes stay unchanged.
    private init(_ other: RequestHead, entries: [FieldSection.Entry]) {
        var facts = other.parts.facts
        facts.fields = FieldSection(bytes: facts.fields.bytes, unfolded: facts.fields.unfolded, entries: entries)
        parts = Parts(facts)
        stream = other.stream
    }

    /// Compares the bytes and their meaning.
    public static func == (left: RequestHead, right: RequestHead) -> Bool {
        left.stream == right.stream
            && (left.parts === right.parts || left.parts.facts == right.parts.facts)
    }
}

extension RequestHead {
    /// The object that the value refers to, for callers that store it without its type; the stream is no part of it.
    package var object: any AnyObject & Sendable { parts }

    /// nil if the object is not that of a head.
    package init?(object: any AnyObject & Sendable) {
        guard let parts = object as? Parts else { return nil }
        self.parts = parts
        stream = nil
    }

    /// Bytes of the empty lines before the method; offsets of violations include them, the ranges here do not.
    package var precedingByteCount: Int { parts.facts.precedingByteCount }

    /// 1.x, except for a stream of HTTP/2 and for a reader with `acceptsAnything`.
    public var version: HTTPVersion { parts.facts.version }

    /// Whether the request came on a stream of HTTP/2, so that its bytes were not received in this form (RFC 9113
    /// §8.3.1).
    package var isMultiplexed: Bool { parts.facts.isMultiplexed }

    /// The value of `:protocol` in an extended CONNECT (RFC 8441 §4); nil for any other request.
    package var protocolName: [UInt8]? { parts.facts.protocolName }

    /// Whether it is an extended CONNECT.
    package var namesProtocol: Bool { parts.facts.protocolName != nil }

    /// Whether a 2xx reply ends HTTP: a CONNECT, extended or not (RFC 9110 §9.3.6, RFC 8441 §5).
    package var asksForTunnel: Bool { form == .authority || namesProtocol }

    package var form: TargetForm { parts.facts.form }

    /// The length of the first Host field's value, cheaper to get than the value; 0 without one.
    package var hostByteCount: Int { Int(parts.facts.hostByteCount) }

    /// The header fields in the order of their lines.
    public var fields: FieldSection { parts.facts.fields }

    /// Transfer-Encoding has precedence over Content-Length.
    package var framing: BodyFraming { parts.facts.framing }

    /// Whether Content-Length or Transfer-Encoding announces content, even of length 0; for a stream, whether HEADERS
    /// had no END_STREAM.
    package var hasFraming: Bool {
        if case .none = parts.facts.framing { false } else { true }
    }

    /// Whether the peer accepts another request on this connection (RFC 9112 §9.3, for both versions).
    package var keepsConnection: Bool { parts.facts.keepsConnection }

    /// Whether the peer said that no further request follows on this connection (RFC 9112 §9.6); never true for a stream.
    package var asksToClose: Bool { parts.facts.asksToClose }

    /// Whether a client asks for the path by itself, whatever its caller loads: the icon of a page and the rules for
    /// robots (RFC 9309 §2.3).
    package var isOfClientItself: Bool {
        path.map { path in ["/favicon.ico", "/robots.txt"].contains { path.elementsEqual($0.utf8) } } ?? false
    }

    /// Whether the peer waits for a 100 before it sends content (RFC 9110 §10.1.1); never true for HTTP/1.0.
    package var expectsContinue: Bool { parts.facts.expectsContinue }

    package var violations: [Violation] { parts.facts.violations }

    /// Whether there are violations; cheaper than the list.
    package var hasViolations: Bool { !parts.facts.violations.isEmpty }

    /// The length of ``bytes``; reading it does not retain them.
    package var byteCount: Int { parts.facts.fields.bytes.count }

    /// The received bytes, from the method to the empty line with its line end.
    package var bytes: [UInt8] { fields.bytes }

    /// Whether bytes begin with the received ones.
    func begins(_ input: Span<UInt8>) -> Bool {
        let bytes = parts.facts.fields.bytes
        return input.count >= bytes.count && bytes.span.equals(input.extracting(first: bytes.count))
    }

    package var methodRange: Range<Int> { Int(parts.facts.method.lowerBound)..<Int(parts.facts.method.upperBound) }

    package var targetRange: Range<Int> { Int(parts.facts.target.lowerBound)..<Int(parts.facts.target.upperBound) }

    /// Any token, in the sender's letter case; made by each call, so use `hasMethod` if speed matters.
    public var method: String { String(decoding: bytes[methodRange], as: UTF8.self) }

    /// The bytes of the method, not copied.
    package var methodBytes: ArraySlice<UInt8> { bytes[methodRange] }

    /// Case-sensitive (RFC 9110 §9.1).
    package func hasMethod(_ name: StaticString) -> Bool { bytes.span.extracting(methodRange).equals(name) }

    /// Whether the method is that name, with regard to case; for a name that is no constant, cheaper than the bytes.
    package func hasMethod(_ name: [UInt8]) -> Bool {
        let bytes = parts.facts.fields.bytes
        return bytes.span.extracting(methodRange).equals(name.span)
    }

    /// The request-target, byte for byte; not copied where it came on a stream.
    public var target: [UInt8] { parts.facts.targetOfStream ?? Array(bytes[targetRange]) }

    /// The bytes of the request-target, not copied.
    package var targetBytes: ArraySlice<UInt8> { bytes[targetRange] }
}

extension Range<UInt32> {
    fileprivate init(truncating range: Range<Int>) {
        self = UInt32(truncatingIfNeeded: range.lowerBound)..<UInt32(truncatingIfNeeded: range.upperBound)
    }
}

extension RequestHead {
    /// Reads one complete head and ignores bytes after it.
    ///
    /// Throws the fatal violation, or `incomplete-head` if the bytes end too early.
    package init(parsing bytes: [UInt8], limits: RequestLimits = RequestLimits()) throws(Violation) {
        var reader = RequestReader(RequestRules(limits))
        var offset = 0
        while let event = reader.next(bytes.span, at: &offset) {
            switch event {
            case .head(let head):
                self = head
                return
            case .refused(let violation): throw violation
            case .content, .chunk, .trailers, .violation, .end: continue
            }
        }
        throw Violation(.incompleteHead, at: bytes.count, bound: bytes.count)
    }

    /// The path of an origin-form or absolute-form target, as sent; nil for the other forms.
    public var path: ArraySlice<UInt8>? { pathAndQuery?.path }

    /// The text after the first `?` of an origin-form or absolute-form target; nil without a `?`.
    public var query: ArraySlice<UInt8>? { pathAndQuery?.query }

    private var pathAndQuery: (path: ArraySlice<UInt8>, query: ArraySlice<UInt8>?)? {
        switch form {
        case .authority, .asterisk: return nil
        case .origin:
            // Not split as a URI reference: here a path may begin with two slashes, which are not followed by an
            // authority.
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
    /// The head with only the fields that a proxy forwards; bytes and other properties stay.
    ///
    /// Removes Connection, the fields that it names, Proxy-Connection (RFC 9110 §7.6.1) and Proxy-Authorization
    /// (§11.7.2). Without such fields nothing is allocated.
    package var forwarded: RequestHead {
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
        return RequestHead(self, entries: left)
    }

    /// Whether a list of connection options (RFC 9110 §7.6.1) contains the name.
    private static func names(_ name: Span<UInt8>, in options: Span<UInt8>) -> Bool {
        var elements = ListElements()
        while let element = elements.next(in: options) {
            if name.equalsIgnoringCase(options.extracting(element)) { return true }
        }
        return false
    }
}

/// Fields for the next recipient only.
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

package enum BodyFraming: Sendable, Hashable {
    /// Neither Content-Length nor Transfer-Encoding: no content.
    case none
    /// Content-Length, in bytes; may be zero.
    case length(Int)
    /// Transfer-Encoding with `chunked` as its only coding.
    case chunked
    /// DATA frames up to END_STREAM, without Content-Length (RFC 9113 §8.1).
    case frames

    var content: ContentState {
        switch self {
        case .none, .frames: .done
        case .length(let byteCount): .length(byteCount)
        case .chunked: .chunkLine
        }
    }
}
