internal import ProctorBase
internal import ProctorHTTP
internal import ProctorImport
internal import ProctorJournal
internal import ProctorReplies
internal import ProctorScenario

/// Asks a scenario requests and reads its replies, without a socket and without waits; on one thread.
///
/// Its origins have the addresses of the source, so that URLs in replies are those of the source too.
struct ScenarioAsker {
    private let stage: Stage
    private let memory: ConnectionMemory?
    private let authorities: [[UInt8]]
    private let budget: WorkBudget

    enum Answer {
        /// The reply of the exchange with that index, from 0; the content has its codings.
        case reply(ReplyHead, content: [UInt8], exchange: Int)
        /// The connection ends, or other bytes come, before a head.
        case noHead
        /// No exchange answers; the sentences say what is not as the nearest wants it.
        case missed([String])
        /// The request or the reply can't be made; half a sentence.
        case failed(String)
    }

    /// Bytes of a coded reply.
    private static let codedByteLimit = 256 << 20

    init(_ scenario: Scenario, origins: [DraftOrigin], within budget: WorkBudget) {
        self.budget = budget
        let places = scenario.origins.map { origin in
            let url = origins.first { $0.name == origin.name }?.url ?? ""
            let parts = URIReference(splitting: Array(url.utf8))
            let port = parts.port.map { [UInt8(ascii: ":")] + $0 } ?? []
            let authority = parts.host.map { Array($0) + port } ?? Array("localhost".utf8)
            return (authority: authority, scheme: url.hasPrefix("https:") ? Scheme.https : .http)
        }
        authorities = places.map(\.authority)
        let compiled = CompiledScenario(scenario)
        stage = Stage(
            compiled: compiled, addresses: .origins(authorities, schemes: places.map(\.scheme)),
            journal: Journal(
                of: scenario.id, limits: Journal.Limits(entryCount: 1, byteCount: 1), file: nil, faults: nil, lines: nil
            ),
            startsOver: false, seed: RunSeed(0))
        memory = ConnectionMemory(compiled)
    }

    /// At most so many bytes of the reply are read, head and content.
    func ask(
        _ request: RecordedRequest, origin name: String, contentLimit: Int = .max
    ) throws(SpentBudget) -> Answer {
        let origin = stage.scenario.origins.firstIndex { $0.name == name } ?? 0
        let content = request.content ?? []
        let head: RequestHead
        do throws(Violation) {
            head = try RequestHead(parsing: headBytes(of: request, origin, content.count))
        } catch {
            return .failed("the request can't be asked: \(error)")
        }
        let comparison = stage.compiled.comparison(for: head)
        let decoding = DecodedBody(head, body: content, gap: nil) { [stage] in
            stage.addresses.bound(for: head, .http, from: nil).context(origin: origin, at: stage.clock)
        }
        let view = RequestView(
            head: head, target: head.target, body: content, decoding: decoding, comparison: comparison)
        if let comparison {
            comparison.startBudget(endedBy: CancelFlag())
            stage.compiled.compareRest(view, origin: origin, headsAlone: false)
            try budget.spend(comparison.budget.stepCount)
        }
        try budget.spend(1 + stage.scenario.exchanges.count)
        var number: Int?
        let choice = stage.choose(view, origin: origin, on: memory, epoch: stage.epoch, numbering: &number)
        let numbers = RequestNumbers(seed: stage.seed, clock: stage.clock, connection: 0, request: number ?? 0)
        let part: PlayedPart
        switch choice {
        case .exchange(let index, let turn, let answers, let state):
            if let refusal = state?.refusal { return .failed(refusal.sentence) }
            part = PlayedPart(
                exchange: index, reply: .turn(turn), infos: answers?.infos ?? [], state: state?.values,
                precondition: state?.precondition)
        case .refused(let index, let refusal, let answers):
            part = PlayedPart(exchange: index, reply: .refusal(refusal), infos: answers.infos)
        case .missed(let miss, _): return .missed(miss.differences)
        case .unanswered(let unanswered, _): return .missed(unanswered.miss().differences)
        case .handedOn, .ended: return .failed("the request is for another origin")
        }
        do throws(ReplyFailure) {
            let maker = ReplyMaker(
                stage, part, for: view, numbers, as: .bytes, codedByteLimit: Self.codedByteLimit)
            let bytes = try Self.bytes(of: try maker.replyNow(), upTo: contentLimit)
            try? budget.spend(1 + bytes.count / 64)
            return Self.read(bytes, to: head, of: part.exchange)
        } catch {
            switch error {
            case .sourceFailed(let reason), .unanswerable(let reason):
                return .failed("the reply can't be made: \(reason)")
            }
        }
    }

    /// Fields of the recording that are no other connection's.
    private static let own: Set<String> = [
        "host", "content-length", "transfer-encoding", "connection", "expect", "te", "trailer", "upgrade",
    ]

    private func headBytes(of request: RecordedRequest, _ origin: Int, _ byteCount: Int) -> [UInt8] {
        var head = Array("\(request.method) \(request.target) HTTP/1.1\r\nHost: ".utf8) + authorities[origin]
        head += "\r\n".utf8
        for field in request.fields where !Self.own.contains(field.name.lowercased()) && field.isSendable {
            head += Array("\(field.name): ".utf8) + field.bytes + Array("\r\n".utf8)
        }
        if byteCount > 0 { head += "Content-Length: \(byteCount)\r\n".utf8 }
        return head + Array("\r\n".utf8)
    }

    /// What is sent up to the end of the reply or of the connection.
    private static func bytes(of reply: LaidOutReply, upTo limit: Int) throws(ReplyFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        var buffer: [UInt8] = []
        for step in reply.steps {
            switch step {
            case .content(let source, let range):
                var cursor = ContentCursor(source, range)
                while cursor.position < cursor.end, bytes.count < limit {
                    bytes += try cursor.takeBytes(upTo: min(.max, limit - bytes.count), in: &buffer)
                }
                if bytes.count >= limit { return bytes }
            case .effect(let action, _): if action.row.ends.cutsReply() { return bytes }
            case .section, .end: continue
            }
        }
        return bytes
    }

    private static func read(_ bytes: [UInt8], to request: RequestHead, of exchange: Int) -> Answer {
        var reader = ReplyReader()
        reader.expectReply(to: Array(request.methodBytes))
        var final: ReplyHead?
        var content: [UInt8] = []
        var offset = 0
        while let event = reader.next(bytes.span, at: &offset) {
            switch event {
            case .head(let head): final = head
            case .content(let range): content += bytes[range]
            case .end: return final.map { .reply($0, content: content, exchange: exchange) } ?? .noHead
            case .refused: return .noHead
            case .chunk, .trailers, .violation: continue
            }
        }
        return final.map { .reply($0, content: content, exchange: exchange) } ?? .noHead
    }
}
