import ProctorHTTP
import ProctorTrace

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

    /// Of whose uploads totals are told.
    private static let families: Set<CallbackFamily> = [.US, .UD, .HT, .UC]

    private static func sumFault(
        _ event: TraceEvent, total: Int, last: Int?, _ load: ContentLoad
    ) -> ContentFault? {
        let n = event.facts.integer(.n)
        let before = last ?? 0
        // Without the wire nobody knows whether the body went out again in silence.
        if !load.knowsWire, let n, total == n { return nil }
        if total < before {
            return fault(
                event, "total", "at least \(before)", "\(total)", "it was \(before) before, and nothing was sent again")
        }
        guard let n, before.addingReportingOverflow(n).partialValue != total else { return nil }
        return fault(event, "total", "\(before &+ n)", "\(total)", "it was \(before) before, and n is \(n)")
    }

    private static func limitFault(_ event: TraceEvent, total: Int) -> ContentFault? {
        guard let expected = event.facts.integer(.expected), expected > 0, total > expected else { return nil }
        return fault(event, "total", "at most \(expected)", "\(total)", "expected says that there is no more")
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
                event, "total", "at most \(limit)", "\(total)",
                "the \(WireText.count(uploads.count, "request")) with a body had no more")
        }
        guard uploads.count == 1, case .length(let length) = uploads[0].request.head.framing,
            let expected = event.facts.integer(.expected), expected > 0, expected != length
        else { return nil }
        return fault(
            event, "expected", "\(length)", "\(expected)", "Content-Length of the request was that (RFC 9110 §8.6)")
    }

    private static func fault(
        _ event: TraceEvent, _ field: String, _ wanted: String, _ got: String, _ reason: String
    ) -> ContentFault {
        ContentFault(event: event, field: field, wanted: wanted, got: got, reason: reason, rule: 23)
    }
}

extension WireRecord.SeenRequest {
    /// Of the content, as announced or as counted; nil where it is not known.
    fileprivate var bodyLength: Int? {
        switch head.framing {
        case .none: 0
        case .length(let byteCount): byteCount
        case .chunked: content.flatMap { $0.isComplete ? $0.byteCount : nil }
        }
    }
}
