internal import ProctorHTTP2

/// Why a stream ended without a complete reply.
enum HTTP2Failure {
    /// The connection ended; the reason is the beginning of a sentence.
    case lost(String)
    /// TLS can't continue; the reason is a sentence.
    case insecure(String)
    /// The server's RST_STREAM (RFC 9113 §6.4).
    case reset(ErrorCode)
    /// The server has not processed the request (RFC 9113 §8.7); the reason is the beginning of a sentence.
    ///
    /// `isUnsent`: no byte of it was sent.
    case unprocessed(String, isUnsent: Bool)
    /// The server violated a rule, so that this end reset the stream or closed the connection.
    ///
    /// `isShort`: the content ended before its length, as after a lost connection of HTTP/1.1.
    case violation(HTTP2Violation, isShort: Bool)
    /// The server spoke HTTP/1.1.
    case notHTTP2
    /// The server sent more than this client's limits permit; the reason is a sentence.
    case tooMuch(String)
    case shutDown
}

extension Transfer {
    func transferEnd(of stream: HTTP2Stream, by failure: HTTP2Failure) -> TransferEnd {
        switch failure {
        case .lost(let sentence): lost(sentence)
        case .insecure(let sentence): insecure(sentence)
        case .reset(let code): transferEnd(of: stream, by: code)
        case .unprocessed(let sentence, let isUnsent):
            unprocessed("\(sentence), so the request was not processed (RFC 9113 §8.7)", isUnsent: isUnsent)
        case .violation(let violation, let isShort):
            self.makeFailure(
                isShort ? .connectionLost : .cannotParseResponse,
                "the reply of \(peer) to \(subject) on stream \(stream.name) can't be read: \(violation)")
        case .notHTTP2:
            self.makeFailure(
                .cannotParseResponse,
                "\(peer) speaks HTTP/1.1, where \(subject) was sent by HTTP/2 with prior knowledge (RFC 9113 §3.3); let "
                    + "the client speak HTTP/1.1 alone")
        case .tooMuch(let sentence): self.makeFailure(.cannotParseResponse, "\(peer) \(sentence), \(progress)")
        case .shutDown: .failure(TransferFailure(ConnectionPool.closed))
        }
    }

    private func transferEnd(of stream: HTTP2Stream, by code: ErrorCode) -> TransferEnd {
        let sentence = "\(peer) reset stream \(stream.name) (RST_STREAM \(code), RFC 9113 §7)"
        guard state.arrival.byteCount == 0 else { return .failure(TransferFailure(lostError(sentence))) }
        switch code {
        case .refusedStream where fault != .http2(.neverRepeatsRefused): return unprocessed(sentence, isUnsent: false)
        case .http11Required:
            pool.requireHTTP1(for: connectionRequest.origin)
            return unprocessed(sentence, isUnsent: false)
        default:
            if fault == .http2(.repeatsReset) { return unprocessed(sentence, isUnsent: false) }
            return .failure(TransferFailure(lostError(sentence)))
        }
    }

    /// The end of a WebSocket's request that the server does not permit on a stream, so that it is repeated over HTTP/1.1.
    func withoutExtendedConnect() -> TransferEnd {
        pool.requireHTTP1(for: connectionRequest.origin, ofWebSockets: true)
        return unprocessed(
            "\(peer) permits no extended CONNECT (SETTINGS_ENABLE_CONNECT_PROTOCOL, RFC 8441 §3)", isUnsent: true)
    }

    private func unprocessed(_ sentence: String, isUnsent: Bool) -> TransferEnd {
        .failure(TransferFailure(lostError(sentence), isUnsent: isUnsent, isUnprocessed: true))
    }

    private func lostError(_ sentence: String) -> LoadError { LoadError(.connectionLost, "\(sentence) \(progress)") }
}
