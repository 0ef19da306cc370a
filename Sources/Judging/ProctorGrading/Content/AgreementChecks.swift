import ProctorBase
import ProctorEvents
import ProctorRules
import ProctorScenario

/// Compares a body with the byte count in the same event (Docs/clients/behaviour.md: an incomplete body is left out).
enum KeptBodyCheck: ContentCheck {
    static let isOfOwnReports = true

    static func faults(in evidence: ContentEvidence) -> [ContentFault] {
        evidence.events.compactMap { event in
            guard event.phase == .enter, event.name == .result || event.lane == .handler,
                let reported = event.facts.integer(.bytes)
            else { return nil }
            if event.facts[.body] == nil, let text = event.facts.text(.bodyBase64), event.keptBody == nil {
                return event.fault(
                    "bodyBase64", wanted: "base64 (RFC 4648 §4)", got: WireText.quoted(Array(text.utf8), limit: 60),
                    reason: "it has \(Plural.count(reported, "byte"))")
            }
            guard let body = event.keptBody, body.count != reported else { return nil }
            return event.fault(
                "body", wanted: Plural.count(reported, "byte"), got: Plural.count(body.count, "byte"),
                reason: "bytes says so, and a body that is not whole is left out")
        }
    }
}

/// Compares the `result` of a step with the callbacks of the same load: the end and the content.
///
/// Both come from one recorder, so when they differ, one of them is wrong.
enum ResultAgreementCheck: LoadContentCheck {
    static let isOfOwnReports = true

    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard !load.isPartial, let result = load.events.last(where: { $0.name == .result }),
            result.facts.text(.domain) != "adapter"
        else { return [] }
        return [errorFault(result, load)].compactMap(\.self) + pieceFaults(result, load) + fileFaults(result, load)
    }

    private static func errorFault(_ result: TraceEvent, _ load: ContentLoad) -> ContentFault? {
        let ends: EventNameSet = load.family.endsInHandler ? [.handler, .awaited] : [.complete]
        let end = load.events.last { event in
            ends.contains(event.name) && (event.lane == .task || event.lane == .handler) && !event.isOfResumeData
        }
        guard let end, let reported = end.argument else { return nil }
        let error = result.facts.text(.error) ?? URLErrorName.success
        guard reported != error else { return nil }
        return result.fault(
            "error", wanted: EventText.printable(reported), got: EventText.printable(error),
            reason: "\(EventText.symbol(end)) ended the load")
    }

    /// The `data` events since the last response must have the content of the result (R26, R30).
    private static func pieceFaults(_ result: TraceEvent, _ load: ContentLoad) -> [ContentFault] {
        guard [.sessionData, .connection, .sequence].contains(load.family), load.tellsData,
            let byteCount = result.facts.integer(.bytes)
        else { return [] }
        var pieces = Pieces(of: result.keptBody)
        for event in load.events where event.lane == .task {
            switch event.name {
            case .response: pieces.restart()
            case .data: pieces.append(event)
            case .becameDownload, .becameStream: return []
            default: break
            }
        }
        if let fault = pieces.fault { return [fault] }
        guard pieces.hasResponse, let count = pieces.byteCount, count != byteCount else { return [] }
        return [
            result.fault(
                "bytes", wanted: "\(count)", got: "\(byteCount)",
                reason: "\(Plural.count(pieces.count, "piece")) of data behind the last response had as many", rule: 30)
        ]
    }

    /// The `data` events since the last response, compared with the body of the result.
    private struct Pieces {
        private let body: [UInt8]?
        private(set) var hasResponse = false
        private(set) var count = 0
        /// The sum of their sizes; nil after an event without a size.
        private(set) var byteCount: Int? = 0
        /// The first event whose bytes differ from the body at the same offset.
        private(set) var fault: ContentFault?

        init(of body: [UInt8]?) { self.body = body }

        mutating func restart() {
            (hasResponse, count, byteCount, fault) = (true, 0, 0, nil)
        }

        mutating func append(_ piece: TraceEvent) {
            count += 1
            guard let first = byteCount, let size = piece.facts.integer(.bytes) ?? piece.facts.integer(.n), size >= 0
            else {
                byteCount = nil
                return
            }
            let (end, isBeyond) = first.addingReportingOverflow(size)
            byteCount = isBeyond ? .max : end
            guard hasResponse, fault == nil, !isBeyond, let body, end <= body.count,
                let crc32 = piece.facts.integer(.crc32)
            else { return }
            let wanted = CRC32.checksum(of: body[first..<end])
            guard crc32 != Int(wanted) else { return }
            fault = piece.fault(
                "crc32", wanted: "\(wanted)", got: "\(crc32)", reason: "the result has other bytes there", rule: 30)
        }
    }

    /// The file that a callback named must have the content of the result.
    private static func fileFaults(_ result: TraceEvent, _ load: ContentLoad) -> [ContentFault] {
        guard let file = load.events.last(where: { $0.name == .fileReady }),
            let byteCount = result.facts.integer(.bytes), let count = file.facts.integer(.bytes)
        else { return [] }
        if byteCount != count {
            return [
                result.fault(
                    "bytes", wanted: "\(count)", got: "\(byteCount)", reason: "the file that was ready had as many",
                    rule: 35
                )
            ]
        }
        guard let body = result.keptBody, body.count == count, let crc32 = file.facts.integer(.crc32),
            crc32 != Int(CRC32.checksum(of: body))
        else { return [] }
        return [
            file.fault(
                "crc32", wanted: "\(CRC32.checksum(of: body))", got: "\(crc32)", reason: "the result has other bytes",
                rule: 34)
        ]
    }
}

extension TraceEvent {
    /// The body in the event, as text or in base64; nil when there is none that can be read.
    var keptBody: [UInt8]? {
        if let text = facts.text(.body) { return Array(text.utf8) }
        return facts.text(.bodyBase64).flatMap { try? Base64Text.decode(Array($0.utf8)) }
    }
}
