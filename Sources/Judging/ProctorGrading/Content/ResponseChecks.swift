import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// Compares status, URL, MIME type and expected length of a callback with its reply.
enum ResponseCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.flatMap { index -> [ContentFault] in
            let event = load.events[index]
            if let fault = argumentFault(event) { return [fault] }
            guard event.tellsOfReply || event.name == .result && load.isOfFoundation,
                let status = event.facts.integer(.status) ?? event.statusOfArgument
            else { return [] }
            // In a failed step, an interim status may be the last status that the client received.
            if !event.tellsOfReply, 100..<200 ~= status { return [] }
            if event.name == .result, !load.hadReply(status: status) { return [neverSentFault(event, status)] }
            if load.hasCache, !load.mayBeStored(status: status) { return [neverSentFault(event, status)] }
            if let exchange = load.latestExchange(before: index), let sent = exchange.status, status != sent,
                !load.mayHave(status: status)
            {
                return [statusFault(event, status, exchange: exchange, sent: sent)]
            }
            // A reply from a cache, or to one of several concurrent loads, is any of those with that status. A 304 may
            // have changed the fields of a stored reply (RFC 9111 §3.2).
            let updates = load.hasCache ? load.exchangesOfRun.map { $0.replies(withStatus: 304) } ?? [] : []
            let differences = load.replies(before: index, status: status).map { exchange in
                [
                    load.mayAnswerOtherURLs(exchange)
                        ? nil : ContentURL.fault(event, exchange, ownScheme: load.ownScheme),
                    mimeFault(event, [exchange] + updates),
                    lengthFault(event, [exchange] + updates),
                ].compactMap(\.self)
            }
            return differences.contains(where: \.isEmpty) ? [] : differences.first ?? []
        }
    }

    private static func neverSentFault(_ event: TraceEvent, _ status: Int) -> ContentFault {
        event.fault("status", wanted: "that of a reply", got: "\(status)", reason: "the server sent no reply with it")
    }

    private static func statusFault(
        _ event: TraceEvent, _ status: Int, exchange: SeenExchange, sent: Int
    ) -> ContentFault {
        event.fault(
            "status", wanted: "\(sent)", got: "\(status)",
            reason: "the server answered \(exchange.shown) with it")
    }

    /// The event's argument and its fact `status` must agree.
    private static func argumentFault(_ event: TraceEvent) -> ContentFault? {
        guard let said = event.statusOfArgument, let status = event.facts.integer(.status), said != status else {
            return nil
        }
        return event.fault("status", wanted: "\(said)", got: "\(status)", reason: "the argument of the event is that")
    }

    /// Compares the MIME type; without a readable Content-Type a client may sniff the content, so that any type is
    /// right.
    ///
    /// Each part of multipart/x-mixed-replace may have its own type (R26); each 304 may change the type of a stored
    /// reply.
    private static func mimeFault(_ event: TraceEvent, _ exchanges: [SeenExchange]) -> ContentFault? {
        guard let got = event.facts.text(.mime)?.lowercased(), let parts = exchanges[0].partFields else { return nil }
        let heads =
            [exchanges[0].replyFields] + parts
            + exchanges.dropFirst().map(\.replyFields).filter { $0.contains(named: "Content-Type") }
        let values = heads.map { fields in
            let lines = fields.all(named: "Content-Type")
            return lines.count == 1 ? lines[0].bytes : nil
        }
        var types: [String] = []
        for value in values {
            guard let value, !value.contains(UInt8(ascii: ",")), let type = MediaType(value) else { return nil }
            types.append(type.essence)
        }
        guard !types.contains(got) else { return nil }
        return event.fault(
            "mime", wanted: Set(types).sorted().map { ContentFault.quoted($0) }.joined(separator: " or "),
            got: ContentFault.quoted(got),
            reason: "Content-Type was \(values.compactMap { $0.map { WireText.quoted($0) } }[0]) (RFC 9110 §8.3)")
    }

    /// Compares the length, which a client may leave unknown; for coded content, the coded and the decoded length are
    /// both right.
    private static func lengthFault(_ event: TraceEvent, _ exchanges: [SeenExchange]) -> ContentFault? {
        guard let got = event.facts.integer(.expectedLength), got != -1, let parts = exchanges[0].partFields else {
            return nil
        }
        let exchange = exchanges[0]
        let lengths = exchange.forms.map(\.byteCount)
        if lengths.contains(got) { return nil }
        let announced =
            exchanges.compactMap(\.contentLength) + parts.compactMap(\.contentLength)
        guard !announced.contains(got) else { return nil }
        guard let first = announced.first else {
            // What follows a 101 is no content.
            let isSwitch = exchange.status == 101 && got != 0
            guard !exchange.replyFields.contains(named: "Content-Length"), !lengths.isEmpty || isSwitch,
                exchange.method != "HEAD"
            else {
                return nil
            }
            return event.fault(
                "expectedLength", wanted: "-1 for an unknown length", got: "\(got)",
                reason: "the reply has no Content-Length")
        }
        return event.fault(
            "expectedLength", wanted: "\(first)", got: "\(got)", reason: "Content-Length was that (RFC 9110 §8.6)")
    }
}

