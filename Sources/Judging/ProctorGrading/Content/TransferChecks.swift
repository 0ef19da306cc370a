import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorProgram
import ProctorScenario

/// Checks the totals of `progress`: they are sums, never decrease, and never exceed the expected or sent byte count
/// (R34).
enum ProgressCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard load.family.isDownload, !load.isPartial else { return [] }
        var faults: [ContentFault] = []
        var before = Before(total: load.program?.resume == nil ? 0 : nil)
        for (index, event) in load.events.enumerated() {
            switch event.name {
            case .downloadResumed: before = Before(total: offset(event, load.latestExchange(before: index)))
            case .response, .redirect, .challenge: if load.family == .download { before = Before(total: 0) }
            case .progress:
                let exchange = load.latestExchange(before: index)
                if load.family == .download {
                    if let fault = pieceFault(event, exchange, before: &before) { faults.append(fault) }
                } else {
                    faults += totalFaults(event, exchange, before: &before)
                }
            case .complete where load.family == .download && event.argument == URLErrorName.success:
                if let fault = receivedFault(event, load.latestExchange(before: index), before) { faults.append(fault) }
            default: break
            }
        }
        return faults
    }

    /// The offset of a resumed download, which the totals include; a wrong offset is reported only by `ResumeCheck`.
    private static func offset(_ event: TraceEvent, _ exchange: SeenExchange?) -> Int? {
        exchange?.range?.first ?? event.facts.integer(.offset) ?? event.argument.flatMap { Int($0) }
    }

    /// The totals of the callbacks before this one.
    private struct Before {
        var total: Int?
        var isBegun = false
    }

    private static func totalFaults(
        _ event: TraceEvent, _ exchange: SeenExchange?, before: inout Before
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
            last.flatMap { event.sumFault(n: n, total: total, after: $0, why: "never goes back", rule: 34) },
            limitFault(event, total: total, expected: expected, exchange),
            expectedFault(event, expected: expected, exchange),
        ].compactMap(\.self)
    }

    private static func limitFault(
        _ event: TraceEvent, total: Int, expected: Int, _ exchange: SeenExchange?
    ) -> ContentFault? {
        guard exchange == nil || exchange?.plainContent != nil else { return nil }
        if let fault = event.limitFault(total: total, expected: expected, rule: 34) { return fault }
        guard let limit = exchange.flatMap(sent), total > limit else { return nil }
        return event.fault(
            "total", wanted: "at most \(limit)", got: "\(total)", reason: "the server sent no more", rule: 34)
    }

    /// The position in the file after the last sent byte.
    private static func sent(_ exchange: SeenExchange) -> Int? {
        guard let content = exchange.plainContent else { return nil }
        guard exchange.status == 206 else { return content.byteCount }
        return exchange.range.map { $0.first + content.byteCount }
    }

    private static func expectedFault(
        _ event: TraceEvent, expected: Int, _ exchange: SeenExchange?
    ) -> ContentFault? {
        guard let exchange, exchange.plainContent != nil, let length = exchange.contentLength else { return nil }
        guard expected > 0 else {
            guard event.family == .sessionDownload, exchange.status == 200 || exchange.status == 206, length > 0 else {
                return nil
            }
            return event.fault(
                "expected", wanted: "\(length)", got: "\(expected)",
                reason: "Content-Length was that (URLSessionDownloadDelegate reference)", rule: 34)
        }
        // For a 206, the length of the whole file or of the part is right.
        let right = [length, exchange.range?.length, exchange.range.map { $0.first + length }].compactMap(\.self)
        guard !right.contains(expected) else { return nil }
        return event.fault(
            "expected", wanted: "\(right[0])", got: "\(expected)", reason: "the server announced that length", rule: 34)
    }

    /// The totals of a successful download must reach all of the content, which begins anew with each part of
    /// multipart/x-mixed-replace (R26).
    private static func receivedFault(
        _ event: TraceEvent, _ exchange: SeenExchange?, _ before: Before
    ) -> ContentFault? {
        guard before.isBegun, let total = before.total, let exchange, exchange.isWhole, exchange.status != 206,
            let sent = (exchange.isMixedReplace ? exchange.parts?.last?.content : exchange.plainContent)?.byteCount,
            total < sent
        else { return nil }
        return event.fault(
            "n", wanted: "\(sent)", got: "\(total)", reason: "the server sent \(sent) bytes in all", rule: 34)
    }

    private static func pieceFault(
        _ event: TraceEvent, _ exchange: SeenExchange?, before: inout Before
    ) -> ContentFault? {
        guard let n = event.facts.integer(.n) else { return nil }
        let isBeyond = before.isBegun && before.total == nil
        before = Before(total: before.total.map { $0 &+ n }, isBegun: true)
        guard !isBeyond, let total = before.total, let sent = exchange?.plainContent?.byteCount, total > sent,
            exchange?.status != 206
        else { return nil }
        before.total = nil
        return event.fault(
            "n", wanted: "at most \(max(0, sent - (total - n)))", got: "\(n)",
            reason: "the server sent \(sent) bytes in all", rule: 34)
    }
}

