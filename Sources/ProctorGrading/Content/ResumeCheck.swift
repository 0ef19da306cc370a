import ProctorHTTP
import ProctorTrace

/// Where a download goes on, against the Content-Range of the reply (RFC 9110 §14.4, R36).
enum ResumeCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.flatMap { index -> [ContentFault] in
            let event = load.events[index]
            guard event.name == .downloadResumed, let exchange = load.exchange(before: index) else { return [] }
            return [offsetFault(event, exchange), expectedFault(event, exchange)].compactMap(\.self)
        }
    }

    private static func offsetFault(_ event: TraceEvent, _ exchange: ContentExchange) -> ContentFault? {
        let offsets = [event.facts.integer(.offset), event.argument.flatMap { Int($0) }].compactMap(\.self)
        let (wanted, reason): (Int, String)
        if exchange.status == 206, let range = exchange.range {
            (wanted, reason) = (range.first, "Content-Range was \(WireText.quoted(range.bytes)) (RFC 9110 §14.4)")
        } else if exchange.status == 200 {
            (wanted, reason) = (0, "a 200 has the whole from its beginning (RFC 9110 §15.3.1)")
        } else {
            return nil
        }
        guard let got = offsets.first(where: { $0 != wanted }) else { return nil }
        return ContentFault(
            event: event, field: "offset", wanted: "\(wanted)", got: "\(got)", reason: reason, rule: 36)
    }

    /// Of the whole file; below 1 where it is not known.
    private static func expectedFault(_ event: TraceEvent, _ exchange: ContentExchange) -> ContentFault? {
        let length = exchange.status == 206 ? exchange.range?.length : exchange.contentLength
        guard let got = event.facts.integer(.expected), got > 0, let length, got != length,
            exchange.plainContent != nil
        else { return nil }
        return ContentFault(
            event: event, field: "expected", wanted: "\(length)", got: "\(got)",
            reason: "the server announced a whole of \(WireText.count(length, "byte"))", rule: 36)
    }
}
