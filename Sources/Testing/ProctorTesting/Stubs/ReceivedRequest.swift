public import Foundation
internal import ProctorCoding
internal import ProctorHTTP
internal import ProctorJournal

/// A request that came to ``Stubs``.
public struct ReceivedRequest: Sendable {
    /// Its method.
    public let method: String
    /// Its target as it came, with the query.
    public let target: String
    /// The field lines in order; a name may occur twice.
    public let fields: [(name: String, value: String)]
    /// The content without its content codings; as it came where it is not what they say.
    public var body: Data {
        guard !codedBody.isEmpty, let codings = ReceivedCodings(codingFields),
            case .bytes(let bytes) = try? codings.decode(Array(codedBody))
        else { return codedBody }
        return Data(bytes)
    }
    /// The content as it came, up to 1 MiB of it; empty before its end has come, and where there is none.
    public internal(set) var codedBody = Data()
    /// When its head came, by a clock that does not jump: the difference of two is what they are apart.
    public let time: Duration
    /// What the client sent on the WebSocket that it opened; Ping, Pong and Close are none.
    public internal(set) var messages: [Message] = []

    /// How it ended; nil while it is under way, and where the server ended its reply.
    public internal(set) var end: End?

    /// How a request ended: its reply was sent to its end, or before that the client closed the connection, or reset it or the stream.
    public enum End: String, Sendable { case read, left, reset }

    /// A message of a WebSocket, up to its first MiB.
    public enum Message: Sendable, Equatable {
        case text(String)
        case binary(Data)
    }

    /// The position of the stub that answers it; nil: none does.
    var exchange: Int?

    private var codingFields: [Substring.UTF8View] {
        fields.filter { $0.name.lowercased() == "content-encoding" }.map { $0.value[...].utf8 }
    }

    /// The values of a field, joined by commas (RFC 9110 §5.3); nil without it.
    public func header(_ name: String) -> String? {
        let values = fields.filter { $0.name.lowercased() == name.lowercased() }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: ", ")
    }

    /// The content as UTF-8; what is none is replaced by U+FFFD.
    public var text: String { String(decoding: body, as: UTF8.self) }

    /// The content as a value, read from JSON; throws DecodingError where it is none.
    public func json<Value: Decodable>(as type: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(type, from: body)
    }

    /// The requests of a journal, in the order in which their heads came.
    static func all(of entries: [JournalEntry]) -> [ReceivedRequest] {
        var (requests, positions) = ([ReceivedRequest](), [Int: Int]())
        for entry in entries {
            guard let number = entry.request else { continue }
            if case .requestHead(let head, let target) = entry.event {
                positions[number] = requests.count
                requests.append(
                    ReceivedRequest(
                        method: head.method,
                        target: String(decoding: target, as: UTF8.self),
                        fields: head.fields.map { HTTPField($0) }.map { ($0.name, $0.value) },
                        time: .nanoseconds(Int64(clamping: entry.nanoseconds))))
            }
            guard let position = positions[number] else { continue }
            switch entry.event {
            case .requestBody(let body): requests[position].codedBody = Data(body.kept)
            case .webSocket(let note): if let message = Message(note) { requests[position].messages.append(message) }
            case .exchangeChosen(let exchange, _): requests[position].exchange = exchange
            case .replySent: requests[position].end = .read
            case .replyAborted(_, _, let client): requests[position].end = client.flatMap { End(rawValue: $0.rawValue) }
            default: break
            }
        }
        return requests
    }
}

extension ReceivedRequest.Message {
    /// The message that is complete with a frame of the client; nil for anything else.
    fileprivate init?(_ note: WebSocketNote) {
        guard case .frame(let frame) = note.event, frame.party == .client, let message = frame.message else {
            return nil
        }
        switch message.kind {
        case .text: self = .text(String(decoding: message.kept, as: UTF8.self))
        case .binary: self = .binary(Data(message.kept))
        case .ping, .pong, .close: return nil
        }
    }
}
