import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Status, URL, MIME type and expected length, against the reply that the callback is about.
enum ResponseCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.flatMap { index -> [ContentFault] in
            let event = load.events[index]
            if event.name == .result, event.tellsOfReply, let status = event.facts.integer(.status),
                !load.hadReply(status: status)
            {
                return [neverSentFault(event, status)]
            }
            guard event.tellsOfReply, let exchange = load.exchange(before: index), let sent = exchange.status,
                let status = event.facts.integer(.status) ?? event.statusOfArgument
            else { return [] }
            guard status == sent else {
                return load.mayHave(status: status) ? [] : [statusFault(event, status, exchange: exchange, sent: sent)]
            }
            return [
                argumentFault(event, sent), urlFault(event, exchange, load: load), mimeFault(event, exchange),
                lengthFault(event, exchange),
            ].compactMap(\.self)
        }
    }

    private static func neverSentFault(_ event: TraceEvent, _ status: Int) -> ContentFault {
        ContentFault(
            event: event, field: "status", wanted: "that of a reply", got: "\(status)",
            reason: "the server sent no reply with it")
    }

    private static func statusFault(
        _ event: TraceEvent, _ status: Int, exchange: ContentExchange, sent: Int
    ) -> ContentFault {
        ContentFault(
            event: event, field: "status", wanted: "\(sent)", got: "\(status)",
            reason: "the server answered \(exchange.request.shown) with it")
    }

    /// The argument and the fact are two ways to say one thing.
    private static func argumentFault(_ event: TraceEvent, _ sent: Int) -> ContentFault? {
        guard let said = event.statusOfArgument, said != sent else { return nil }
        return ContentFault(
            event: event, field: "status", wanted: "\(sent)", got: "\(said)", reason: "the server sent that status")
    }

    private static func urlFault(
        _ event: TraceEvent, _ exchange: ContentExchange, load: ContentLoad
    ) -> ContentFault? {
        guard let url = exchange.url, let text = event.facts.text(.url),
            ContentURL.isSame(text, as: url, ownScheme: load.ownScheme) == false
        else { return nil }
        // No RFC says how a client writes the URL of what it has loaded.
        return ContentFault(
            event: event, field: "url", wanted: ContentURL.shown(url), got: ContentFault.quoted(text),
            reason: "the request that was answered went there", weight: load.isOfFoundation ? .failure : .observation)
    }

    /// Without a readable Content-Type a client may look at the content, so that anything is right.
    private static func mimeFault(_ event: TraceEvent, _ exchange: ContentExchange) -> ContentFault? {
        guard !exchange.isMixedReplace, let got = event.facts.text(.mime), let value = exchange.single("Content-Type"),
            !value.contains(UInt8(ascii: ",")), let type = MediaType(value), got.lowercased() != type.essence
        else { return nil }
        return ContentFault(
            event: event, field: "mime", wanted: ContentFault.quoted(type.essence), got: ContentFault.quoted(got),
            reason: "Content-Type was \(WireText.quoted(value)) (RFC 9110 §8.3)")
    }

    /// A client may say that it does not know; of coded content it may tell the length of either form.
    private static func lengthFault(_ event: TraceEvent, _ exchange: ContentExchange) -> ContentFault? {
        guard !exchange.isMixedReplace, let got = event.facts.integer(.expectedLength), got != -1 else { return nil }
        let lengths = exchange.contents.map(\.byteCount)
        if lengths.contains(got) { return nil }
        guard let announced = exchange.contentLength else {
            guard !exchange.fields.contains(named: "Content-Length"), !lengths.isEmpty, exchange.method != "HEAD" else {
                return nil
            }
            return ContentFault(
                event: event, field: "expectedLength", wanted: "-1 for an unknown length", got: "\(got)",
                reason: "the reply has no Content-Length")
        }
        guard got != announced else { return nil }
        return ContentFault(
            event: event, field: "expectedLength", wanted: "\(announced)", got: "\(got)",
            reason: "Content-Length was that (RFC 9110 §8.6)")
    }
}

extension TraceEvent {
    /// Whether its facts are those of one reply; what a URLProtocol says of a redirect are those of the next request.
    var tellsOfReply: Bool {
        switch name {
        case .response, .handler, .awaited: !isInterimResponse
        case .redirect: lane != .protocolClient
        case .downloadResumed: facts[.status] != nil
        // Of a step that failed it is unknown how far its facts go.
        case .result: facts[.error] == nil && facts[.message] == nil
        default: false
        }
    }

    /// A `response(103)`, which no document has (R27).
    private var isInterimResponse: Bool { statusOfArgument.map(ReplyHead.isInterim) ?? false }

    /// The status of an event whose argument is one.
    var statusOfArgument: Int? {
        name == .response || name == .redirect ? argument.flatMap { Int($0) } : nil
    }
}

extension WireRecord.SeenRequest {
    /// `GET /a`, for a finding.
    var shown: String { EventText.printable(symbol.argument ?? "") }
}
