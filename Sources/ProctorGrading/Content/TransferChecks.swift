import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

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
                if load.family == .download { before = Before(total: 0) }
            case .progress:
                let exchange = load.exchange(before: index)
                if load.family == .download {
                    if let fault = received(event, exchange, before: &before) { faults.append(fault) }
                } else {
                    faults += told(event, exchange, before: &before)
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
        _ event: TraceEvent, _ exchange: ContentExchange?, before: inout Before
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
            return fault(
                event, "total", wanted: "at least \(last)", got: "\(total)",
                reason: "it was \(last) before, and never goes back")
        }
        guard let n, last.addingReportingOverflow(n).partialValue != total else { return nil }
        return fault(
            event, "total", wanted: "\(last &+ n)", got: "\(total)", reason: "it was \(last) before, and n is \(n)")
    }

    private static func limitFault(
        _ event: TraceEvent, total: Int, expected: Int, _ exchange: ContentExchange?
    ) -> ContentFault? {
        guard exchange == nil || exchange?.plainContent != nil else { return nil }
        if expected > 0, total > expected {
            return fault(
                event, "total", wanted: "at most \(expected)", got: "\(total)",
                reason: "expected says that there is no more")
        }
        guard let limit = exchange.flatMap(sent), total > limit else { return nil }
        return fault(event, "total", wanted: "at most \(limit)", got: "\(total)", reason: "the server sent no more")
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
        return fault(
            event, "expected", wanted: "\(right[0])", got: "\(expected)", reason: "the server announced that length")
    }

    /// NSURLDownload tells how many bytes came, and no totals.
    private static func received(
        _ event: TraceEvent, _ exchange: ContentExchange?, before: inout Before
    ) -> ContentFault? {
        guard let n = event.facts.integer(.n) else { return nil }
        let isBeyond = before.isBegun && before.total == nil
        before = Before(total: before.total.map { $0 &+ n }, isBegun: true)
        guard !isBeyond, let total = before.total, let sent = exchange?.plainContent?.byteCount, total > sent,
            exchange?.status != 206
        else { return nil }
        before.total = nil
        return fault(
            event, "n", wanted: "at most \(max(0, sent - (total - n)))", got: "\(n)",
            reason: "the server sent \(sent) bytes in all")
    }

    private static func fault(
        _ event: TraceEvent, _ field: String, wanted: String, got: String, reason: String
    ) -> ContentFault {
        ContentFault(event: event, field: field, wanted: wanted, got: got, reason: reason, rule: 34)
    }
}

/// The totals of `bodySent`: sums within one transmission, and never more than the body has (R23).
enum UploadCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard !load.isPartial, families.contains(load.family) else { return [] }
        var faults: [ContentFault] = []
        var last: Int?
        /// Whether the body may have been begun anew, so that totals may go on or start over.
        var isResent = (load.uploads?.count ?? 0) > 1
        for event in load.events {
            switch event.name {
            case .redirect, .challenge, .needBodyStream:
                if last != nil || event.facts.integer(.offset) ?? 0 > 0 { isResent = true }
            case .bodySent:
                guard let total = event.facts.integer(.total) else { continue }
                if !isResent {
                    faults += [sumFault(event, total: total, last: last, load), limitFault(event, total: total)]
                        .compactMap(\.self)
                }
                if let fault = lengthFault(event, total: total, load) { faults.append(fault) }
                last = total
            default: break
            }
        }
        return faults
    }

    /// The families whose callbacks tell totals of uploads.
    private static let families: Set<CallbackFamily> = [.sessionData, .sessionDownload, .sessionHandler, .connection]

    private static func sumFault(
        _ event: TraceEvent, total: Int, last: Int?, _ load: ContentLoad
    ) -> ContentFault? {
        let n = event.facts.integer(.n)
        let before = last ?? 0
        // Without the wire it is unknown whether the body was sent again without a callback.
        if !load.knowsWire, let n, total == n { return nil }
        if total < before {
            return fault(
                event, "total", wanted: "at least \(before)", got: "\(total)",
                reason: "it was \(before) before, and nothing was sent again")
        }
        guard let n, before.addingReportingOverflow(n).partialValue != total else { return nil }
        return fault(
            event, "total", wanted: "\(before &+ n)", got: "\(total)", reason: "it was \(before) before, and n is \(n)")
    }

    private static func limitFault(_ event: TraceEvent, total: Int) -> ContentFault? {
        guard let expected = event.facts.integer(.expected), expected > 0, total > expected else { return nil }
        return fault(
            event, "total", wanted: "at most \(expected)", got: "\(total)",
            reason: "expected says that there is no more")
    }

    /// What all requests of the load together announced, or had.
    private static func lengthFault(_ event: TraceEvent, total: Int, _ load: ContentLoad) -> ContentFault? {
        guard let uploads = load.uploads, !uploads.isEmpty else { return nil }
        var limit = 0
        for upload in uploads {
            guard let length = upload.request.bodyLength else { return nil }
            limit += length
        }
        if total > limit {
            return fault(
                event, "total", wanted: "at most \(limit)", got: "\(total)",
                reason: "the \(Plural.count(uploads.count, "request")) with a body had no more")
        }
        guard uploads.count == 1, case .length(let length) = uploads[0].request.head.framing,
            let expected = event.facts.integer(.expected), expected > 0, expected != length
        else { return nil }
        return fault(
            event, "expected", wanted: "\(length)", got: "\(expected)",
            reason: "Content-Length of the request was that (RFC 9110 §8.6)")
    }

    private static func fault(
        _ event: TraceEvent, _ field: String, wanted: String, got: String, reason: String
    ) -> ContentFault {
        ContentFault(event: event, field: field, wanted: wanted, got: got, reason: reason, rule: 23)
    }
}

extension WireRecord.SeenRequest {
    /// The length of the content, as announced or as counted; nil where it is not known.
    fileprivate var bodyLength: Int? {
        switch head.framing {
        case .none: 0
        case .length(let byteCount): byteCount
        case .chunked: content.flatMap { $0.isComplete ? $0.byteCount : nil }
        }
    }
}

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
            reason: "the server announced a whole of \(Plural.count(length, "byte"))", rule: 36)
    }
}
