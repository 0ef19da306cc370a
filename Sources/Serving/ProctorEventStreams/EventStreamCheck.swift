internal import ProctorCoding
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorProgram
internal import ProctorRules
internal import ProctorScenario

/// Compares what an event source tells with what the server sent: the events of each stream, the ends of connections, and
/// the time before the next one (WHATWG HTML §9.2.3, §9.2.5, §9.2.6).
enum EventStreamCheck: LoadContentCheck {
    static func faults(in load: ContentLoad) -> [ContentFault] {
        guard load.family == .eventSource, !load.isPartial, let exchanges = load.exchangesInOrder else { return [] }
        let reports = Reports(load)
        var faults: [ContentFault] = []
        var reading = Reading()
        for (index, exchange) in exchanges.enumerated() {
            let events = reports.events[exchange.number] ?? []
            let end = reports.ends[exchange.number]
            guard exchange.isEventStream else {
                if exchange.isKnownNotToBeStream { faults += strayFaults(events, end, of: exchange) }
                continue
            }
            guard let content = exchange.contents.first else { break }
            let isDue = exchange.isWhole && !load.isCancelled(before: load.events.count)
            faults += reading.read(content, of: exchange, reported: events, before: isDue ? end : nil)
            // The last event ID behind bytes that were not kept is unknown.
            guard content.isWhole else { break }
            guard let end else { continue }
            if exchange.isWhole, end.argument == EventVocabulary.fatal {
                faults.append(
                    end.fault(
                        "error", wanted: EventVocabulary.retry, got: EventVocabulary.fatal,
                        reason: "its stream came to an end, behind which a client connects again (HTML §9.2.3)"))
            }
            guard exchanges.indices.contains(index + 1) else { continue }
            if let fault = waitFault(behind: end, exchanges[index + 1], retry: reading.retry) { faults.append(fault) }
        }
        return faults
    }

    /// The events of a load by the exchange that was the latest one when they came.
    private struct Reports {
        private(set) var events: [Int: [TraceEvent]] = [:]
        /// The first event that tells of the end of a connection.
        private(set) var ends: [Int: TraceEvent] = [:]

        init(_ load: ContentLoad) {
            for (index, event) in load.events.enumerated() where event.lane == .task {
                guard let number = load.latestExchange(before: index)?.number else { continue }
                switch event.name {
                case .esEvent: events[number, default: []].append(event)
                case .esError, .complete: if ends[number] == nil { ends[number] = event }
                default: break
                }
            }
        }
    }

    /// What a reply that is no stream must not cause.
    private static func strayFaults(
        _ events: [TraceEvent], _ end: TraceEvent?, of exchange: SeenExchange
    ) -> [ContentFault] {
        let type = exchange.single("Content-Type").map { " of type \(WireText.quoted($0, limit: 60))" } ?? ""
        let reply = "the reply \(exchange.status ?? 0)\(type) is no event stream (HTML §9.2.3)"
        if let event = events.first {
            return [event.fault("events", wanted: "none", got: "\(events.count)", reason: reply)]
        }
        guard let end, end.argument == EventVocabulary.retry, exchange.isWhole else { return [] }
        return [
            end.fault(
                "error", wanted: EventVocabulary.fatal, got: EventVocabulary.retry, reason: reply)
        ]
    }

    /// Milliseconds by which the timers of clients may be early.
    private static let timerBound = 5

    /// A request that came earlier behind the end of a stream than its `retry` permits.
    private static func waitFault(behind end: TraceEvent, _ next: SeenExchange, retry: Int?) -> ContentFault? {
        guard end.argument == EventVocabulary.retry, let retry, let ended = end.nanoseconds, next.nanoseconds > ended
        else { return nil }
        let waited = Int(clamping: (next.nanoseconds - ended) / 1_000_000)
        guard waited &+ timerBound < retry else { return nil }
        return end.fault(
            "wait", wanted: "at least \(retry) ms", got: "\(waited) ms before the next request",
            reason: "retry was that (HTML §9.2.3, §9.2.6)")
    }

    /// What the streams of an event source say, one after the other.
    private struct Reading {
        /// The last event IDs that the client may have; several where it is unknown how much of a stream it got.
        private var lastIDs = [""]
        /// Milliseconds that the client must wait; nil where no stream says so for certain.
        private(set) var retry: Int?