/// Checks the totals of `bodySent`: sums within one transmission, and never more than the body has (R23).
enum UploadCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard !load.isPartial, families.contains(load.family) else { return [] }
        let uploads = load.uploads
        var faults: [ContentFault] = []
        var last: Int?
        /// Whether the body may have been sent again, so that totals may continue or start again.
        var isResent = (uploads?.count ?? 0) > 1
        let limit = uploads.flatMap { Self.limit(of: $0) }
        for event in load.events {
            switch event.name {
            case .redirect, .challenge, .needBodyStream:
                if last != nil || event.facts.integer(.offset) ?? 0 > 0 { isResent = true }
            case .bodySent:
                guard let total = event.facts.integer(.total) else { continue }
                if !isResent {
                    faults += [
                        sumFault(event, total: total, last: last, load),
                        event.limitFault(total: total, expected: event.facts.integer(.expected) ?? -1, rule: 23),
                    ].compactMap(\.self)
                }
                if let limit, let uploads {
                    faults += [
                        lengthFault(
                            event, total: total, limit: limit, uploads, isOfKnownLength: load.givesLengthOfBody),
                        windowFault(event, total: total, uploads),
                    ].compactMap(\.self)
                }
                last = total
            case .complete:
                if let last, !isResent, let fault = endFault(event, last: last, load) { faults.append(fault) }
            default: break
            }
        }
        return faults
    }

    private static let families: Set<CallbackFamily> = [.sessionData, .sessionDownload, .sessionHandler, .connection]

    /// The total can't exceed what the stream's flow-control windows had permitted by then (RFC 9113 §6.9.1).
    private static func windowFault(_ event: TraceEvent, total: Int, _ uploads: [SeenExchange]) -> ContentFault? {
        guard uploads.count == 1, let windows = uploads[0].windows, let time = event.nanoseconds else { return nil }
        let limit = windows.byteCount(before: time.addingReportingOverflow(CaseGrading.clockBound).partialValue)
        guard total > limit else { return nil }
        return event.fault(
            "total", wanted: "at most \(limit)", got: "\(total)",
            reason: "the window of the stream let no more out by then (RFC 9113 §6.9.1)", rule: 23)
    }

    private static func sumFault(_ event: TraceEvent, total: Int, last: Int?, _ load: ContentLoad) -> ContentFault? {
        let n = event.facts.integer(.n)
        // Without the journal, the body may have been sent again without a callback.
        if !load.knowsWire, let n, total == n { return nil }
        return event.sumFault(n: n, total: total, after: last ?? 0, why: "nothing was sent again", rule: 23)
    }

    /// When a load succeeds with a 2xx after the whole body arrived, the totals must reach all of its bytes.
    private static func endFault(_ event: TraceEvent, last: Int, _ load: ContentLoad) -> ContentFault? {
        guard event.argument == URLErrorName.success, let uploads = load.uploads, uploads.count == 1,
            let length = uploads[0].content.flatMap({ $0.isComplete ? $0.byteCount : nil }), last < length,
            let status = uploads[0].status, 200..<300 ~= status
        else { return nil }
        return event.fault(
            "total", wanted: "\(length)", got: "\(last)", reason: "the server received that many bytes", rule: 23)
    }

    /// The sum of the announced or received lengths of all requests of the load; nil when one is unknown.
    private static func limit(of uploads: [SeenExchange]) -> Int? {
        guard !uploads.isEmpty else { return nil }
        var limit = 0
        for upload in uploads {
            guard let length = upload.bodyLength else { return nil }
            limit += length
        }
        return limit
    }

    private static func lengthFault(
        _ event: TraceEvent, total: Int, limit: Int, _ uploads: [SeenExchange], isOfKnownLength: Bool
    ) -> ContentFault? {
        if total > limit {
            return event.fault(
                "total", wanted: "at most \(limit)", got: "\(total)",
                reason: "the \(Plural.count(uploads.count, "request")) with a body had no more", rule: 23)
        }
        guard uploads.count == 1, let expected = event.facts.integer(.expected) else { return nil }
        if expected <= 0, isOfKnownLength, let length = uploads[0].bodyLength, length > 0 {
            return event.fault(
                "expected", wanted: "\(length)", got: "\(expected)",
                reason: "the program gave the body as bytes or as a file, whose length is known "
                    + "(URLSessionTaskDelegate reference)", rule: 23)
        }
        guard case .length(let length) = uploads[0].head.framing, expected > 0, expected != length else { return nil }
        return event.fault(
            "expected", wanted: "\(length)", got: "\(expected)",
            reason: "Content-Length of the request was that (RFC 9110 §8.6)", rule: 23)
    }
}

