internal import ProctorBase
package import ProctorHTTP

/// What happened at the end of a client that sends given bytes to what stands between it and the server.
public struct DownstreamNote: Sendable, Equatable {
    /// Counts the connections of that client, from 0; the server knows none of them.
    package let connection: Int
    package let event: Event

    package enum Event: Sendable, Equatable {
        /// The connection is open; `peer` is the address that was asked.
        case opened(peer: String)
        /// Bytes went out, as far as they are kept; where they begin a request, its method.
        case sent([UInt8], byteCount: Int, method: String?)
        /// Bytes came, as far as they are kept.
        case received([UInt8], byteCount: Int)
        case ended(by: JournalEvent.Party, how: JournalEvent.Ending)
        /// What frames said, either end's, where the connection has streams.
        case said(Part)
        /// Who stood between, by its name and version, and what it wrote into Via of requests and of replies.
        case stoodBetween(name: String, requestVia: [[UInt8]], replyVia: [[UInt8]])
        /// What was awaited did not come: `reply`, with the reason as half a sentence.
        case missed(awaited: String, reason: String)
    }

    /// What one end said on a stream, or of the connection, whose number is 0 (RFC 9113 §5).
    package struct Part: Sendable, Equatable {
        package let party: JournalEvent.Party
        package let stream: UInt32
        package let what: What
        /// The fields of a head and of trailers, pseudo-fields with them.
        package var fields: [HeaderField]
        /// The bytes of content, and of frames without a meaning of their own, as far as they are kept.
        package var bytes: [UInt8]
        package var byteCount: Int
        package var endsStream: Bool
        /// The error code of a reset and of GOAWAY; the kind of a violation.
        package var code: String?

        package init(
            by party: JournalEvent.Party, _ what: What, on stream: UInt32, fields: [HeaderField] = [],
            bytes: [UInt8] = [], byteCount: Int? = nil, endsStream: Bool = false, code: String? = nil
        ) {
            (self.party, self.what, self.stream, self.fields) = (party, what, stream, fields)
            self.bytes = Array(bytes.prefix(DownstreamNote.keptByteLimit))
            self.byteCount = byteCount ?? bytes.count
            (self.endsStream, self.code) = (endsStream, code)
        }

        package enum What: String, Sendable, CaseIterable {
            case head, content, trailers, reset, goaway, settings
            /// A frame of another type.
            case frame
            /// A departure of the peer from RFC 9113.
            case violation
        }
    }

    package init(connection: Int, _ event: Event) { (self.connection, self.event) = (connection, event) }

    /// Bytes that one entry keeps; more are counted only.
    package static let keptByteLimit = 64 << 10

    package var keptByteCount: Int {
        switch event {
        case .sent(let bytes, _, _), .received(let bytes, _): bytes.count
        case .said(let part): part.bytes.count + part.fields.reduce(0) { $0 + $1.size }
        case .stoodBetween(_, let requestVia, let replyVia): (requestVia + replyVia).reduce(0) { $0 + $1.count }
        case .opened, .ended, .missed: 0
        }
    }

    private static func list(_ values: [[UInt8]]) -> String {
        values.isEmpty ? "none" : values.map { EscapedText.escape($0, limit: 100) }.joined(separator: " | ")
    }

    /// For a person.
    package var sentence: String {
        let of = connection == 0 ? "" : " \(connection)"
        return switch event {
        case .opened(let peer): "downstream\(of): connected to \(peer)"
        case .sent(let bytes, let count, _):
            "downstream\(of): sent \(Plural.count(count, "byte")): \(EscapedText.escape(bytes, limit: 200))"
        case .received(let bytes, let count):
            "downstream\(of): got \(Plural.count(count, "byte")): \(EscapedText.escape(bytes, limit: 200))"
        case .said(let part): "downstream\(of): \(part.sentence)"
        case .ended(let party, let how):
            "downstream\(of): \(party == .client ? "ended" : "ended by the peer"), \(how.rawValue)"
        case .stoodBetween(let name, let requestVia, let replyVia):
            "between: \(name); Via of requests: \(Self.list(requestVia)); of replies: \(Self.list(replyVia))"
        case .missed(let awaited, let reason): "downstream\(of): no \(awaited) came, \(reason)"
        }
    }
}

extension DownstreamNote.Part {
    /// `sent HEADERS of stream 1: …`, for a person.
    fileprivate var sentence: String {
        var words = (party == .client ? "sent " : "got ") + what.rawValue
        if stream > 0 { words += " of stream \(stream)" }
        if let code { words += " \(code)" }
        let shown =
            fields.isEmpty
            ? EscapedText.escape(bytes, limit: 200)
            : fields.map { EscapedText.escape($0.name + Array(": ".utf8) + $0.value, limit: 200) }
                .joined(separator: ", ")
        if what == .content || !bytes.isEmpty { words += ", \(Plural.count(byteCount, "byte"))" }
        if !shown.isEmpty { words += ": \(shown)" }
        return endsStream ? words + ", and its end" : words
    }
}
