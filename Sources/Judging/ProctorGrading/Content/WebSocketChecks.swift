import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Compares `wsOpen` with the reply before it: only a 101, or a 2xx on a stream, opens a WebSocket (RFC 6455 §4.1, RFC 8441
/// §5), and its Sec-WebSocket-Protocol is the protocol.
enum WebSocketOpenCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.compactMap { index in
            let event = load.events[index]
            guard event.name == .wsOpen, let exchange = load.latestExchange(before: index), let status = exchange.status
            else { return nil }
            guard exchange.head.isMultiplexed ? 200..<300 ~= status : status == 101 else {
                return event.fault(
                    "wsOpen", wanted: "none", got: "one", reason: "the reply was \(status), which opens nothing",
                    rule: 57)
            }
            guard exchange.reply?.fields != nil else { return nil }
            let wanted = exchange.replyFields.first(named: "Sec-WebSocket-Protocol")?.value ?? ""
            let got = event.argument ?? ""
            guard wanted != got else { return nil }
            return event.fault(
                "protocol", wanted: ContentFault.quoted(wanted), got: ContentFault.quoted(got),
                reason: "the reply's Sec-WebSocket-Protocol chooses it (RFC 6455 §4.1)", rule: 57)
        }
    }
}

/// Compares the `result` of a WebSocket with its callbacks: the code of wsClose, and how many messages were received.
enum WebSocketResultCheck: LoadContentCheck {
    static let isOfOwnReports = true

    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard !load.isPartial, let result = load.events.first(where: { $0.name == .result }) else { return [] }
        var faults: [ContentFault] = []
        if let code = result.facts.integer(.closeCode), let close = load.events.first(where: { $0.name == .wsClose }),
            let told = close.argument, told != String(code)
        {
            faults.append(
                result.fault(
                    "closeCode", wanted: told, got: String(code), reason: "\(close.symbol) told the code", rule: 57))
        }
        guard let messages = ClientRecord.messages(in: result) else { return faults }
        let received = load.events.filter { $0.name == .wsReceived && $0.argument == "ok" }
        if !received.isEmpty, received.count != messages.count {
            faults.append(
                result.fault(
                    "messages", wanted: "\(received.count)", got: "\(messages.count)",
                    reason: "so many calls of the completion handler brought one"))
        }
        return faults
    }
}

