import ProctorBase
import ProctorHTTP
import ProctorTrace

/// A whole body: what a handler or an `await` gave, a finished file, and the body of a `result`.
enum BodyCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        load.events.indices.compactMap { index in
            let event = load.events[index]
            guard isWhole(event), !load.isCancelled(before: index), !isBroken(load, before: index),
                let count = count(event),
                let exchange = exchange(of: event, at: index, load), !exchange.isMixedReplace,
                // A file may be decoded on its way to the disk.
                !load.events.contains(where: { $0.name == .shouldDecode })
            else { return nil }
            let isResumed = exchange.status == 206 && !load.sets("Range") && load.family.isDownload
            return isResumed
                ? resumedFault(event, count, exchange)
                : fault(event, count, exchange, isDownload: load.family.isDownload)
        }
    }

    /// Whether the event shows all that the client has of a load that ended well.
    private static func isWhole(_ event: TraceEvent) -> Bool {
        switch event.name {
        case .handler, .awaited:
            event.argument == "ok" && event.facts.text(.sel)?.contains("ResumeData") != true
        case .fileReady: true
        case .result: event.facts[.error] == nil && event.facts[.message] == nil
        default: false
        }
    }

    /// Whether a result can't tell what came: a download kept its file, or data had no response to belong to (R25, R35).
    private static func isBroken(_ load: ContentLoad, before index: Int) -> Bool {
        guard load.events[index].name == .result else { return false }
        let told = load.events[..<index].filter { $0.lane == .task }
        switch load.family {
        case .UD, .CD: return !told.isEmpty && !told.contains { $0.name == .fileReady }
        default:
            guard let data = told.firstIndex(where: { $0.name == .data }) else { return false }
            return !told[..<data].contains { $0.name == .response }
        }
    }

    private static func exchange(of event: TraceEvent, at index: Int, _ load: ContentLoad) -> ContentExchange? {
        if event.name == .fileReady { return load.exchange(before: index) }
        return event.facts.integer(.status).flatMap { load.exchange(before: index, status: $0) }
    }

    private static func count(_ event: TraceEvent) -> Int? { event.facts.integer(.bytes) ?? kept(event)?.count }

    /// The bytes themselves, where the event has all of them.
    private static func kept(_ event: TraceEvent) -> [UInt8]? {
        let bytes =
            event.facts.text(.body).map { Array($0.utf8) }
            ?? event.facts.text(.bodyBase64).flatMap { try? Base64Text.decode(Array($0.utf8)) }
        guard let bytes, let count = event.facts.integer(.bytes) else { return bytes }
        return count == bytes.count ? bytes : nil
    }

    // MARK: Faults

    private static func fault(
        _ event: TraceEvent, _ count: Int, _ exchange: ContentExchange, isDownload: Bool
    ) -> ContentFault? {
        guard var match = ContentMatch(exchange) else { return nil }
        let field = event.name == .result && kept(event) != nil ? "body" : "bytes"
        let rule = isDownload ? 34 : 30
        switch match.take(count, crc32: event.facts.integer(.crc32), bytes: kept(event)) {
        case .beyond(let sent)?:
            return ContentFault(
                event: event, field: field, wanted: WireText.count(sent, "byte"), got: WireText.count(count, "byte"),
                reason: "that was the whole content that the server sent",
                rule: sent == 0 && !isDownload ? 31 : rule)
        case .otherBytes(let sent)?:
            let got =
                kept(event).map { WireText.quoted($0, limit: 60) } ?? "\(WireText.count(count, "byte")) that differ"
            return ContentFault(
                event: event, field: field, wanted: WireText.quoted(sent, limit: 60), got: got,
                reason: "the server sent that", rule: rule)
        case nil: break
        }
        guard let sent = match.missing, exchange.isWhole else { return nil }
        return ContentFault(
            event: event, field: field, wanted: WireText.count(sent, "byte"), got: WireText.count(count, "byte"),
            reason: "that was the whole content that the server sent", rule: rule)
    }

    /// What a 206 brought stands behind what there was before.
    private static func resumedFault(_ event: TraceEvent, _ count: Int, _ exchange: ContentExchange) -> ContentFault? {
        guard exchange.isWhole, let range = exchange.range, let content = exchange.plainContent else { return nil }
        let (whole, isBeyond) = range.first.addingReportingOverflow(content.byteCount)
        guard !isBeyond else { return nil }
        guard count == whole else {
            return ContentFault(
                event: event, field: "bytes", wanted: "\(whole)", got: "\(count)",
                reason:
                    "\(WireText.count(content.byteCount, "byte")) came behind byte \(range.first) (RFC 9110 §14.4)",
                rule: 34)
        }
        guard content.isWhole, let bytes = kept(event), bytes.count == whole,
            !bytes[range.first...].elementsEqual(content.kept)
        else { return nil }
        return ContentFault(
            event: event, field: "body",
            wanted: "\(WireText.quoted(content.kept, limit: 60)) from byte \(range.first) on",
            got: WireText.quoted(bytes[range.first...], limit: 60), reason: "the server sent that (RFC 9110 §14.4)",
            rule: 34)
    }
}
