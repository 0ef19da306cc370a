internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorProgram
internal import ProctorScenario

/// Compares `wsOpen` with the reply before it: only a 101, or a 2xx on a stream, opens a WebSocket (RFC 6455 §4.1, RFC 8441
/// §5), and its Sec-WebSocket-Protocol is the protocol, also in the `result`.
enum WebSocketOpenCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.compactMap { index in
            let event = load.events[index]
            // Of results, only that of a WebSocket has a protocol.
            guard event.name == .wsOpen || event.name == .result && event.facts[.protocol] != nil,
                let exchange = load.latestExchange(before: index), let status = exchange.status
            else { return nil }
            guard exchange.head.isMultiplexed ? 200..<300 ~= status : status == 101 else {
                return event.fault(
                    event.name == .wsOpen ? "wsOpen" : "protocol", wanted: "none", got: "one",
                    reason: "the reply was \(status), which opens nothing", rule: 57)
            }
            guard exchange.reply?.fields != nil else { return nil }
            let wanted = exchange.replyFields.first(named: "Sec-WebSocket-Protocol")?.value ?? ""
            let got = (event.name == .wsOpen ? event.argument : event.facts.text(.protocol)) ?? ""
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
            let argument = close.argument, argument != String(code)
        {
            faults.append(
                result.fault(
                    "closeCode", wanted: argument, got: String(code), reason: "\(close.symbol) told the code", rule: 57)
            )
        }
        guard let messages = result.messages else { return faults }
        let received = load.ended(.wsReceived)
        if load.tellsHandlers || !received.isEmpty, received.count != messages.count {
            faults.append(
                result.fault(
                    "messages", wanted: "\(received.count)", got: "\(messages.count)",
                    reason: "so many calls of the completion handler brought one"))
        }
        return faults
    }
}

/// Compares what a WebSocket told the application of its messages with the frames themselves: the messages that were
/// received and sent, in order (RFC 6455 §6.1, §6.2), the Pongs (§5.5.3), then code and reason of the server's first Close frame
/// (§7.1.5, §7.1.6).
enum WebSocketMessageCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard let place = load.events.lastIndex(where: { $0.name == .result || $0.name == .complete }),
            let exchange = load.latestExchange(before: place),
            let received = WebSocketTraffic(exchange, of: load, by: .server),
            let sent = WebSocketTraffic(exchange, of: load, by: .client)
        else { return [] }
        return receivedFaults(load, received) + missingFaults(load, received) + sentFaults(load, sent)
            + pongFaults(load, exchange) + closeFaults(load, received)
    }

    private static func receivedFaults(_ load: ContentLoad, _ traffic: WebSocketTraffic) -> [ContentFault] {
        var faults = zip(0..., load.ended(.wsReceived)).compactMap { index, event -> ContentFault? in
            if traffic.messages.indices.contains(index) { return fault(event, traffic.messages[index], "sent") }
            guard traffic.isAll else { return nil }
            return event.fault(
                "message", wanted: Plural.count(traffic.messages.count, "message"), got: "message \(index + 1)",
                reason: "the server sent no more before its Close frame (RFC 6455 §5.5.1)")
        }
        guard let result = load.events.first(where: { $0.name == .result }),
            let texts = result.messages
        else { return faults }
        let wanted = traffic.messages.map(\.text)
        for (index, text) in texts.enumerated() {
            let shown = String(decoding: text, as: UTF8.self)
            if index < wanted.count ? wanted[index] == nil || wanted[index] == shown : !traffic.isAll { continue }
            faults.append(
                result.fault(
                    "messages", wanted: index < wanted.count ? wanted[index].map(ContentFault.quoted) ?? "" : "no more",
                    got: ContentFault.quoted(shown),
                    reason: "the server sent it as message \(index + 1) (RFC 6455 §6.2)"
                ))
            break
        }
        return faults
    }

    /// Messages that a WebSocket lacks which came to its good end, though its program waited for them.
    private static func missingFaults(_ load: ContentLoad, _ traffic: WebSocketTraffic) -> [ContentFault] {
        guard let acts = load.program?.conversation, traffic.closeCode != nil, !load.isPartial,
            let result = load.events.first(where: { $0.name == .result }), result.facts[.error] == nil,
            let messages = result.messages
        else { return [] }
        let wanted = min(acts.receivedCount, traffic.messages.count)
        guard messages.count < wanted else { return [] }
        return [
            result.fault(
                "messages", wanted: "\(wanted)", got: "\(messages.count)",
                reason: "the server sent \(traffic.messages.count) before its Close frame, and the program waits for "
                    + "\(acts.receivedCount) (RFC 6455 §6.2)")
        ]
    }

    private static func sentFaults(_ load: ContentLoad, _ traffic: WebSocketTraffic) -> [ContentFault] {
        zip(0..., load.ended(.wsSent)).compactMap { index, event in
            if traffic.messages.indices.contains(index) { return fault(event, traffic.messages[index], "received") }
            // What a client sends before its Close frame has come where that has.
            guard traffic.isAll, traffic.closeCode != nil else { return nil }
            return event.fault(
                "message", wanted: Plural.count(traffic.messages.count, "message"), got: "message \(index + 1)",
                reason: "the server received no more before the client's Close frame (RFC 6455 §6.1)")
        }
    }

    private static func fault(
        _ event: TraceEvent, _ message: WebSocketTraffic.Message, _ verb: String
    ) -> ContentFault? {
        let reason = "the server \(verb) such a message (RFC 6455 §6.2)"
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

    private static func pongFaults(_ load: ContentLoad, _ exchange: SeenExchange) -> [ContentFault] {
        let answered = WebSocketTraffic.answeredPingCount(exchange, of: load)
        return load.ended(.wsPong).dropFirst(answered).prefix(1).map { event in
            event.fault(
                "pong", wanted: Plural.count(answered, "Pong"), got: "Pong \(answered + 1)",
                reason: "the server sent no more that answer a Ping (RFC 6455 §5.5.3)", rule: 57)
        }
    }

    private static func closeFaults(_ load: ContentLoad, _ sent: WebSocketTraffic) -> [ContentFault] {
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
        } + missingCloseFaults(load, sent)
    }

    /// A good end without wsClose, though the server's Close frame came before the client closed anything.
    private static func missingCloseFaults(_ load: ContentLoad, _ sent: WebSocketTraffic) -> [ContentFault] {
        guard let code = sent.closeCode, load.tells(.wsClose), load.program?.conversation.last?.isLast != true,
            load.events.contains(where: { $0.name == .wsOpen }), !load.events.contains(where: { $0.name == .wsClose }),
            let end = load.events.last(where: { $0.name == .complete }), end.argument == "ok", !load.isPartial
        else { return [] }
        return [
            end.fault(
                "closeCode", wanted: "\(code)", got: "no wsClose",
                reason: "the server's Close frame came before the end (RFC 6455 §7.1.5)", rule: 57)
        ]
    }
}

extension [ConversationAct] {
    /// The messages that the acts wait for.
    var receivedCount: Int {
        reduce(0) { count, act in if case .receive(let more) = act { count + more } else { count } }
    }
}