/// Compares what a WebSocket gave to the application with what the server sent on it: the messages in order (RFC 6455 §6.2),
/// then code and reason of the first Close frame (§7.1.5, §7.1.6).
enum WebSocketMessageCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard let place = load.events.lastIndex(where: { $0.name == .result || $0.name == .complete }),
            let exchange = load.exchange(before: place, status: 101), let sent = SentMessages(exchange)
        else { return [] }
        return messageFaults(load, sent) + closeFaults(load, sent)
    }

    private static func messageFaults(_ load: ContentLoad, _ sent: SentMessages) -> [ContentFault] {
        let received = load.events.filter { $0.name == .wsReceived && $0.argument == "ok" }
        var faults = zip(0..., received).compactMap { index, event -> ContentFault? in
            guard sent.messages.indices.contains(index) else {
                return event.fault(
                    "message", wanted: "\(sent.messages.count) messages", got: "message \(index + 1)",
                    reason: "the server sent no more before its Close frame (RFC 6455 §5.5.1)")
            }
            return fault(event, sent.messages[index])
        }
        guard let result = load.events.first(where: { $0.name == .result }),
            let texts = ClientRecord.messages(in: result)
        else { return faults }
        let wanted = sent.messages.map(\.text)
        for (index, text) in texts.enumerated() {
            let told = String(decoding: text, as: UTF8.self)
            if index < wanted.count, wanted[index] == nil || wanted[index] == told { continue }
            faults.append(
                result.fault(
                    "messages", wanted: index < wanted.count ? wanted[index].map(ContentFault.quoted) ?? "" : "no more",
                    got: ContentFault.quoted(told), reason: "the server sent it as message \(index + 1) (RFC 6455 §6.2)"
                ))
            break
        }
        return faults
    }

    private static func fault(_ event: TraceEvent, _ message: SentMessages.Message) -> ContentFault? {
        let reason = "the server sent such a message (RFC 6455 §6.2)"
        if let isText = event.facts.flag(.isText), isText != message.isText {
            return event.fault("isText", wanted: "\(message.isText)", got: "\(isText)", reason: reason)
        }
        if let count = event.facts.integer(.bytes), count != message.byteCount {
            return event.fault("bytes", wanted: "\(message.byteCount)", got: "\(count)", reason: reason)
        }
        guard let sum = event.facts.integer(.crc32), let bytes = message.bytes else { return nil }
        let wanted = Int(CRC32.checksum(of: bytes))
        return sum == wanted ? nil : event.fault("crc32", wanted: "\(wanted)", got: "\(sum)", reason: reason)
    }

    private static func closeFaults(_ load: ContentLoad, _ sent: SentMessages) -> [ContentFault] {
        load.events.filter { $0.name == .wsClose || $0.name == .result }.flatMap { event -> [ContentFault] in
            var faults: [ContentFault] = []
            let code =
                event.facts.integer(.closeCode) ?? (event.name == .wsClose ? event.argument.flatMap { Int($0) } : nil)
            if let code, code != sent.closeCode {
                faults.append(
                    event.fault(
                        "closeCode", wanted: sent.closeCode.map { "\($0)" } ?? "none", got: "\(code)",
                        reason: "it is that of the server's first Close frame (RFC 6455 §7.1.5)", rule: 57))
            }
            if code != nil, let reason = sent.closeReason, event.facts.text(.closeReason) ?? "" != reason {
                faults.append(
                    event.fault(
                        "closeReason", wanted: ContentFault.quoted(reason),
                        got: ContentFault.quoted(event.facts.text(.closeReason) ?? ""),
                        reason: "it is that of the server's first Close frame (RFC 6455 §7.1.6)", rule: 57))
            }
            return faults
        }
    }
}

/// What the server sent on the WebSocket of one exchange, up to its Close frame.
private struct SentMessages {
    private(set) var messages: [Message] = []
    /// 1005 for a frame without a code; nil where none was sent.
    private(set) var closeCode: Int?
    /// nil where it was not kept whole, or is no UTF-8.
    private(set) var closeReason: String?

    struct Message {
        let isText: Bool
        let byteCount: Int
        /// nil where they were not kept whole.
        let bytes: [UInt8]?

        /// As `messages` of a `result` has it; nil where it is unknown.
        var text: String? {
            guard let bytes else { return nil }
            guard isText else {
                return "binary " + bytes.map { String(UInt16($0) | 0x100, radix: 16).dropFirst() }.joined()
            }
            return String(validating: bytes, as: UTF8.self).map { "text \($0)" }
        }
    }

    /// nil where no WebSocket was opened, or where the journal does not say which messages its frames are.
    init?(_ exchange: SeenExchange) {
        var isOpen = false
        for event in exchange.webSocket {
            if case .opened = event { isOpen = true }
            guard case .frame(let frame) = event, frame.party == .server, closeCode == nil else { continue }
            guard let message = frame.message else {
                if frame.flags.contains("FIN") { return nil }
                continue
            }
            let isWhole = message.kept.count == message.byteCount
            switch message.kind {
            case .text, .binary:
                messages.append(
                    Message(
                        isText: message.kind == .text, byteCount: message.byteCount,
                        bytes: isWhole ? message.kept : nil))
            case .close:
                closeCode = message.code ?? 1005
                closeReason = String(validating: message.kept, as: UTF8.self)
            case .ping, .pong: break
            }
        }
        guard isOpen else { return nil }
    }
}
