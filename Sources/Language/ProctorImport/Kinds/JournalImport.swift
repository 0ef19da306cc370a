import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal

/// A journal of Proctor's own, of which each request with its reply is one exchange.
package enum JournalImport {
    package static func read(_ bytes: [UInt8], file: String) throws(ImportFailure) -> Recording {
        let lines: JournalLines
        do throws(TraceReadingError) {
            lines = try JournalLines(bytes, file: file)
        } catch {
            throw ImportFailure("\(error)")
        }
        return read(lines.entries, droppedCount: lines.droppedCount, file: file)
    }

    /// `server` is the URL that replies name where clients asked at another one; nil: the one that they asked at.
    ///
    /// `outcomes` are by the number of the request.
    static func read(
        _ entries: [JournalEntry], droppedCount: Int, file: String, server: String? = nil,
        outcomes: [Int: RecordedOutcome] = [:]
    ) -> Recording {
        var recording = Recording(by: "Proctor")
        if droppedCount > 0 {
            recording.remarks.add(at: file, "\(droppedCount) entries are missing in the journal")
        }
        var collector = Collector(file: file, server: server)
        for (number, seen) in JournaledExchange.all(in: entries) { collector.add(seen, outcomes[number]) }
        recording.exchanges = collector.exchanges
        recording.remarks += collector.remarks
        return recording
    }

    private struct Collector {
        let file: String
        let server: String?
        private(set) var exchanges: [RecordedExchange] = []
        private(set) var remarks = ImportRemarks()

        init(file: String, server: String?) { (self.file, self.server) = (file, server) }

        mutating func add(_ seen: JournaledExchange, _ outcome: RecordedOutcome?) {
            let place = "\(file): line with seq \(seen.replySequence ?? seen.sequence)"
            var target = String(decoding: seen.target, as: UTF8.self)
            var origin = seen.local.map { server ?? "http://\($0)" } ?? ""
            if let absolute = RecordedRequest(method: seen.head.method, url: target) {
                (origin, target) = (server ?? absolute.origin, absolute.target)
            }
            var request = RecordedRequest(
                method: seen.head.method, origin: origin, target: target, fields: [HTTPField](seen.head.fields))
            if let body = seen.body, body.byteCount > 0 {
                if body.kept.count == body.byteCount {
                    request.content = body.kept
                } else {
                    remarks.add(at: place, "the journal does not hold the whole content, which is not compared")
                }
            }
            if let sent = seen.reply {
                addReply(sent, behind: seen.interim, to: request, outcome, at: place)
            } else if let outcome, let failure = outcome.failure {
                // Of some the server sent no head, and of others nothing can be recorded.
                guard outcome.ending != nil else {
                    remarks.add(at: place, "\(request.method) \(request.target) is left out: \(failure)")
                    return
                }
                add(RecordedReply(status: 0), to: request, outcome, at: place)
            }
        }

        private mutating func addReply(
            _ sent: SentReply, behind interim: [SentReply], to request: RecordedRequest, _ outcome: RecordedOutcome?,
            at place: String
        ) {
            guard let status = sent.status, let fields = sent.fields.map({ [HTTPField]($0) }) else {
                remarks.add(at: place, "raw bytes without a readable head are left out")
                return
            }
            guard status != 101, request.method != "CONNECT" else {
                remarks.add(at: place, "what is no HTTP any more behind a reply is left out")
                return
            }
            var reply = RecordedReply(status: status, fields: fields)
            reply.interim = interim.compactMap { interim in
                interim.status.map { .init(status: $0, fields: [HTTPField](interim.fields ?? FieldSection())) }
            }
            // A server that knows the coding has the content twice; a gateway has it as it came.
            if let content = sent.content, content.isWhole {
                reply.content = content.kept
                reply.codings = sent.codedContent == nil ? .kept : .undone
            } else if let coded = sent.codedContent, coded.isWhole {
                reply.content = coded.kept
            } else if let content = outcome?.content {
                reply.content = content
            } else if let stored = outcome?.stored {
                reply.stored = stored
            } else {
                let count = sent.content.map { "\($0.byteCount) bytes of content" } ?? "the content"
                let reason = outcome?.loss.map { ": \($0)" } ?? ""
                remarks.add(at: place, "the journal does not hold \(count)\(reason), so the reply has none")
            }
            add(reply, to: request, outcome, at: place)
        }

        private mutating func add(
            _ reply: RecordedReply, to request: RecordedRequest, _ outcome: RecordedOutcome?, at place: String
        ) {
            var reply = reply
            if let outcome {
                reply.ending = outcome.ending
                reply.framing = outcome.trailers.isEmpty ? outcome.framing : .chunked
                reply.reason = outcome.reason
                reply.trailers = outcome.trailers
                reply.surplus = outcome.surplus
                reply.times = outcome.times
                if let failure = outcome.failure, let ending = outcome.ending {
                    let end = ending == .stall ? "stalls" : "ends"
                    remarks.add(
                        at: place,
                        "\(request.method) \(request.target) got no whole reply: \(failure); the reply \(end) as it did"
                    )
                }
                if !outcome.surplus.isEmpty {
                    remarks.add(
                        at: place,
                        "the server sent \(Plural.count(outcome.surplus.count, "byte")) behind the end of its reply, and "
                            + "so does the scenario")
                }
            }
            exchanges.append(RecordedExchange(at: place, request, reply))
        }
    }
}
