import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Compares each interim response that a client tells with those that the server sent before the reply, in order
/// (RFC 9110 §15.2); a client may leave any out.
enum InterimCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        /// For each request, how many of its interim responses were told or left out.
        var counts: [Int: Int] = [:]
        return load.events.indices.flatMap { index -> [ContentFault] in
            let event = load.events[index]
            guard event.name == .informational, let status = event.argument.flatMap({ Int($0) }) else { return [] }
            if let other = event.facts.integer(.status), other != status {
                return [
                    event.fault(
                        "status", wanted: "\(status)", got: "\(other)", reason: "the argument of the event is that")
                ]
            }
            // A 100 that a request waits for is no reply of a fixture (RFC 9110 §10.1.1).
            guard let exchange = load.latestExchange(before: index), !exchange.hasBytesOfEffects,
                status != 100 || exchange.values("Expect").isEmpty
            else { return [] }
            let left = exchange.interim.dropFirst(counts[exchange.number] ?? 0)
            guard let place = left.firstIndex(where: { $0.status == status }) else {
                // Of bytes that the journal has not taken apart, no reply is known: each may be an interim one.
                let isUnknown = exchange.reply == nil && (exchange.isReplySent || exchange.abortedByteCount != nil)
                guard !isUnknown else { return [] }
                let statuses = left.compactMap { $0.status.map(String.init) }
                return [
                    event.fault(
                        "status", wanted: statuses.isEmpty ? "none" : statuses.joined(separator: " or "),
                        got: "\(status)", reason: "the server sent no more before its reply (RFC 9110 §15.2)", rule: 27)
                ]
            }
            counts[exchange.number] = place + 1
            let fields = event.facts.text(.fields).flatMap { text in
                left[place].fields.flatMap {
                    FieldsCheck.fault(FieldLines.parsed(text), event, sent: [HTTPField]($0))
                }
            }
            return [fields, ContentURL.fault(event, exchange, ownScheme: load.ownScheme)].compactMap(\.self)
        }
    }
}
