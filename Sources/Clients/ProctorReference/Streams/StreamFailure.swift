internal import ProctorHTTP

/// Why a stream ended without a complete reply.
enum StreamFailure {
    /// The connection ended; the reason is the beginning of a sentence.
    case lost(String)
    /// TLS can't continue; the reason is a sentence.
    case insecure(String)
    /// The server has reset the stream; the words name its frame and section.
    case reset(StreamReset, String)
    /// The server has not processed the request (RFC 9113 §8.7, RFC 9114 §5.2); the reason is the beginning of a sentence.
    ///
    /// `isUnsent`: no byte of it was sent.
    case unprocessed(String, isUnsent: Bool)
    /// The server violated a rule, so that this end reset the stream or closed the connection; the words name the rule.
    ///
    /// `isShort`: the content ended before its length, as after a lost connection of HTTP/1.1.
    case violation(String, isShort: Bool)
    /// The server spoke HTTP/1.1.
    case notHTTP2
    /// The server sent more than this client's limits permit; the reason is a sentence.
    case tooMuch(String)
    /// The server does not take such a request, which was not sent; the reason is a sentence.
    case unwanted(String)
    case shutDown
}

/// What the code of a reset means.
enum StreamReset {
    /// The server has not processed the request.
    case isRefused
    /// The server wants the request over HTTP/1.1.
    case wantsHTTP1
    case other
}

extension Transfer {
    func transferEnd(of stream: SharedStream, by failure: StreamFailure) -> TransferEnd {
        switch failure {
        case .lost(let sentence): lost(sentence)
        case .insecure(let sentence): insecure(sentence)
        case .reset(let meaning, let words): transferEnd(of: stream, by: meaning, words)
        case .unprocessed(let sentence, let isUnsent):
            unprocessed(
                "\(sentence), so the request was not processed (\(stream.connection.rules.unprocessed))",
                isUnsent: isUnsent)
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
        case .unwanted(let sentence): self.makeFailure(.dataLengthExceedsMaximum, sentence)
        case .shutDown: .failure(TransferFailure(ConnectionPool.closed))
        }
    }

    private func transferEnd(of stream: SharedStream, by meaning: StreamReset, _ words: String) -> TransferEnd {
        let sentence = "\(peer) reset stream \(stream.name) (\(words))"
        guard state.arrival.byteCount == 0 else { return .failure(TransferFailure(lostError(sentence))) }
        switch meaning {
        case .isRefused where fault?.neverRepeatsRefused != true: return unprocessed(sentence, isUnsent: false)
        case .wantsHTTP1:
            pool.requireHTTP1(for: connectionRequest.origin)
            return unprocessed(sentence, isUnsent: false)
        case .isRefused, .other:
            if fault?.repeatsReset == true { return unprocessed(sentence, isUnsent: false) }
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