extension TraceEvent {
    /// The fault of a total to which `n` was added since it was `last`; `why` is the reason why it cannot be less.
    fileprivate func sumFault(n: Int?, total: Int, after last: Int, why: String, rule: Int) -> ContentFault? {
        if total < last {
            return fault(
                "total", wanted: "at least \(last)", got: "\(total)", reason: "it was \(last) before, and \(why)",
                rule: rule)
        }
        guard let n, last.addingReportingOverflow(n).partialValue != total else { return nil }
        return fault(
            "total", wanted: "\(last &+ n)", got: "\(total)", reason: "it was \(last) before, and n is \(n)", rule: rule
        )
    }

    /// The fault of a total above the expected count in the same event; a count below 1 is unknown.
    fileprivate func limitFault(total: Int, expected: Int, rule: Int) -> ContentFault? {
        guard expected > 0, total > expected else { return nil }
        return fault(
            "total", wanted: "at most \(expected)", got: "\(total)", reason: "expected says that there is no more",
            rule: rule)
    }
}

/// Compares the offset of a resumed download with the reply's Content-Range (RFC 9110 §14.4, R36).
enum ResumeCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.flatMap { index -> [ContentFault] in
            let event = load.events[index]
            guard event.name == .downloadResumed, let exchange = load.latestExchange(before: index) else { return [] }
            return [offsetFault(event, exchange), expectedFault(event, exchange)].compactMap(\.self)
        }
    }

    private static func offsetFault(_ event: TraceEvent, _ exchange: SeenExchange) -> ContentFault? {
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
        return event.fault("offset", wanted: "\(wanted)", got: "\(got)", reason: reason, rule: 36)
    }

    /// The expected length of the whole file; it must not be unknown (below 1) when Content-Length was sent.
    private static func expectedFault(_ event: TraceEvent, _ exchange: SeenExchange) -> ContentFault? {
        let length = exchange.status == 206 ? exchange.range?.length : exchange.contentLength
        guard let got = event.facts.integer(.expected), let length, got != length, exchange.plainContent != nil
        else { return nil }
        let isTold = event.family == .sessionDownload && exchange.status == 206 && exchange.contentLength ?? 0 > 0
        guard got > 0 || isTold else { return nil }
        return event.fault(
            "expected", wanted: "\(length)", got: "\(got)",
            reason: "the server announced a whole of \(Plural.count(length, "byte"))", rule: 36)
    }
}
