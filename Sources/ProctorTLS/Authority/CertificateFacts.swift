/// What can be told of a certificate that came from a peer.
public struct CertificateFacts: Sendable, Equatable {
    /// As `CN=Alice,O=Proctor`; empty when the bytes are no certificate.
    public let subject: String
    /// The client identity, or the profile, that it was minted by; nil for one that is not ours.
    public let name: String?

    /// The parts as they are.
    public init(subject: String, name: String?) {
        self.subject = subject
        self.name = name
    }
}
