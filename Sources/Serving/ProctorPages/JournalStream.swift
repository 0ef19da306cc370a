internal import ProctorBase
internal import ProctorJournal
import ProctorReplies
internal import ProctorScenario
import ProctorServer

/// A journal as Server-Sent Events (WHATWG HTML §9.2) for one reader: entries as they come, where some are missing, and
/// the verdicts of the run's cases as they change (Docs/use/control.md).
///
/// Each call of ``take(isStopping:)`` costs as much as what it gives, and none changes the journal.
struct JournalStream: ReplyStream {
    let journal: Journal
    /// nil: the shared port.
    let run: Run?
    /// Differs from one start of the server to the next.
    private let server: UInt64
    /// The newest entry that the reader has.
    private(set) var sequence: UInt64
    private var epoch: Int?
    private var hasBegun = false
    private var verdicts: VerdictChanges?
    /// The newest judged trace that the reader was told of.
    private var traceNumber = 0
    /// MonotonicClock nanoseconds of the last write.
    private var lastWrite: UInt64 = 0

    static let contentType = "text/event-stream"
    /// Entries that one write has, and how far behind a reader may be.
    static let bounds = JournalBatch.Bounds(entryCount: 500, backlog: 5_000, rest: 500)
    /// Bytes after which a write ends with the entry that it has begun.
    private static let byteLimit = 512 << 10
    /// Between two writes without anything to say.
    private static let heartbeat: UInt64 = 10_000_000_000

    /// `sequence` is the newest entry that the reader has, 0 for none.
    init(_ journal: Journal, of run: Run?, after sequence: UInt64, server: UInt64) {
        (self.journal, self.run, self.sequence, self.server) = (journal, run, sequence, server)
        verdicts = run.map { VerdictChanges(of: $0) }
    }

    /// Says what has come; `isStopping`: the server is about to stop.
    mutating func nextPart(isStopping: Bool) -> ReplyStreamPart {
        let now = MonotonicClock.nanoseconds
        run?.touch()
        var part = ReplyStreamPart()
        let batch = journal.batch(after: sequence, Self.bounds)
        if batch.lastSequence < sequence { sequence = 0 }
        if !hasBegun {
            hasBegun = true
            epoch = batch.epoch
            tellBeginning(batch, at: now, in: &part.bytes)
        }
        if epoch != batch.epoch {
            epoch = batch.epoch
            sequence = batch.entries.first.map { $0.sequence - 1 } ?? batch.lastSequence
            appendEvent("reset", id: sequence, in: &part.bytes) { $0.member("epoch", batch.epoch) }
        }
        part.isThinned = batch.thinnedCount > 0
        part.hasMore = appendEntries(batch, in: &part.bytes)
        if !part.hasMore {
            tellTraces(in: &part.bytes)
            tellVerdicts(at: now, in: &part)
        }
        if !part.hasMore, batch.hasEnded || isStopping {
            part.isLast = true
            appendEvent("end", in: &part.bytes) { $0.member("why", batch.hasEnded ? "run-ended" : "server-stopped") }
        }
        if part.bytes.isEmpty, now - lastWrite >= Self.heartbeat { part.bytes = Array(": nothing new\n\n".utf8) }
        if !part.bytes.isEmpty { lastWrite = now }
        return part
    }

    private func tellBeginning(_ batch: JournalBatch, at now: UInt64, in bytes: inout [UInt8]) {
        bytes += "retry: 1000\n".utf8
        appendEvent("open", in: &bytes) { json in
            json.member("server", String(server, radix: 16))
            if let run {
                json.member("run", run.id)
                json.member("scenario", run.scenario.id)
            }
            json.member("epoch", batch.epoch)
            json.member("seq", batch.lastSequence)
            json.member("ns", now)
        }
    }

    /// Tells the entries and what is missing between them; whether the journal has more.
    private mutating func appendEntries(_ batch: JournalBatch, in bytes: inout [UInt8]) -> Bool {
        var thinnedCount = UInt64(batch.thinnedCount)
        var droppedRest = UInt64(batch.droppedCount)
        var line = JSONText()
        let limit = bytes.count + Self.byteLimit
        for entry in batch.entries {
            let gap = entry.sequence - sequence - 1
            let dropped = min(gap - min(gap, thinnedCount), droppedRest)
            if dropped > 0 || thinnedCount > 0 {
                appendEvent("gap", id: entry.sequence - 1, in: &bytes) { json in
                    json.member("dropped", dropped)
                    json.member("thinned", thinnedCount)
                }
            }
            droppedRest -= dropped
            thinnedCount = 0
            line.removeAll(keepingCapacityUpTo: Self.byteLimit)
            journal.encode(entry, to: &line)
            bytes += "id: \(entry.sequence)\ndata: ".utf8
            // The line ends with a line feed already.
            bytes += line.bytes
            bytes.append(0x0A)
            sequence = entry.sequence
            if bytes.count > limit { break }
        }
        return sequence < batch.lastSequence && !batch.entries.isEmpty
    }

    private mutating func tellTraces(in bytes: inout [UInt8]) {
        let known = traceNumber
        for trace in run?.judgedTraces(after: known) ?? [] {
            traceNumber = trace.number
            appendEvent("trace", in: &bytes) { json in
                json.member("number", trace.number)
                json.key("trace")
                json.value(complete: trace.json)
            }
        }
    }

    private mutating func tellVerdicts(at now: UInt64, in part: inout ReplyStreamPart) {
        guard var verdicts else { return }
        for json in verdicts.judge(at: now) { Self.append("verdict", json, to: &part.bytes) }
        if verdicts.arePending {
            part.patience = min(part.patience, verdicts.next > now ? verdicts.next - now : 0)
        }
        self.verdicts = verdicts
    }

    private func appendEvent(
        _ event: String, id: UInt64? = nil, in bytes: inout [UInt8], _ write: (inout JSONText) -> Void
    ) {
        var json = JSONText()
        json.object(write)
        if let id { bytes += "id: \(id)\n".utf8 }
        Self.append(event, json.bytes, to: &bytes)
    }

    /// JSON has no line feed, which would end the field.
    private static func append(_ event: String, _ json: [UInt8], to bytes: inout [UInt8]) {
        bytes += "event: \(event)\ndata: ".utf8
        bytes += json
        bytes += "\n\n".utf8
    }
}

extension JournalStream {
    /// Calls that follow a journal.
    static var calls: [ControlCall] {
        [
            ControlCall("GET", "runs/RUN/events") { api in
                { request throws(ControlError) in
                    let run = try api.find(request)
                    return try reply(to: request, following: run.journal, of: run, api)
                }
            },
            ControlCall("GET", "shared/events") { api in
                { request throws(ControlError) in
                    try reply(to: request, following: api.sharedJournal, of: nil, api)
                }
            },
        ]
    }

    private static func reply(
        to request: ControlRequest, following journal: Journal, of run: Run?, _ api: ControlAPI
    ) throws(ControlError) -> BuiltInReply {
        let known = try request.lastEventID()
        let named = UInt64(try request.number("after", in: 0...Int.max))
        var reply = BuiltInReply(status: 200, contentType: contentType, bytes: [])
        reply.stream = JournalStream(journal, of: run, after: known ?? named, server: api.start)
        return reply
    }
}
