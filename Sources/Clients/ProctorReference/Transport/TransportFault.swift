internal import ProctorBase
internal import ProctorCoding
package import ProctorDialling
internal import ProctorHTTP
package import ProctorSOCKS

/// A deliberate fault over HTTP/1.1, by the label of its breakage; `faults.tsv` says what each does.
package enum WireFault: String, Sendable, CaseIterable {
    case sendsOriginFormToProxy = "origin-form-to-the-proxy"
    case sendsProxyConnection = "proxy-connection"
    case sendsProxyCredentialInTunnel = "proxy-credential-in-the-tunnel"
    case sharesTunnels = "tunnel-of-another-origin"
    case takesRefusalForReply = "refused-tunnel-is-the-reply"
    case connectsWithoutPort = "connect-without-port"
    case usesOneConnection = "one-task-at-a-time"
    case ignoresConnectionLimit = "more-connections-than-allowed"
    case holdsDeadConnections = "holds-dead-connections"
    case collectsStreams = "collects-the-stream-first"
    /// Takes a head of any length and keeps all lines anew with each of them, prepares a decoder for each coding that is
    /// named, and decodes content at once.
    case hasNoBounds = "no-bounds"
    /// Reads nothing of the reply before the content is sent.
    case readsBehindContent = "reads-behind-the-upload"
    case sendsFieldsOfRedirect = "fields-follow-the-redirect"
    case sendsFieldsOfEarlierLoads = "fields-follow-the-load"
    /// Takes content that breaks off for whole, however it is framed and coded.
    case takesAnyEnd = "broken-off-content-is-whole"
    /// Fails no load whose handshake it has ended by an alert.
    case tellsAlertsAlone = "tells-alerts-alone"
}

/// A deliberate fault of the transport.
package enum TransportFault: Sendable, Hashable {
    case wire(WireFault)
    case lists(ListFault)
    case socks(SOCKSFault)
    case dialling(DiallingFault)
    case http2(StreamFault)
    case http3(StreamFault)
    case storm(StormMistake)

    /// The fault of that label; nil: it is none of the transport.
    package init?(label: String) {
        let fault =
            WireFault(rawValue: label).map(Self.wire) ?? ListFault(rawValue: label).map(Self.lists)
            ?? SOCKSFault(rawValue: label).map(Self.socks) ?? DiallingFault(rawValue: label).map(Self.dialling)
            ?? StormMistake(rawValue: label).map(Self.storm) ?? Self.ofStream(label)
        guard let fault else { return nil }
        self = fault
    }

    private static func ofStream(_ label: String) -> TransportFault? {
        let length = "h2-".count
        guard let fault = StreamFault(rawValue: String(label.dropFirst(length))) else { return nil }
        return switch label.prefix(length) {
        case "h2-": .http2(fault)
        case "h3-": .http3(fault)
        default: nil
        }
    }

    /// Whether no field of the caller is left out over HTTP/1.1: neither Host nor what is for a proxy.
    var sendsEveryField: Bool { self == .wire(.sendsFieldsOfRedirect) || self == .wire(.sendsFieldsOfEarlierLoads) }

    /// The fault with lists in fields of replies over HTTP/1.1; nil for another one.
    var ofLists: ListFault? { if case .lists(let fault) = self { fault } else { nil } }

    /// The mistake of schedules; nil for another fault.
    var ofStorms: StormMistake? { if case .storm(let mistake) = self { mistake } else { nil } }

    /// The fault over HTTP/2; nil for one of HTTP/1.1 or of all versions.
    var ofHTTP2: StreamFault? { if case .http2(let fault) = self { fault } else { nil } }

    /// The fault over HTTP/3; nil for another one.
    var ofHTTP3: StreamFault? { if case .http3(let fault) = self { fault } else { nil } }

    /// The fault over HTTP/2 or HTTP/3; nil for another one.
    var ofStreams: StreamFault? { ofHTTP2 ?? ofHTTP3 }

    /// Whether requests that were refused are never repeated.
    var neverRepeatsRefused: Bool { ofStreams == .neverRepeatsRefused || ofStreams == .neverRepeatsRejected }

    /// Whether requests whose stream was reset are repeated although they may have been processed.
    var repeatsReset: Bool { ofStreams == .repeatsReset }

    /// Whether a 421 is delivered, and not asked elsewhere.
    var ignoresMisdirection: Bool { ofStreams == .ignoresMisdirection }

    /// Whether the metrics of every load say HTTP/1.1.
    var hasWrongMetrics: Bool { ofStreams == .wrongMetrics }
}

