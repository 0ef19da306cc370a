import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// Compares a whole body with the content of the reply: from a handler or an `await`, a finished file, or the body of
/// a `result`.
enum BodyCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        let course = Course(load)
        return load.events.indices.compactMap { index in
            let event = load.events[index]
            guard isWhole(event), !load.isCancelled(before: index),
                event.name != .result || !course.isBroken(before: index),
                let count = count(event), let exchange = exchange(of: event, at: index, load), !exchange.isMixedReplace,
                // A file that may be decoded is not what the server sent; one that is left is, byte for byte.
                !course.mayBeDecoded
            else { return nil }
            let isResumed = exchange.status == 206 && !load.sets("Range") && load.family.isDownload
            return isResumed
                ? resumedFault(event, count, exchange: exchange)
                : fault(event, count, exchange: exchange, isDownload: load.family.isDownload)
        }
    }

    /// Whether the event has all the content of a load that succeeded.
    private static func isWhole(_ event: TraceEvent) -> Bool {
        switch event.name {
        case .handler, .awaited: event.argument == "ok" && event.facts.text(.sel)?.contains(text: "ResumeData") != true
        case .fileReady: true
        case .result: event.facts[.error] == nil && event.facts[.message] == nil
        default: false
        }
    }

    /// Where the callbacks of a load first stand that say whether its results lack content.
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

        /// Whether a result lacks content: a download kept its file, or data had no response to belong to (R25, R35).
        func isBroken(before index: Int) -> Bool {
            if isDownload { return (first ?? index) < index && (file ?? index) >= index }
            guard let data, data < index else { return false }
            return (response ?? data) >= data
        }
    }

    private static func exchange(of event: TraceEvent, at index: Int, _ load: ContentLoad) -> ContentExchange? {
        if event.name == .fileReady { return load.exchange(before: index) }
        return event.facts.integer(.status).flatMap { load.exchange(before: index, status: $0) }
    }

    private static func count(_ event: TraceEvent) -> Int? { event.facts.integer(.bytes) ?? kept(event)?.count }

    private static func kept(_ event: TraceEvent) -> [UInt8]? {
        let bytes =
            event.facts.text(.body).map { Array($0.utf8) }
            ?? event.facts.text(.bodyBase64).flatMap { try? Base64Text.decode(Array($0.utf8)) }
        guard let bytes, let count = event.facts.integer(.bytes) else { return bytes }
        return count == bytes.count ? bytes : nil
    }

    // MARK: Faults

    private static func fault(
        _ event: TraceEvent, _ count: Int, exchange: ContentExchange, isDownload: Bool
    ) -> ContentFault? {
        guard var match = ContentMatch(exchange) else { return nil }
        let field = event.name == .result && kept(event) != nil ? "body" : "bytes"
        let rule = isDownload ? 34 : 30
        switch match.take(count, crc32: event.facts.integer(.crc32), bytes: kept(event)) {
        case .beyond(let sent)?:
            return event.fault(
                field, wanted: Plural.count(sent, "byte"), got: Plural.count(count, "byte"),
                reason: "that was the whole content that the server sent", rule: sent == 0 && !isDownload ? 31 : rule)
        case .otherBytes(let sent)?:
            let got = kept(event).map { WireText.quoted($0, limit: 60) } ?? "\(Plural.count(count, "byte")) that differ"
            return event.fault(
                field, wanted: WireText.quoted(sent, limit: 60), got: got, reason: "the server sent that", rule: rule)
        case nil: break
        }
        guard let sent = match.missing, exchange.isWhole else { return nil }
        return event.fault(
            field, wanted: Plural.count(sent, "byte"), got: Plural.count(count, "byte"),
            reason: "that was the whole content that the server sent", rule: rule)
    }

    /// A file that a 206 completes contains the earlier bytes first.
    private static func resumedFault(_ event: TraceEvent, _ count: Int, exchange: ContentExchange) -> ContentFault? {
        guard exchange.isWhole, let range = exchange.range, let content = exchange.plainContent else { return nil }
        let (whole, isBeyond) = range.first.addingReportingOverflow(content.byteCount)
        guard !isBeyond else { return nil }
        guard count == whole else {
            return event.fault(
                "bytes", wanted: "\(whole)", got: "\(count)",
                reason: "\(Plural.count(content.byteCount, "byte")) came behind byte \(range.first) (RFC 9110 §14.4)",
                rule: 34)
        }
        guard content.isWhole, let bytes = kept(event), bytes.count == whole,
            !bytes[range.first...].elementsEqual(content.kept)
        else { return nil }
        return event.fault(
            "body", wanted: "\(WireText.quoted(content.kept, limit: 60)) from byte \(range.first) on",
            got: WireText.quoted(bytes[range.first...], limit: 60), reason: "the server sent that (RFC 9110 §14.4)",
            rule: 34)
    }
}

