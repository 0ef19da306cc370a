import ProctorBase
import ProctorHTTP

/// Writes the four entries that every request has, without the closures of their shapes in ``JournalTable``.
///
/// The keys and their order are those of the table; a test compares all lines.
final class FrequentEntries: Sendable {
    static let shared = FrequentEntries()

    let requestHead = JournalTable.requestHead.eventPiece
    let exchangeChosen = JournalTable.exchangeChosen.eventPiece
    let replyBegun = JournalTable.replyBegun.eventPiece
    let replySent = JournalTable.replySent.eventPiece

    private let method = JSONPiece(key: "method")
    private let methodBase64 = JSONPiece(key: "methodBase64")
    private let target = JSONPiece(key: "target")
    private let targetBase64 = JSONPiece(key: "targetBase64")
    private let version = JSONPiece(key: "version")
    private let stream = JSONPiece(key: "stream")
    private let protocolName = JSONPiece(key: "protocol")
    private let protocolBase64 = JSONPiece(key: "protocolBase64")
    private let framing = JSONPiece(key: "framing")
    private let contentLength = JSONPiece(key: "contentLength")
    /// A request of HTTP/1.1 without content.
    private let usual = JSONPiece {
        $0.member("version", "HTTP/1.1")
        $0.member("framing", "none")
    }
    private let fields = JSONPiece(key: "fields")
    private let bytes = JSONPiece(key: "bytes")
    private let bytesBase64 = JSONPiece(key: "bytesBase64")
    private let exchange = JSONPiece(key: "exchange")
    private let turn = JSONPiece(key: "turn")
    private let status = JSONPiece(key: "status")
    private let byteCount = JSONPiece(key: "byteCount")

    func appendRequest(_ head: RequestHead, _ target: [UInt8], to json: inout JSONText) {
        head.withBytes { bytes in json.member(method, orBase64: methodBase64, bytes.extracting(head.methodRange)) }
        json.member(self.target, orBase64: targetBase64, target.span)
        if head.version == .http11, case .none = head.framing {
            json.append(usual)
        } else {
            json.key(version)
            json.string(head.version.text)
            if let number = head.stream {
                json.key(stream)
                json.number(Int(number))
            }
            if let name = head.protocolName { json.member(protocolName, orBase64: protocolBase64, name.span) }
            json.key(framing)
            json.string(head.framing.word)
            if case .length(let count) = head.framing {
                json.key(contentLength)
                json.number(count)
            }
        }
        json.key(fields)
        json.open("[")
        head.forEachField { name, value in json.fieldLine(name, value) }
        json.close("]")
        head.withBytes { json.member(bytes, orBase64: bytesBase64, $0) }
    }

    func appendChoice(exchange number: Int, turn: Int, to json: inout JSONText) {
        json.key(exchange)
        json.number(number)
        json.key(self.turn)
        json.number(turn)
    }

    func appendEnd(status code: Int?, byteCount: Int, to json: inout JSONText) {
        if let code {
            json.key(status)
            json.number(code)
        }
        json.key(self.byteCount)
        json.number(byteCount)
    }
}

extension JSONText {
    /// An element: a list of the name and the value.
    @inline(__always)
    mutating func fieldLine(_ name: borrowing Span<UInt8>, _ value: borrowing Span<UInt8>) {
        element()
        open("[")
        element()
        stringOrBase64(name)
        element()
        stringOrBase64(value)
        close("]")
    }
}

extension HTTPVersion {
    /// `HTTP/1.1`, or `HTTP/2`, which has no minor versions.
    package var text: String { self == .http11 ? "HTTP/1.1" : self == .http2 ? "HTTP/2" : "HTTP/\(major).\(minor)" }
}

extension BodyFraming {
    var word: String {
        switch self {
        case .none: "none"
        case .length: "length"
        case .chunked: "chunked"
        case .frames: "frames"
        }
    }
}
