/// Whose form a signature has; each is HMAC with SHA-256 (RFC 2104) over the content and what the form adds.
enum SignatureForm: String, CaseIterable, Sendable {
    /// GitHub: `X-Hub-Signature-256: sha256=HEX` over the content.
    case github
    /// Stripe: `Stripe-Signature: t=SECONDS,v1=HEX` over `SECONDS.CONTENT`.
    case stripe
    /// Standard Webhooks: `webhook-signature: v1,BASE64` over `ID.SECONDS.CONTENT`.
    case standard
    /// Svix: the same with fields whose names begin with `svix-`.
    case svix
    /// Slack: `X-Slack-Signature: v0=HEX` over `v0:SECONDS:CONTENT`.
    case slack

    var hasTime: Bool { self != .github }
    /// Whether the id is signed.
    var signsID: Bool { self == .standard || self == .svix }
    /// Whether one field can have several signatures, one of which has to be right.
    var takesSeveral: Bool { self == .stripe || signsID }
}

/// What is wrong with a signature, or odd about it.
enum SignatureMistake: String, CaseIterable, Sendable {
    /// Its last character is another one.
    case lastCharacter = "last-character"
    /// Only its first half is there.
    case firstHalf = "first-half"
    case empty
    /// The field is left out.
    case missing
    /// The signature is made with another secret.
    case otherSecret = "other-secret"
    /// The signature is that of other content.
    case otherBody = "other-body"
    /// The signature says the name of another version.
    case otherVersion = "other-version"
    /// The signature is right, and its time stamp is ten minutes old.
    case old
    /// The signature is right, and its time stamp is ten minutes ahead.
    case ahead
    /// The time stamp is not the one that was signed.
    case otherTime = "other-time"
    /// The time stamp is left out.
    case noTime = "no-time"
    /// The id is not the one that was signed.
    case otherID = "other-id"
    /// A wrong one stands before the right one, as while a secret is replaced; the listener has to accept it.
    case wrongBefore = "wrong-before"

    /// Whether a listener has to accept the message.
    var isHarmless: Bool { self == .wrongBefore }

    func exists(in form: SignatureForm) -> Bool {
        switch self {
        case .lastCharacter, .firstHalf, .empty, .missing, .otherSecret, .otherBody, .otherVersion: true
        case .old, .ahead, .otherTime, .noTime: form.hasTime
        case .otherID: form.signsID
        case .wrongBefore: form.takesSeveral
        }
    }
}
