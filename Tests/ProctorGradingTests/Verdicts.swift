import ProctorHTTP
import ProctorTrace

extension GuardVerdict {
    /// Of a guard of an origin, or of a proxy where its name says so.
    static func of(
        _ outcome: Outcome, by name: String = "lab", attempt: Int = 0, scheme: String? = nil, user: String? = nil,
        nc: UInt32? = nil, faults: [CredentialFault] = [], remarks: [CredentialFault] = []
    ) -> GuardVerdict {
        GuardVerdict(
            guardName: name, field: name == "proxy" ? "Proxy-Authorization" : "Authorization", attempt: attempt,
            scheme: scheme, user: user, nonceCount: nc, outcome: outcome, faults: faults, remarks: remarks)
    }
}

extension CredentialFault {
    static let wrongURI = CredentialFault(
        .wrongURI, "uri is \"/b\", and the request-target is \"/a\"", section: "RFC 7616 §3.4.6")
    static let wrongResponse = CredentialFault(
        .wrongResponse, "expected response aa, received bb, computed with the wrong uri", section: "RFC 7616 §3.4.1")
    static let skipped = CredentialFault(.skippedNonceCount, "nc 00000003 follows 00000001", section: "RFC 7616 §3.4")
    static let wrongPassword = CredentialFault(
        .wrongPassword, "the password of \"user\" is not \"x\"", section: "RFC 7617 §2")
}
