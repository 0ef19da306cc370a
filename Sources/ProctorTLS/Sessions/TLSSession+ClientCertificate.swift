internal import COpenSSL
internal import ProctorLoop

extension TLSSession {
    /// Asks the client for a certificate after the handshake (TLS 1.3, RFC 8446 §4.6.2), and waits for what it sends
    /// within `limit` nanoseconds.
    ///
    /// On the server's side, between two requests: nothing else may be read meanwhile. The client may answer that it
    /// has none. Fails where it has not said that it can be asked, or sends data instead of an answer.
    public func requestClientCertificate(within limit: UInt64 = .max) async throws(HandshakeFailure) {
        var time = HandshakeTime(limit: limit)
        beginCall()
        guard unsafe SSL_verify_client_post_handshake(ssl) == 1 else {
            throw .failed("the client can't be asked for a certificate: \(OpenSSLErrors.takeSentence())")
        }
        hasReadFinished = false
        unsafe proctor_SSL_set_msg_callback_arg(ssl, Unmanaged.passUnretained(self).toOpaque())
        unsafe SSL_set_msg_callback(ssl, noteMessage)
        defer { if labels == nil { unsafe SSL_set_msg_callback(ssl, nil) } }
        guard unsafe SSL_do_handshake(ssl) == 1 else { throw .failed(OpenSSLErrors.takeSentence()) }
        while true {
            try await send(upTo: .max, &time)
            let hasNews = hasNews(from: socket)
            try await send(upTo: .max, &time)
            if let failure { throw .failed(failure) }
            if hasReadFinished { return }
            if hasNews {
                throw hasPeerEnded
                    ? .peerLeft : .failed("the client sent data before it answered the request for its certificate")
            }
            try await waitToReceive(&time)
        }
    }
}
