internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorServing
internal import ProctorTLS

// Calls about the authority: its certificate, and revocation.
extension ControlAPI {
    func certificatePEM(_: ControlRequest) async throws(ControlError) -> BuiltInReply {
        BuiltInReply(
            status: 200, contentType: Self.certificateType, bytes: Array(try await authority().certificatePEM.utf8))
    }

    func certificateDER(_: ControlRequest) async throws(ControlError) -> BuiltInReply {
        BuiltInReply(status: 200, contentType: Self.certificateType, bytes: try await authority().certificateDER)
    }

    private static let certificateType = "application/x-x509-ca-cert"

    func revocationList(_: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let authority = try await authority()
        do throws(AuthorityError) {
            let bytes = try await WorkThreads.security.attempt(within: .ofInput) { _ throws(AuthorityError) in
                try authority.revocationList()
            }
            return BuiltInReply(status: 200, contentType: "application/pkix-crl", bytes: bytes)
        } catch {
            throw ControlError(SecurityRefusal(error), "there is no revocation list: ")
        }
    }

    /// The OCSPRequest is the content (RFC 6960 §A.1).
    func answerOCSP(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        try await ocspResponse(to: request.body)
    }

    /// The OCSPRequest is in the path, as Base64 with literal or escaped slashes (RFC 6960 §A.1); the responder refuses invalid
    /// text.
    func answerOCSPInPath(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let text = request.path.dropFirst("\(ControlCall.prefix)/ocsp/".utf8.count)
        let plain = PercentText.decode(text) ?? Array(text)
        return try await ocspResponse(to: (try? Base64Text.decode(plain)) ?? [])
    }

    private func ocspResponse(to request: [UInt8]) async throws(ControlError) -> BuiltInReply {
        let authority = try await authority()
        let bytes = await WorkThreads.security.run(within: .ofInput) { _ in authority.ocspResponse(to: request) }
        return BuiltInReply(status: 200, contentType: "application/ocsp-response", bytes: bytes)
    }

    private func authority() async throws(ControlError) -> Authority {
        do throws(SecurityRefusal) {
            return try await contexts.open().authority
        } catch {
            throw ControlError(error, "there is no authority: ")
        }
    }
}

extension RevocationURLs {
    /// On the shared port at `address`, as a client on this machine reaches it.
    init(servedAt address: SocketAddress) {
        // A client can't connect to the unspecified address.
        let local: SocketAddress =
            switch address {
            case .ipv4("0.0.0.0", let port): .ipv4(host: "127.0.0.1", port: port)
            case .ipv6("::", let port): .ipv6(host: "::1", port: port)
            case .ipv4, .ipv6, .unix: address
            }
        let base = "http://\(local)\(ControlCall.prefix)"
        self.init(revocationList: "\(base)/crl", responder: "\(base)/ocsp")
    }
}
