import ProctorHTTP
import ProctorScenario
import ProctorTrace

/// The totals of `progress`: they are sums, never go back, and never go beyond what is expected or was sent (R34).
enum ProgressCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard load.family.isDownload, !load.isPartial else { return [] }
        var faults: [ContentFault] = []
        var before = Before(total: load.program?.resume == nil ? 0 : nil)
        for (index, event) in load.events.enumerated() {
            switch event.name {
            case .downloadResumed:
                before = Before(total: offset(event, load.exchange(before: index)))
            case .response, .redirect, .challenge:
                if load.family == .DL { before = Before(total: 0) }
            case .progress:
                let exchange = load.exchange(before: index)
                if load.family == .DL {
                    if let fault = received(event, exchange, &before) { faults.append(fault) }
                } else {
                    faults += told(event, exchange, &before)
                }
            default: break
            }
        }
        return faults
    }

    /// Where a download goes on; what the event says is wrong of it is told there, and not again with each total.
    private static func offset(_ event: TraceEvent, _ exchange: ContentExchange?) -> Int? {
        exchange?.range?.first ?? event.facts.integer(.offset) ?? event.argument.flatMap { Int($0) }
    }

    /// What the callbacks before made of it.
    private struct Before {
        /// nil where they did not say it.
        var total: Int?
        var isBegun = false
    }

    private static func told(
        _ event: TraceEvent, _ exchange: ContentExchange?, _ before: inout Before
    ) -> [ContentFault] {
        guard let total = event.facts.integer(.total) else {
            before.total = nil
            return []
        }
        let n = event.facts.integer(.n)
        let expected = event.facts.integer(.expected) ?? -1
        let last = before.total
        before = Before(total: total, isBegun: true)
        return [
            sumFault(event, n: n, total: total, last: last),
            limitFault(event, total: total, expected: expected, exchange),
            expectedFault(event, expected: expected, exchange),
        ].compactMap(\.self)
    }

    private static func sumFault(_ event: TraceEvent, n: Int?, total: Int, last: Int?) -> ContentFault? {
        guard let last else { return nil }
        if total < last {
            return fault(event, "total", "at least \(last)", "\(total)", "it was \(last) before, and never goes back")
        }
        guard let n, last.addingReportingOverflow(n).partialValue != total else { return nil }
        return fault(event, "total", "\(last &+ n)", "\(total)", "it was \(last) before, and n is \(n)")
    }

    private static func limitFault(
        _ event: TraceEvent, total: Int, expected: Int, _ exchange: ContentExchange?
    ) -> ContentFault? {
        guard exchange == nil || exchange?.plainContent != nil else { return nil }
        if expected > 0, total > expected {
            return fault(event, "total", "at most \(expected)", "\(total)", "expected says that there is no more")
        }
        guard let limit = exchange.flatMap(sent), total > limit else { return nil }
        return fault(event, "total", "at most \(limit)", "\(total)", "the server sent no more")
    }

    /// The last byte that was sent, as a position in the file.
    private static func sent(_ exchange: ContentExchange) -> Int? {
        guard let content = exchange.plainContent else { return nil }
        guard exchange.status == 206 else { return content.byteCount }
        return exchange.range.map { $0.first + content.byteCount }
    }

    private static func expectedFault(
        _ event: TraceEvent, expected: Int, _ exchange: ContentExchange?
    ) -> ContentFault? {
        guard expected > 0, let exchange, exchange.plainContent != nil, let length = exchange.contentLength else {
            return nil
        }
        // Of a 206 the whole file counts, or the part alone.
        let right = [length, exchange.range?.length, exchange.range.map { $0.first + length }].compactMap(\.self)
        guard !right.contains(expected) else { return nil }
        return fault(event, "expected", "\(right[0])", "\(expected)", "the server announced that length")
    }

    /// NSURLDownload tells how many bytes came, and no totals.
    private static func received(
        _ event: TraceEvent, _ exchange: ContentExchange?, _ before: inout Before
    ) -> ContentFault? {
        guard let n = event.facts.integer(.n) else { return nil }
        let isBeyond = before.isBegun && before.total == nil
        before = Before(total: before.total.map { $0 &+ n }, isBegun: true)
        guard !isBeyond, let total = before.total, let sent = exchange?.plainContent?.byteCount, total > sent,
            exchange?.status != 206
        else { return nil }
        before.total = nil
        return fault(
            event, "n", "at most \(max(0, sent - (total - n)))", "\(n)", "the server sent \(sent) bytes in all")
    }

    private static func fault(
        _ event: TraceEvent, _ field: String, _ wanted: String, _ got: String, _ reason: String
    ) -> ContentFault {
        ContentFault(event: event, field: field, wanted: wanted, got: got, reason: reason, rule: 34)
    }
}