extension TraceEvent {
    /// Whether the event's facts are those of a reply; a URLProtocol's redirect has the facts of the next request.
    var tellsOfReply: Bool {
        switch name {
        case .response, .handler, .awaited: !isInterimResponse
        case .redirect: lane != .protocolClient
        case .downloadResumed: facts[.status] != nil
        // The facts of a failed step may be incomplete.
        case .result: facts[.error] == nil && facts[.message] == nil
        default: false
        }
    }

    /// Whether the event is `response(103)` or another interim one, which no document permits (R27).
    private var isInterimResponse: Bool { statusOfArgument.map(ReplyHead.isInterim) ?? false }

    var statusOfArgument: Int? { name == .response || name == .redirect ? argument.flatMap { Int($0) } : nil }
}

/// Compares the header fields of a response with the sent ones (RFC 9110 §5).
enum FieldsCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        [FactKey.fields, .header].flatMap { faults(of: $0, in: load) }
    }

    /// The faults of all fields, or of those that the program looks up by name.
    private static func faults(of key: FactKey, in load: ContentLoad) -> [ContentFault] {
        load.events.indices.compactMap { index in
            let event = load.events[index]
            guard event.tellsOfReply, let text = event.facts.text(key),
                let status = event.facts.integer(.status) ?? event.statusOfArgument
            else { return nil }
            let exchanges = load.replies(before: index, status: status)
            guard !exchanges.isEmpty, exchanges.allSatisfy({ $0.reply?.fields != nil && $0.partFields != nil }) else {
                return nil
            }
            let reported = FieldLines.parsed(text)
            guard !load.hasCache else { return storedFault(reported, event, load) }
            // Each part of a multipart content has its own fields.
            let faults = exchanges.map { exchange in
                fault(reported, event, sent: exchange.replyFields + (exchange.partFields ?? []).joined())
            }
            return faults.contains { $0 == nil } ? nil : faults[0]
        }
    }

    /// Compares fields of a stored response: each must be one that a reply of the run had.
    ///
    /// A cache takes over fields of a 304 (RFC 9111 §3.2), and adds Age (§5.1).
    private static func storedFault(_ reported: [HTTPField], _ event: TraceEvent, _ load: ContentLoad) -> ContentFault?
    {
        guard let run = load.exchangesOfRun, run.hasAllFields else { return nil }
        for field in reported where !field.isNamed("Age") && !field.isNamed("Warning") {
            let got = FieldLines.trimmed(field.value)
            let sent = run.all.map { $0.replyFields.all(named: field.name).map { FieldLines.trimmed($0.value) } }
            let isSent = sent.contains { values in
                values.contains(got) || [", ", ","].contains { values.joined(separator: $0) == got && !values.isEmpty }
            }
            guard !isSent, sent.joined().allSatisfy(isPlain) else { continue }
            return event.fault(
                "field \(ContentFault.quoted(field.name))",
                wanted: sent.joined().isEmpty
                    ? "none" : Set(sent.joined()).sorted().map { ContentFault.quoted($0) }.joined(separator: " or "),
                got: ContentFault.quoted(got), reason: "no reply of the run had it (RFC 9111 §3.2)")
        }
        return nil
    }

    private static func words(of value: String) -> [Substring] { value.split { $0 == " " || $0 == "\t" } }

    /// Reports only fields that the client adds or changes; a client may leave out fields, as Transfer-Encoding.
    static func fault(_ reported: [HTTPField], _ event: TraceEvent, sent fields: [HTTPField]) -> ContentFault? {
        for field in reported {
            let sent = fields.all(named: field.name).map { FieldLines.trimmed($0.value) }
            let got = FieldLines.trimmed(field.value)
            guard !sent.isEmpty else {
                return event.fault(
                    "field \(ContentFault.quoted(field.name))", wanted: "none", got: ContentFault.quoted(got),
                    reason: "the server sent no such field")
            }
            // Lines of one name are one list, of which a client may keep one line. A fold is as many spaces as a client likes
            // (RFC 9112 §5.2).
            let isSent =
                sent.contains { $0 == got || Self.words(of: $0) == Self.words(of: got) }
                || [", ", ","].contains { sent.joined(separator: $0) == got }
            guard !isSent, sent.allSatisfy(isPlain) else { continue }
            return event.fault(
                "field \(ContentFault.quoted(field.name))",
                wanted: sent.map { ContentFault.quoted($0) }.joined(separator: ", "), got: ContentFault.quoted(got),
                reason: "the server sent that (RFC 9110 §5.3)")
        }
        return nil
    }

    /// Whether every client reads the value in the same way: no obs-fold, and only ASCII.
    private static func isPlain(_ value: String) -> Bool { value.utf8.allSatisfy { 0x20..<0x7F ~= $0 || $0 == 0x09 } }
}

/// Header fields as a trace writes them: lines `name: value`.
enum FieldLines {
    static func parsed(_ text: String) -> [HTTPField] {
        text.split(separator: "\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return HTTPField(String(line[..<colon]), trimmed(line[line.index(after: colon)...]))
        }
    }

    /// Removes white space at both ends, which is not part of a value (RFC 9110 §5.5).
    static func trimmed(_ text: some StringProtocol) -> String {
        let blanks: Set<Character> = [" ", "\t"]
        return String(text.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed())
    }
}
