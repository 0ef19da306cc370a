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
        var collector = Collector(file: file, server: server, outcomes: outcomes)
        for entry in entries { collector.add(entry) }
        collector.addRequestsWithoutReply()
        recording.exchanges = collector.exchanges.sorted { $0.number < $1.number }.map(\.exchange)
        recording.remarks += collector.remarks
        return recording
    }

    private struct Collector {
        let file: String
        let server: String?
        let outcomes: [Int: RecordedOutcome]
        private(set) var exchanges: [(number: Int, exchange: RecordedExchange)] = []
        private(set) var remarks = ImportRemarks()
        private var requests: [Int: RecordedRequest] = [:]
        private var interim: [Int: [RecordedReply.InterimReply]] = [:]
        private var origins: [Int: String] = [:]
        private var places: [Int: String] = [:]

        init(file: String, server: String?, outcomes: [Int: RecordedOutcome]) {
            (self.file, self.server, self.outcomes) = (file, server, outcomes)
        }

        mutating func add(_ entry: JournalEntry) {
            if case .connectionOpened(_, _, let local) = entry.event, let connection = entry.connection {
                origins[connection] = server ?? "http://\(local)"
                return
            }
            guard let number = entry.request else { return }
            let place = "\(file): line with seq \(entry.sequence)"
            switch entry.event {
            case .requestHead(let head, let target):
                var target = String(decoding: target, as: UTF8.self)
                var origin = entry.connection.flatMap { origins[$0] } ?? ""
                if let absolute = RecordedRequest(method: head.method, url: target) {
                    (origin, target) = (server ?? absolute.origin, absolute.target)
                }
                places[number] = place
                requests[number] = RecordedRequest(
                    method: head.method, origin: origin, target: target, fields: [HTTPField](head.fields))
            case .requestBody(let body):
                guard body.byteCount > 0 else { return }
                if body.kept.count == body.byteCount {
                    requests[number]?.content = body.kept
                } else {
                    remarks.add(at: place, "the journal does not hold the whole content, which is not compared")
                }
            case .replyBegun(let sent): addReply(sent, to: number, at: place)
            default: return
            }
        }

        private mutating func addReply(_ sent: SentReply, to number: Int, at place: String) {
            guard let status = sent.status, let fields = sent.fields.map({ [HTTPField]($0) }),
                let request = requests[number]
            else {
                remarks.add(at: place, "raw bytes without a readable head are left out")
                return
            }
            if sent.isInterim {
                interim[number, default: []].append(.init(status: status, fields: fields))
                return
            }
            guard status != 101, request.method != "CONNECT" else {
                remarks.add(at: place, "what is no HTTP any more behind a reply is left out")
                return
            }
            var reply = RecordedReply(status: status, fields: fields)
            reply.interim = interim[number] ?? []
            // A server that knows the coding has the content twice; a gateway has it as it came.
            if let content = sent.content, content.isWhole {
                reply.content = content.kept
                reply.codings = sent.codedContent == nil ? .kept : .undone
            } else if let coded = sent.codedContent, coded.isWhole {
                reply.content = coded.kept
            } else if let content = outcomes[number]?.content {
                reply.content = content
            } else if let stored = outcomes[number]?.stored {
                reply.stored = stored
            } else {
                let count = sent.content.map { "\($0.byteCount) bytes of content" } ?? "the content"
                let reason = outcomes[number]?.loss.map { ": \($0)" } ?? ""
                remarks.add(at: place, "the journal does not hold \(count)\(reason), so the reply has none")
            }
            add(reply, to: request, number, at: place)
        }

        private mutating func add(
            _ reply: RecordedReply, to request: RecordedRequest, _ number: Int, at place: String
        ) {
            var reply = reply
            if let outcome = outcomes[number] {
                reply.ending = outcome.ending
                reply.framing = outcome.framing
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
            exchanges.append((number, RecordedExchange(at: place, request, reply)))
        }

        /// Those of which the server sent no head, and those of which nothing can be recorded.
        mutating func addRequestsWithoutReply() {
            let answered = Set(exchanges.map(\.number))
            for (number, outcome) in outcomes.sorted(by: { $0.key < $1.key }) where !answered.contains(number) {
                guard let request = requests[number], let failure = outcome.failure else { continue }
                let place = places[number] ?? file
                guard outcome.ending != nil else {
                    remarks.add(at: place, "\(request.method) \(request.target) is left out: \(failure)")
                    continue
                }
                add(RecordedReply(status: 0), to: request, number, at: place)
            }
        }
    }
}
