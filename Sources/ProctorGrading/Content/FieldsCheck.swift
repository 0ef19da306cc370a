import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Header fields of a response, against those that were sent (RFC 9110 §5).
enum FieldsCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.compactMap { index in
            let event = load.events[index]
            guard event.tellsOfReply, let text = event.facts.text(.fields),
                let status = event.facts.integer(.status) ?? event.statusOfArgument,
                let exchange = load.exchange(before: index, status: status), exchange.reply?.fields != nil,
                // Parts have fields of their own, and a stored response is updated by a 304.
                !exchange.isMixedReplace, !load.hasCache
            else { return nil }
            return fault(FieldLines.parsed(text), event, exchange: exchange)
        }
    }

    /// Only what a client adds or alters; what it leaves out may be its own business, as Transfer-Encoding is.
    private static func fault(
        _ told: [HTTPField], _ event: TraceEvent, exchange: ContentExchange
    ) -> ContentFault? {
        for field in told {
            let sent = exchange.fields.all(named: field.name).map { FieldLines.trimmed($0.value) }
            let got = FieldLines.trimmed(field.value)
            guard !sent.isEmpty else {
                return ContentFault(
                    event: event, field: "field \(ContentFault.quoted(field.name))", wanted: "none",
                    got: ContentFault.quoted(got), reason: "the server sent no such field")
            }
            // Lines of one name make one list, and a client may keep one of them.
            let isSent = sent.contains(got) || [", ", ","].contains { sent.joined(separator: $0) == got }
            guard !isSent, sent.allSatisfy(isPlain) else { continue }
            return ContentFault(
                event: event, field: "field \(ContentFault.quoted(field.name))",
                wanted: sent.map { ContentFault.quoted($0) }.joined(separator: ", "), got: ContentFault.quoted(got),
                reason: "the server sent that (RFC 9110 §5.3)")
        }
        return nil
    }

    /// Whether every client reads the value alike: no line is folded, and no character has more than one encoding.
    private static func isPlain(_ value: String) -> Bool {
        value.utf8.allSatisfy { 0x20..<0x7F ~= $0 || $0 == 0x09 }
    }
}

/// Header fields as a trace has them: lines `name: value`.
enum FieldLines {
    /// Lines without a colon are passed over.
    static func parsed(_ text: String) -> [HTTPField] {
        text.split(separator: "\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return HTTPField(String(line[..<colon]), trimmed(line[line.index(after: colon)...]))
        }
    }

    /// Without blanks at either end, which are no part of a value (RFC 9110 §5.5).
    static func trimmed(_ text: some StringProtocol) -> String {
        let blanks: Set<Character> = [" ", "\t"]
        return String(text.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed())
    }
}