        /// Compares the events told of one stream; where there is an `end`, all of them must have come before it.
        mutating func read(
            _ content: SentContent, of exchange: SeenExchange, reported: [TraceEvent], before end: TraceEvent?
        ) -> [ContentFault] {
            var best: (faults: [ContentFault], reader: EventStreamReader)?
            for id in lastIDs where best?.faults.isEmpty != true {
                var reader = EventStreamReader(lastID: id)
                guard let wanted = try? reader.read(content.kept) else { return [] }
                let stream = Stream(
                    wanted: wanted, isAll: content.isWhole, origin: exchange.url?.origin.description)
                let fault = stream.fault(of: reported, before: end)
                if best == nil || fault == nil { best = (fault.map { [$0] } ?? [], reader) }
            }
            guard let best else { return [] }
            if exchange.isWhole {
                lastIDs = [best.reader.lastID]
                retry = best.reader.retry ?? retry
            } else {
                // The client has read any part of the stream.
                lastIDs = Set(lastIDs.flatMap { Self.identifiers(of: content.kept, behind: $0) }).sorted()
                retry = best.reader.retry.map { min($0, retry ?? 0) } ?? retry
            }
            return best.faults
        }

        /// The last event IDs that stand at any byte of a stream.
        private static func identifiers(of bytes: [UInt8], behind id: String) -> [String] {
            var reader = EventStreamReader(lastID: id)
            var identifiers = [id]
            for byte in bytes {
                guard (try? reader.read(CollectionOfOne(byte))) != nil else { break }
                if reader.lastID != identifiers.last { identifiers.append(reader.lastID) }
            }
            return identifiers
        }
    }

    /// The events of one stream, as the format has them.
    private struct Stream {
        let wanted: [StreamedEvent]
        /// Whether these are all events of the stream.
        let isAll: Bool
        /// The origin of its URL; nil where it is unknown.
        let origin: String?

        /// The first difference.
        func fault(of reported: [TraceEvent], before end: TraceEvent?) -> ContentFault? {
            for (event, served) in zip(reported, wanted) {
                if let fault = fault(event, served) { return fault }
            }
            if reported.count > wanted.count, isAll {
                return reported[wanted.count].fault(
                    "events", wanted: "\(wanted.count)", got: "\(reported.count)",
                    reason: "the stream has no more (HTML §9.2.6)")
            }
            guard let end, reported.count < wanted.count else { return nil }
            return end.fault(
                "events", wanted: "\(wanted.count)", got: "\(reported.count)",
                reason: "the stream has so many (HTML §9.2.6); the first that is missing has the data "
                    + WireText.quoted(wanted[reported.count].data, limit: 60))
        }

        private func fault(_ event: TraceEvent, _ served: StreamedEvent) -> ContentFault? {
            let type = served.name.isEmpty ? "message" : served.name
            if let got = event.argument, got != type {
                return event.fault(
                    "type", wanted: ContentFault.quoted(type), got: ContentFault.quoted(got),
                    reason: "the server sent that (HTML §9.2.6)")
            }
            let data = String(decoding: served.data, as: UTF8.self)
            let texts: [(key: FactKey, wanted: String?)] = [
                (.data, data), (.lastEventId, served.lastID), (.origin, origin),
            ]
            for (key, wanted) in texts {
                guard let wanted, let got = event.facts.text(key), got != wanted else { continue }
                return event.fault(
                    key.rawValue, wanted: WireText.quoted(Array(wanted.utf8), limit: 60),
                    got: WireText.quoted(Array(got.utf8), limit: 60), reason: "the server sent that (HTML §9.2.6)")
            }
            guard let count = event.facts.integer(.bytes), count != data.utf8.count else { return nil }
            return event.fault(
                "bytes", wanted: "\(data.utf8.count)", got: "\(count)", reason: "the server sent that (HTML §9.2.6)")
        }
    }
}

extension SeenExchange {
    /// Whether its final reply is an event stream, as an event source reads it (HTML §9.2.3).
    fileprivate var isEventStream: Bool { status == 200 && MediaType(of: replyFields)?.essence == "text/event-stream" }

    /// Whether its final reply is certainly neither a stream nor a redirect.
    fileprivate var isKnownNotToBeStream: Bool {
        guard let reply, let status, reply.fields != nil, !hasBytesOfEffects else { return false }
        return !(300..<400 ~= status) && !isEventStream
    }
}
