internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

/// Sends replies that the client has not asked for, beside the reply to a request (RFC 9113 §8.4); on the loop's thread
/// only.
///
/// The journal has their frames alone: no client has made their requests.
struct ReplyPusher {
    /// The request that they go with.
    let request: StageRequest<MultiplexedStream>
    let head: RequestHead
    /// Whose exchanges answer.
    let origin: Int
    let owner: HTTP2Connection

    /// Promises the request on the stream, and lets a task answer it; returns the bytes of the promise, nil where the
    /// client permits no push.
    ///
    /// Throws where nothing answers it.
    func push(_ pushed: PushedRequest) throws(ConnectionEnd) -> Int? {
        let stream = request.wire
        guard let number = owner.state.nextPromisedStream else { return nil }
        let before = owner.output.byteCount
        let authority = head.fields.first(named: "Host").map { Array($0) }
        let path = (request.stage.addresses.mountPath ?? []) + pushed.target
        let fields = pushed.fields.map { HeaderField($0.name.lowercasedASCII, $0.value.literalBytes ?? []) }
        let promised = MultiplexedStream(
            UInt64(number), of: owner, on: owner.connection,
            head: RequestHead(
                RequestHead.ControlData(
                    method: Array(pushed.method.rawValue.utf8), path: path, authority: authority, endsStream: true,
                    contentLength: nil, stream: number), fields: fields.map { ($0.name, $0.value) }),
            hasEnded: true, arrival: stream.input.arrival)
        let answer = try reply(to: pushed, on: promised)
        let control = [
            (":method", Array(pushed.method.rawValue.utf8)), (":scheme", Array(stream.scheme.rawValue.utf8)),
            (":authority", authority), (":path", path),
        ]
        let pseudo = control.compactMap { name, value in value.map { HeaderField(Array(name.utf8), $0) } }
        let (block, note) = try owner.blocks.write(pseudo + fields, as: .promise, on: stream.id)
        let frames = Frame.pushPromise(
            number, dividing: block, on: stream.id, most: Int(owner.state.peers.maxFrameSize))
        owner.sendBlock(SentBlock(frames, note))
        owner.streams[promised.id] = promised
        owner.start(promised, answer)
        owner.wakeReader()
        return owner.output.byteCount - before
    }

    /// The first reply of the exchange that the request matches, whatever its guards and its turns are.
    private func reply(
        to pushed: PushedRequest, on promised: MultiplexedStream
    ) throws(ConnectionEnd) -> WaitingAnswer<MultiplexedStream> {
        let (stage, request) = (request.stage, request)
        guard let head = promised.input.request.head else { throw .serverCloses }
        let view = promised.view(
            head, pushed.target, of: stage, origin: origin, comparison: stage.compiled.comparison(for: head))
        guard let exchange = stage.compiled.candidate(for: view, origin: origin) else {
            throw .unanswerable("no exchange answers the pushed request \(pushed.text)")
        }
        let part = PlayedPart(exchange: exchange.index, reply: .turn(0), infos: [])
        guard stage.script(of: part) == nil else {
            throw .unanswerable(
                "the pushed request \(pushed.text) would be answered by a script, which asks for a request")
        }
        return .dialogue { () async throws(ConnectionEnd) in
            var plan = try ConnectionEnd.rethrow { () throws(ReplyFailure) in
                try stage.reply(
                    of: part, for: view, request.numbers, as: .sections,
                    codedByteLimit: promised.bounds.codedByteCount)
            }
            if plan == nil {
                plan = try await stage.awaitReply(
                    of: part, for: view, request.numbers, as: .sections, on: promised)
            }
            guard let plan else { return }
            _ = try await promised.sendReply(plan, nil)
        }
    }
}
