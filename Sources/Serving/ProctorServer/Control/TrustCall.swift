internal import ProctorBase
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorServing
internal import ProctorTLS

/// A call that needs no token: for the authority's certificate, or for revocation data.
enum TrustCall: Equatable {
    case pem, der, revocationList
    /// DER of an OCSPRequest in the path (RFC 6960 §A.1); nil: the request is the content.
    case responder(inPath: [UInt8]?)

    /// nil for a path of another call.
    init?(method: String, path: String) throws(ControlError) {
        let name = path.dropFirst(ControlCall.prefix.count + 1)
        let isReading = method == "GET" || method == "HEAD"
        switch name {
        case "ca.pem": self = .pem
        case "ca.der": self = .der
        case "crl": self = .revocationList
        case "ocsp":
            guard method == "POST" else { throw .methodNotAllowed(method, allowed: ["POST"]) }
            self = .responder(inPath: nil)
            return
        case _ where name.hasPrefix("ocsp/"):
            self = .responder(inPath: Self.request(inPath: name.dropFirst("ocsp/".count)))
        default: return nil
        }
        guard isReading else { throw .methodNotAllowed(method, allowed: ["GET"]) }
    }

    /// Decodes Base64 with literal or escaped slashes; invalid text becomes an invalid request, which the responder
    /// refuses.
    private static func request(inPath text: Substring) -> [UInt8] {
        var plain: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            let digits = String(decoding: rest.prefix(2), as: UTF8.self)
            if byte == UInt8(ascii: "%"), digits.utf8.count == 2, let escaped = UInt8(digits, radix: 16) {
                plain.append(escaped)
                rest = rest.dropFirst(2)
            } else {
                plain.append(byte)
            }
        }
        return (try? Base64Text.decode(plain)) ?? []
    }

    func reply(body: [UInt8], _ contexts: TLSContexts) async throws(ControlError) -> BuiltInReply {
        let authority: Authority
        do throws(SecurityRefusal) {
            authority = try await contexts.open().authority
        } catch {
            throw ControlError(error, "there is no authority: ")
        }
        let (contentType, bytes): (String, [UInt8])
        switch self {
        case .pem: (contentType, bytes) = (Self.certificateType, Array(authority.certificatePEM.utf8))
        case .der: (contentType, bytes) = (Self.certificateType, authority.certificateDER)
        case .revocationList:
            contentType = "application/pkix-crl"
            do throws(AuthorityError) {
                bytes = try await WorkThreads.security.attempt(within: .ofInput) { _ throws(AuthorityError) in
                    try authority.revocationList()
                }
            } catch {
                throw ControlError(SecurityRefusal(error), "there is no revocation list: ")
            }
        case .responder(let request):
            let request = request ?? body
            contentType = "application/ocsp-response"
            bytes = await WorkThreads.security.run(within: .ofInput) { _ in authority.ocspResponse(to: request) }
        }
        return BuiltInReply(status: 200, contentType: contentType, bytes: bytes)
    }

    private static let certificateType = "application/x-x509-ca-cert"
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
