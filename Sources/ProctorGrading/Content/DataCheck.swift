import ProctorHTTP
import ProctorTrace

/// The bytes of `data`, in order and all of them, against the content of the reply (R30).
enum DataCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        // What a download brings goes into its file.
        guard !load.isPartial, !load.family.isDownload else { return [] }
        var faults: [ContentFault] = []
        var body: (exchange: ContentExchange, match: ContentMatch)?
        var dataCount = 0
        /// Data that came before any response belongs to none (R25).
        var isEarly = false
        var hasResponse = false
        for (index, event) in load.events.enumerated() {
            switch event.name {
            case .response where event.lane != .harness:
                body = isEarly ? nil : begin(index, event, load)
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
                    exchange.isWhole,
                    !load.isCancelled(before: index), dataCount > 0 || load.tellsData
                else { continue }
                faults.append(
                    ContentFault(
                        event: event, field: "bytes of data", wanted: "\(sent)", got: "\(match.byteCount)",
                        reason: "the server sent a content of \(WireText.count(sent, "byte"))", rule: 30))
            default: break
            }
        }
        return faults
    }

    private static func begin(
        _ index: Int, _ event: TraceEvent, _ load: ContentLoad
    ) -> (exchange: ContentExchange, match: ContentMatch)? {
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
            ContentFault(
                event: event, field: "bytes", wanted: "at most \(max(0, sent - first))", got: "\(count)",
                reason: "the server sent a content of \(WireText.count(sent, "byte")), and \(first) came before",
                rule: sent == 0 ? 31 : 30)
        case .otherBytes(let sent):
            ContentFault(
                event: event, field: "bytes", wanted: WireText.quoted(sent, limit: 60),
                got: "\(WireText.count(count, "byte")) that differ (crc32 \(event.facts.integer(.crc32) ?? 0))",
                reason: "the server sent that as byte \(first) and those behind it", rule: 30)
        }
    }
}
