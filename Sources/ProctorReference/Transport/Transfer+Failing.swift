internal import ProctorBase
internal import ProctorCoding
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTLS

/// The sentences that an transfer fails with: who, what, how far it had come.
extension Transfer {
    var peer: String { state.connection?.socket.peer.description ?? request.url.origin.description }

    /// What was asked for, for a person.
    var subject: String {
        state.tunnelRequest.map { "\($0.method) \($0.url.origin.hostAndPort)" } ?? "\(request.method) \(request.url)"
    }

    func failure(_ kind: LoadError.Kind, _ sentence: String) -> TransferEnd {
        .failure(TransferFailure(LoadError(kind, sentence)))
    }

    /// The peer left, or the network; before the first byte of a reply on a kept connection it may have been closed
    /// while the request was on its way (RFC 9112 §9.3.1).
    func lost(_ what: String) -> TransferEnd {
        let mayBeRetried = state.arrival.byteCount == 0 && state.connection?.isReused == true
        return .failure(
            TransferFailure(
                LoadError(.connectionLost, "\(what) \(progress)"), mayBeRetried: mayBeRetried,
                isUnsent: state.tunnelRequest != nil))
    }

    /// TLS can't go on: the peer said so by an alert, or sent what is no record of this session.
    func insecure(_ sentence: String) -> TransferEnd {
        guard let secured = state.connection?.secured else {
            return lost("the connection to \(peer) broke: \(sentence)")
        }
        let kind = LoadError.kind(of: secured.session, isShown: secured.isShown)
        let mayBeRetried = state.arrival.byteCount == 0 && state.connection?.isReused == true
        return .failure(
            TransferFailure(
                LoadError(kind, "TLS with \(peer) can't go on: \(sentence), \(progress)"), mayBeRetried: mayBeRetried))
    }

    func timedOut(after limit: UInt64) -> TransferEnd {
        failure(.timedOut, "nothing came from \(peer) for \(ConnectionPool.seconds(limit)), \(progress)")
    }

    /// Bytes that can't be read on from.
    func failure(of violation: Violation) -> TransferEnd {
        .failure(
            TransferFailure(
                LoadError(
                    .cannotParseResponse,
                    "the reply of \(peer) to \(subject) can't be read: \(violation)",
                    violation: violation)))
    }

    /// Content that is not what its coding says.
    func failure(of failure: CodingFailure) -> TransferEnd {
        self.failure(
            .cannotDecodeRawData,
            "the content of \(request.method) \(request.url) can't be decoded: \(failure)")
    }

    /// The socket was closed or cancelled by this side: by the host, by the sending side, by the pool.
    func ended() -> TransferEnd {
        if isOver { return .silence }
        if let failure = state.sending.failure { return .failure(TransferFailure(failure)) }
        return .failure(TransferFailure(ConnectionPool.closed))
    }

    private var progress: String {
        if state.tunnelRequest != nil { return "before its reply to \(subject) was complete" }
        guard state.arrival.byteCount > 0 else {
            return state.sending.isComplete
                ? "before any byte of a reply"
                : "before any byte of a reply, after \(state.sending.contentByteCount) bytes of the request's content were sent"
        }
        guard let head = state.arrival.head else {
            return "after \(state.arrival.byteCount) bytes of a reply, within its head"
        }
        return switch head.framing {
        case .length(let byteCount): "after \(state.arrival.contentByteCount) of \(byteCount) bytes of content"
        case .chunked: "after \(state.arrival.contentByteCount) bytes of content, before the last chunk (RFC 9112 §7.1)"
        case .none, .untilClose, .tunnel: "after \(state.arrival.contentByteCount) bytes of content"
        }
    }
}