/// Compares the bytes of `data` events with the content of the reply: in order and complete (R30).
enum DataCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        // A download writes its bytes into its file.
        guard !load.isPartial, !load.family.isDownload else { return [] }
        var faults: [ContentFault] = []
        var body: (exchange: ContentExchange, match: ContentMatch)?
        var dataCount = 0
        /// Data before any response belongs to none (R25).
        var isEarly = false
        var hasResponse = false
        for (index, event) in load.events.enumerated() {
            switch event.name {
            case .response where event.lane != .harness:
                body = isEarly ? nil : begin(index, event, load: load)
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
                let first = body?.match.byteCount ?? 0
                guard let mistake = body?.match.take(count, crc32: event.facts.integer(.crc32)) else { continue }
                faults.append(fault(mistake, event, first: first, count: count))
                body = nil
            case .complete:
                defer { body = nil }
                guard event.argument == URLErrorName.success, let (exchange, match) = body, let sent = match.missing,
                    exchange.isWhole, !load.isCancelled(before: index), dataCount > 0 || load.tellsData
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

    private static func begin(_ index: Int, _ event: TraceEvent, load: ContentLoad) -> (
        exchange: ContentExchange, match: ContentMatch
    )? {
        guard let status = event.statusOfArgument, let exchange = load.exchange(before: index, status: status),
            !exchange.isMixedReplace
        else { return nil }
        return ContentMatch(exchange).map { (exchange, $0) }
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

/// Compares bytes that a client reports piece by piece with the bytes that the server sent.
///
/// The sent content may be known with and without codings; a client uses one of the two forms for all its pieces.
struct ContentMatch {
    private var forms: [SentContent]
    private let all: [SentContent]
    private(set) var byteCount = 0

    init?(_ exchange: ContentExchange) {
        guard !exchange.contents.isEmpty else { return nil }
        all = exchange.contents
        forms = all
    }

    enum Mistake {
        /// The sent content ends before the piece does; `sent` is its byte count.
        case beyond(sent: Int)
        case otherBytes(sent: ArraySlice<UInt8>)
    }

    /// Takes the next piece: its byte count and, where they are known, its checksum or its bytes.
    mutating func take(_ count: Int, crc32: Int? = nil, bytes: [UInt8]? = nil) -> Mistake? {
        // A trace may hold any number.
        let (sum, isOver) = byteCount.addingReportingOverflow(max(0, count))
        let range = byteCount..<(isOver ? .max : sum)
        byteCount = range.upperBound
        let roomy = forms.filter { range.upperBound <= $0.byteCount }
        guard !roomy.isEmpty else { return .beyond(sent: forms.first?.byteCount ?? 0) }
        let equal = roomy.filter { form in
            guard range.upperBound <= form.kept.count else { return true }
            let sent = form.kept[range]
            if let bytes { return sent.elementsEqual(bytes) }
            return crc32.map { $0 == Int(CRC32.of(sent)) } ?? true
        }
        guard !equal.isEmpty else { return .otherBytes(sent: roomy[0].kept[range]) }
        forms = equal
        return nil
    }

    /// The byte count of the sent content, where the client received all bytes of no form; nil where it received all
    /// of one form.
    var missing: Int? { forms.contains { $0.byteCount == byteCount } ? nil : forms.map(\.byteCount).min() }
}
