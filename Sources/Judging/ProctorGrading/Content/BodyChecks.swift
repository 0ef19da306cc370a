import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// Compares a whole body with the content of the reply: from a handler or an `await`, a finished file, or a `result`.
///
/// The body of a `result` is compared in every case; after a failed load it must be the beginning of the sent content.
enum BodyCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        let course = Course(load)
        return load.events.indices.compactMap { index in
            let event = load.events[index]
            guard isBody(event), event.name != .result || !course.isBroken(before: index),
                event.name == .result && !load.family.isDownload || !load.isCancelled(before: index),
                let count = count(event), let served = served(event, at: index, load),
                // A decoded file differs from the sent bytes; only a file that is not decoded must be equal to them.
                !course.mayBeDecoded
            else { return nil }
            let isWhole = isWhole(event) && !load.isCancelled(before: index)
            return fault(event, count, served: served, isWhole: isWhole, isDownload: load.family.isDownload)
        }
    }

    /// Whether the event contains content of the load.
    private static func isBody(_ event: TraceEvent) -> Bool {
        switch event.name {
        case .handler, .awaited: event.argument == "ok" && event.facts.text(.sel)?.contains(text: "ResumeData") != true
        case .fileReady, .result: true
        default: false
        }
    }

    /// Whether the event must contain all the content of a successful load.
    private static func isWhole(_ event: TraceEvent) -> Bool {
        event.name != .result || event.facts[.error] == nil && event.facts[.message] == nil
    }

    /// The first positions of callbacks that show whether the results of a load lack content.
    private struct Course {
        let mayBeDecoded: Bool
        private let isDownload: Bool
        private var first: Int?
        private var file: Int?
        private var data: Int?
        private var response: Int?

        init(_ load: ContentLoad) {
            isDownload = load.family == .sessionDownload || load.family == .connectionDownload
            var mayBeDecoded = false
            for (index, event) in load.events.enumerated() {
                if event.name == .shouldDecode, event.facts[.accepts] != .flag(false) { mayBeDecoded = true }
                guard event.lane == .task else { continue }
                first = first ?? index
                switch event.name {
                case .fileReady: file = file ?? index
                case .data: data = data ?? index
                case .response: response = response ?? index
                default: break
                }
            }
            self.mayBeDecoded = mayBeDecoded
        }

        /// Whether a result must lack content: a download did not report its file, or data came before a response (R25,
        /// R35).
        func isBroken(before index: Int) -> Bool {
            if isDownload { return (first ?? index) < index && (file ?? index) >= index }
            guard let data, data < index else { return false }
            return (response ?? data) >= data
        }
    }

    private static func served(_ event: TraceEvent, at index: Int, _ load: ContentLoad) -> ServedContent? {
        if event.name == .fileReady {
            guard let status = load.latestExchange(before: index)?.status ?? load.statusTold else { return nil }
            return ServedContent(
                of: load.exchange(before: index, status: status), status: status, url: nil, in: load)
        }
        guard let status = load.statusOfResult(event, at: index) else { return nil }
        let exchange = load.exchange(before: index, status: status)
        return ServedContent(of: exchange, status: status, url: event.facts.text(.url), in: load)
    }

    private static func count(_ event: TraceEvent) -> Int? {
        (event.facts.integer(.bytes) ?? event.keptBody?.count).map { max(0, $0) }
    }

    /// The body in the event; nil also when the event has another byte count, which ``KeptBodyCheck`` reports.
    private static func kept(_ event: TraceEvent) -> [UInt8]? {
        guard let bytes = event.keptBody, let count = event.facts.integer(.bytes) else { return event.keptBody }
        return count == bytes.count ? bytes : nil
    }

    // MARK: Faults

    private static func fault(
        _ event: TraceEvent, _ count: Int, served: ServedContent, isWhole: Bool, isDownload: Bool
    ) -> ContentFault? {
        let bytes = kept(event)
        let field = event.name == .result && bytes != nil ? "body" : "bytes"
        let rule = isDownload ? 34 : 30
        let counts = served.forms.map(\.byteCount)
        func countFault(_ wanted: Int, rule: Int) -> ContentFault? {
            event.fault(
                field, wanted: Plural.count(wanted, "byte"), got: Plural.count(count, "byte"),
                reason: "that was the whole content that the server sent", rule: rule)
        }
        let roomy = served.forms.filter { count <= $0.byteCount }
        guard let form = roomy.first else {
            // Bytes that are not the content may be reported together with a failure.
            guard isWhole else { return nil }
            return countFault(counts[0], rule: counts[0] == 0 && !isDownload ? 31 : rule)
        }
        guard let right = roomy.first(where: { isRight(event, count, bytes, as: $0) }) else {
            let span = bytes.flatMap { form.difference(from: $0) } ?? form.spans.first
            if let span, let bytes, span.isOther(behindIn: bytes), bytes[span.range].elementsEqual(span.bytes) {
                return event.fault(
                    field, wanted: "other bytes behind byte \(span.range.upperBound - 1)",
                    got: WireText.quoted(bytes[span.range.upperBound...], limit: 60),
                    reason: "the server sent a content with another hash", rule: rule)
            }
            let sent = span?.bytes.prefix(count) ?? []
            let place = span.map { $0.first > 0 ? " from byte \($0.first) on" : "" } ?? ""
            let got = bytes.map { WireText.quoted($0[min(span?.first ?? 0, $0.count)...], limit: 60) }
            return event.fault(
                field, wanted: WireText.quoted(sent, limit: 60) + place,
                got: got ?? "\(Plural.count(count, "byte")) that differ", reason: "the server sent that", rule: rule)
        }
        guard isWhole, served.isWhole, !counts.contains(count) else { return nil }
        return countFault(right.byteCount, rule: rule)
    }

    private static func isRight(
        _ event: TraceEvent, _ count: Int, _ bytes: [UInt8]?, as form: ServedContent.Form
    ) -> Bool {
        if let bytes { return form.difference(from: bytes) == nil }
        guard let crc32 = event.facts.integer(.crc32), let sent = form.beginning(count) else { return true }
        return crc32 == Int(CRC32.checksum(of: sent))
    }
}

