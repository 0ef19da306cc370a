internal import ProctorBase
internal import ProctorTLS

/// A call by which anybody gets the authority's certificate, or learns what was revoked.
enum TrustCall: Equatable {
    case pem, der, revocationList
    /// DER of an OCSPRequest, where it came in the path (RFC 6960 §A.1); nil: it is the content.
    case responder([UInt8]?)

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
            self = .responder(nil)
            return
        case _ where name.hasPrefix("ocsp/"):
            self = .responder(Self.request(inPath: name.dropFirst("ocsp/".count)))
        default: return nil
        }
        guard isReading else { throw .methodNotAllowed(method, allowed: ["GET"]) }
    }

    /// Base64, with its own slashes or escaped; what is neither becomes no request at all, which a responder can tell.
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

    func reply(_ body: [UInt8], _ desk: TLSContexts) async throws(ControlError) -> BuiltInReply {
        let authority: Authority
        do throws(SecurityRefusal) {
            authority = try await desk.open().authority
        } catch {
            throw ControlError(error, "there is no authority: ")
        }
        switch self {
        case .pem:
            return BuiltInReply(
                status: 200, contentType: Self.certificateType, bytes: Array(authority.certificatePEM.utf8))
        case .der:
            return BuiltInReply(status: 200, contentType: Self.certificateType, bytes: authority.certificateDER)
        case .revocationList:
            let list = await TLSContexts.threads.run { () -> Result<[UInt8], AuthorityError> in
                do throws(AuthorityError) {
                    return .success(try authority.revocationList())
                } catch {
                    return .failure(error)
                }
            }
            switch list {
            case .success(let bytes):
                return BuiltInReply(status: 200, contentType: "application/pkix-crl", bytes: bytes)
            case .failure(let refusal): throw ControlError(SecurityRefusal(refusal), "there is no revocation list: ")
            }
        case .responder(let request):
            let request = request ?? body
            let bytes = await TLSContexts.threads.run { authority.ocspResponse(to: request) }
            return BuiltInReply(status: 200, contentType: "application/ocsp-response", bytes: bytes)
        }
    }

    private static let certificateType = "application/x-x509-ca-cert"
}