/// A deliberate fault with lists in the fields of a reply (RFC 9110 §5.6.1), by the label of its breakage.
package enum ListFault: String, Sendable, CaseIterable {
    case unread = "lists-are-not-read"
    case byPartsOfWords = "lists-by-parts-of-words"

    /// The head as the faulty client reads it: without the lists, or with those that it believes to see.
    ///
    /// `bytes` begin with a head, and may go on with content; a head that is not whole stays as it is.
    func misread(_ bytes: [UInt8]) -> [UInt8] {
        guard let end = bytes.indices.first(where: { bytes[$0...].starts(with: "\r\n\r\n".utf8) }) else { return bytes }
        var lines = bytes[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            .map { line in line.last == UInt8(ascii: "\r") ? Array(line.dropLast()) : Array(line) }
        let status = lines.removeFirst()
        let read = [status] + lines.compactMap(misreadLine)
        return Array(read.joined(separator: Array("\r\n".utf8))) + bytes[end...]
    }

    private func misreadLine(_ line: [UInt8]) -> [UInt8]? {
        let text = String(decoding: line.map(\.asciiLowercased), as: UTF8.self)
        let name = text.prefix { $0 != ":" }
        switch self {
        case .unread:
            return ["connection", "transfer-encoding", "content-encoding", "vary"].contains(name) ? nil : line
        case .byPartsOfWords:
            if text.contains(text: "close") { return Array("Connection: close".utf8) }
            if name == "www-authenticate", text.contains(text: "basic") {
                return Array("WWW-Authenticate: Basic realm=\"found\"".utf8)
            }
            return text.contains(text: "chunked") ? Array("Transfer-Encoding: chunked".utf8) : line
        }
    }
}

/// What a client without bounds keeps of its replies: a deliberate fault.
struct Excess {
    /// Every line of heads that came, with all lines before it in several copies, more of a long line.
    private var lines: [UInt8] = []
    /// The lines of all heads so far.
    private var heads: [UInt8] = []
    private var decoders: [ContentDecoding] = []

    /// The most bytes that are kept, more than any case permits, so that the fault itself does not fill the machine.
    private static let byteLimit = 1_600 << 20
    private static let decoderLimit = 200_000
    private static let copies = 32

    /// Limits of the reader that no reply of a fixture passes.
    static let limits = ReplyLimits(
        statusLineByteCount: 1 << 28, fieldLineByteCount: 1 << 28, fieldCount: 10_000_000, headByteCount: 1 << 29,
        interimCount: 1_000_000)

    mutating func keepLines(of head: ReplyHead) {
        for field in head.fields {
            heads += field.name + field.value
            for _ in 0..<(Self.copies + field.value.count >> 10) where lines.count + heads.count < Self.byteLimit {
                lines += heads
            }
        }
        for value in head.fields.values(named: "Content-Encoding") {
            for name in HTTPField(name: "", bytes: Array(value)).elements {
                guard decoders.count < Self.decoderLimit, let coding = ContentCoding(name: name),
                    let decoder = try? ContentDecoding([coding])
                else { continue }
                decoders.append(decoder)
            }
        }
    }

    mutating func keepContent(_ content: [UInt8]) { lines += content }

    /// All content that can be decoded of what has arrived; nil: none.
    static func decodeAtOnce(_ decoding: ContentDecoding, _ arrival: inout Arrival) throws(CodingFailure) -> [UInt8]? {
        var whole: [UInt8] = []
        while true {
            while let piece = try decoding.next() { whole += piece }
            guard arrival.hasContent else { return whole.isEmpty ? nil : whole }
            decoding.append(arrival.takeContent())
        }
    }
}