/// Compares the bytes of `data` events with the content of the reply: in order and complete (R30).
enum DataCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        // A download writes its bytes into a file and reports no `data`.
        guard !load.isPartial, !load.family.isDownload else { return [] }
        var faults: [ContentFault] = []
        var body: ContentMatch?
        var dataCount = 0
        /// Whether data came before any response (R25).
        var isEarly = false
        var hasResponse = false
        for (index, event) in load.events.enumerated() {
            switch event.name {
            case .response where event.lane != .harness:
                body = isEarly ? nil : match(index, event, load: load)
                dataCount = 0
                hasResponse = true
            case .redirect, .cacheValidated, .becameDownload, .becameStream: body = nil
            case .data:
                dataCount += 1
                isEarly = isEarly || !hasResponse
                guard let count = event.facts.integer(.bytes) ?? event.facts.integer(.n) else {
                    body = nil
                    continue
                }
                let first = body?.byteCount ?? 0
                guard let mistake = body?.append(count, crc32: event.facts.integer(.crc32)) else { continue }
                faults.append(fault(mistake, event, first: first, count: count))
                body = nil
            case .complete:
                defer { body = nil }
                guard event.argument == URLErrorName.success, let match = body, let sent = match.missing,
                    match.isWhole, !load.isCancelled(before: index), dataCount > 0 || load.tellsData
                else { continue }
                faults.append(
                    event.fault(
                        "bytes of data", wanted: "\(sent)", got: "\(match.byteCount)",
                        reason: "the server sent a content of \(Plural.count(sent, "byte"))", rule: 30))
            default: break
            }
        }
        return faults
    }

    private static func match(_ index: Int, _ event: TraceEvent, load: ContentLoad) -> ContentMatch? {
        guard let status = event.statusOfArgument else { return nil }
        let exchange = load.exchange(before: index, status: status)
        return ContentMatch(
            exchange.map { [$0] } ?? ServedContent.exchanges(status: status, url: event.facts.text(.url), in: load)
                ?? [])
    }

    private static func fault(
        _ mistake: ContentMatch.Mistake, _ event: TraceEvent, first: Int, count: Int
    ) -> ContentFault {
        switch mistake {
        case .beyond(let sent):
            event.fault(
                "bytes", wanted: "at most \(max(0, sent - first))", got: "\(count)",
                reason: "the server sent a content of \(Plural.count(sent, "byte")), and \(first) came before",
                rule: sent == 0 ? 31 : 30)
        case .otherBytes(let sent):
            event.fault(
                "bytes", wanted: WireText.quoted(sent, limit: 60),
                got: "\(Plural.count(count, "byte")) that differ (crc32 \(event.facts.integer(.crc32) ?? 0))",
                reason: "the server sent that as byte \(first) and those behind it", rule: 30)
        }
    }
}

/// Compares bytes that a client reports in parts with the bytes that the server sent.
///
/// The sent content may be known with and without codings, and may be that of any of several replies or parts; a client
/// uses one form for all its parts.
struct ContentMatch {
    private var forms: [SentContent]
    private(set) var byteCount = 0
    /// Whether every one of the replies was sent completely.
    let isWhole: Bool

    /// nil when the content of a reply is unknown, and when there is no reply.
    init?(_ exchanges: [SeenExchange]) {
        guard !exchanges.isEmpty, exchanges.allSatisfy({ $0.parts != nil && !$0.forms.isEmpty }) else { return nil }
        forms = exchanges.flatMap(\.forms)
        isWhole = exchanges.allSatisfy(\.isWhole)
    }

    enum Mistake {
        /// The sent content ends before the reported bytes do; `sent` is its byte count.
        case beyond(sent: Int)
        case otherBytes(sent: ArraySlice<UInt8>)
    }

    /// Adds the next reported bytes: their count and, where it is known, their checksum.
    mutating func append(_ count: Int, crc32: Int? = nil) -> Mistake? {
        // A trace may contain any number, so the sum may overflow.
        let (sum, isOver) = byteCount.addingReportingOverflow(max(0, count))
        let range = byteCount..<(isOver ? .max : sum)
        byteCount = range.upperBound
        let roomy = forms.filter { range.upperBound <= $0.byteCount }
        guard !roomy.isEmpty else { return .beyond(sent: forms.first?.byteCount ?? 0) }
        let equal = roomy.filter { form in
            guard range.upperBound <= form.kept.count else { return true }
            let sent = form.kept[range]
            return crc32.map { $0 == Int(CRC32.checksum(of: sent)) } ?? true
        }
        guard !equal.isEmpty else { return .otherBytes(sent: roomy[0].kept[range]) }
        forms = equal
        return nil
    }

    /// The byte count of the sent content when the client has not received all bytes of any form; nil when it has.
    var missing: Int? { forms.contains { $0.byteCount == byteCount } ? nil : forms.map(\.byteCount).min() }
}
