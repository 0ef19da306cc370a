internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorOpenAPI
internal import ProctorScenario
internal import ProctorSchema

/// Holds the messages of a run against the OpenAPI description of its scenario, as its journal tells them.
///
/// A request is judged when it has ended, a reply when it begins; a reply that Proctor itself or a guard makes is not.
final class DescriptionJudge: MessageJudge {
    private let service: OpenAPIService
    /// The name of the only origin that is judged; nil: all.
    private let origin: String?
    private let state = Locked(State())

    private struct State {
        var open: [Key: OpenRequest] = [:]
        /// The names of the origins of connections, where only one origin is judged.
        var origins: [Int: String] = [:]
    }

    private struct Key: Hashable {
        let epoch: Int
        let connection: Int
        let request: Int
    }

    private struct OpenRequest: Sendable {
        let head: RequestHead
        let line: APIDescription.RequestLine
        var isJudged = false
        var isChosen = false
        var isAnswered = false
    }

    /// The most requests that are under way at once; those beyond are not judged.
    private static let openLimit = 10_000
    /// Bounds of one judgement, which the connection's loop waits for.
    private static let stepLimit = 200_000
    private static let time = Duration.milliseconds(200)

    init(_ service: OpenAPIService, of scenario: Scenario) {
        self.service = service
        origin = service.origin.map { scenario.origins[$0].name }
    }

    func judgements(
        of event: JournalEvent, epoch: Int, connection: Int?, request: Int?
    ) -> [JournalEvent] {
        guard let connection else { return [] }
        switch event {
        case .connectionOpened(let name, _, _):
            if origin != nil { state.withLock { $0.origins[connection] = name } }
            return []
        case .connectionClosed:
            state.withLock { state in
                state.origins[connection] = nil
                state.open = state.open.filter { $0.key.connection != connection || $0.key.epoch != epoch }
            }
            return []
        default: break
        }
        guard let request else { return [] }
        let key = Key(epoch: epoch, connection: connection, request: request)
        switch event {
        case .requestHead(let head, let target): return noteHead(head, target, key)
        case .routed(let name, _):
            if let origin, name != origin { state.withLock { $0.open[key] = nil } }
        case .requestBody(let body): return judgeBody(body, key)
        case .exchangeChosen: state.withLock { $0.open[key]?.isChosen = true }
        case .replyBegun(let reply): return judge(reply, key)
        case .replySent, .replyAborted: finish(key)
        default: break
        }
        return []
    }

    // MARK: Requests

    private func noteHead(_ head: RequestHead, _ target: [UInt8], _ key: Key) -> [JournalEvent] {
        let path = target.first == UInt8(ascii: "/") ? target : AbsoluteTarget.originForm(of: target)
        guard path.first == UInt8(ascii: "/") else { return [] }
        let line = APIDescription.RequestLine(method: head.method, target: path)
        let isKept = state.withLock { state in
            if let origin, let name = state.origins[key.connection], name != origin { return false }
            guard state.open.count < Self.openLimit else { return false }
            state.open[key] = OpenRequest(head: head, line: line, isJudged: !head.hasFraming)
            return true
        }
        guard isKept, !head.hasFraming else { return [] }
        return entries(.request, service.description.judge(line, head.fields.described(.none), within: Self.budget()))
    }

    private func judgeBody(_ body: RequestBody, _ key: Key) -> [JournalEvent] {
        guard let open = state.withLock({ $0.open[key] }), !open.isJudged else { return [] }
        state.withLock { state in
            state.open[key]?.isJudged = true
            if open.isAnswered { state.open[key] = nil }
        }
        let content: DescribedMessage.Content
        if !body.isComplete {
            content = .unknown(
                body.isWithheld ? "the client kept its content back" : "its content was not read to the end")
        } else if body.kept.count < body.byteCount {
            content = .unknown("only \(body.kept.count) of its \(body.byteCount) bytes are kept")
        } else {
            content = body.kept.isEmpty ? .none : .whole(body.kept)
        }
        return entries(
            .request, service.description.judge(open.line, open.head.fields.described(content), within: Self.budget()))
    }

    private func finish(_ key: Key) {
        state.withLock { state in
            state.open[key]?.isAnswered = true
            if state.open[key]?.isJudged == true { state.open[key] = nil }
        }
    }

    // MARK: Replies

    private func judge(_ reply: SentReply, _ key: Key) -> [JournalEvent] {
        guard service.judgesReplies, !reply.isInterim, let status = reply.status, let fields = reply.fields,
            let open = state.withLock({ $0.open[key] }), open.isChosen
        else { return [] }
        let content: DescribedMessage.Content
        switch reply.content {
        case nil: content = .unknown("its content is not known before it is sent")
        case let sent? where !sent.isWhole: content = .unknown("only the first \(sent.kept.count) bytes of it are kept")
        case let sent?: content = sent.kept.isEmpty ? .none : .whole(sent.kept)
        }
        // The journal has the content behind its coding.
        let message = fields.described(content, without: reply.codedContent == nil ? nil : "content-encoding")
        return entries(
            .reply, service.description.judge(replyTo: open.line, status: status, message, within: Self.budget()))
    }

    private static func budget() -> WorkBudget { WorkBudget(stepLimit: stepLimit, time: time) }

    private func entries(_ message: DescriptionNote.Message, _ verdict: DescriptionVerdict) -> [JournalEvent] {
        guard !verdict.isClean else { return [] }
        let faults = verdict.faults.map { fault in
            DescriptionNote.Fault(
                part: fault.part, pointer: fault.pointer, schemaPointer: fault.schemaPointer,
                place: fault.location.description, sentence: fault.sentence)
        }
        return [.described(DescriptionNote(message, operation: verdict.operation, faults: faults, open: verdict.open))]
    }
}

extension FieldSection {
    /// The fields as a description reads them, without one.
    fileprivate func described(
        _ content: DescribedMessage.Content, without left: String? = nil
    ) -> DescribedMessage {
        var fields: [(name: String, value: [UInt8])] = []
        forEachNameAndValue { name, value in
            var bytes: [UInt8] = []
            for index in name.indices { bytes.append(name[index].asciiLowercased) }
            var content: [UInt8] = []
            for index in value.indices { content.append(value[index]) }
            let name = String(decoding: bytes, as: UTF8.self)
            if name != left { fields.append((name, content)) }
        }
        return DescribedMessage(fields: fields, content: content)
    }
}
