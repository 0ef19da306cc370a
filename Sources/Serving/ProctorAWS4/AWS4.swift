internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorHTTP
internal import ProctorReplies
internal import ProctorScenario

/// Signature Version 4 of AWS as a scheme of guards.
package enum AWS4 {
    /// Hands the scheme over, for every scenario that this process reads from then on.
    package static func register() {
        SchemeRow.register("aws4", takes: .users) { details, reader in reader.aws4(details) }
    }

    /// The only algorithm; also the scheme's name in Authorization.
    static let algorithm = "AWS4-HMAC-SHA256"
    /// As sections of rules are named.
    static let section = "AWS SigV4"
}

struct AWS4Keys: Sendable {
    let service = Key<String>("service") { $1.headText($0, "a service") }
    let region = Key<String>("region") { $1.headText($0, "a region") }
    let skew = Key("skew", Shape<Duration>.lifetime("a skew"))
}

extension ScenarioReader {
    static let aws4Table = Table("aws4", AWS4Keys())

    fileprivate func aws4(_ node: Node?) -> (any SchemeOffer)? {
        var offer = AWS4Offer()
        guard let node else { return offer }
        guard let keys = Self.aws4Table.open(node, self) else { return nil }
        (offer.service, offer.region) = (keys[\.service], keys[\.region])
        if let skew = keys[\.skew] { offer.skew = Int(clamping: skew.wholeNanoseconds / 1_000_000_000) }
        return offer
    }
}

/// Signature Version 4 as a guard wants it.
struct AWS4Offer: JudgedOffer {
    /// nil: any.
    var service: String?
    /// nil: any.
    var region: String?
    /// Seconds by which the date of a request may differ.
    var skew = 900

    var scheme: String { AWS4.algorithm }
    var spelling: String { AWS4.algorithm }
    var isOfConnection: Bool { false }

    /// AWS asks for no credential by a challenge.
    func challenge(realm: String) -> ChallengeText { .nothing }

    func judge(of rules: Guard, accounts: [CredentialAccount], tolerated: Set<Departure>) -> any OfferJudge {
        AWS4Judge(offer: self, accounts: accounts)
    }
}

/// The errors of S3 that answer what the guard refuses.
enum AWS4Error: String, CaseIterable {
    case accessDenied = "AccessDenied"
    case invalidAccessKeyId = "InvalidAccessKeyId"
    case headerMalformed = "AuthorizationHeaderMalformed"
    case queryMalformed = "AuthorizationQueryParametersError"
    case invalidRequest = "InvalidRequest"
    case timeTooSkewed = "RequestTimeTooSkewed"
    case contentMismatch = "XAmzContentSHA256Mismatch"
    case incompleteBody = "IncompleteBody"
    case signatureDoesNotMatch = "SignatureDoesNotMatch"

    init(_ kind: CredentialFault.Kind, isInQuery: Bool) {
        switch kind {
        case .unknownUser: self = .invalidAccessKeyId
        case .wrongDate: self = .timeTooSkewed
        case .expiredSignature, .unsignedField: self = .accessDenied
        case .wrongContentHash: self = .contentMismatch
        case .malformedContent: self = .incompleteBody
        case .malformedField, .missingParameter, .duplicateParameter, .wrongScope:
            self = isInQuery ? .queryMalformed : .headerMalformed
        case .wrongAlgorithm, .severalCredentials: self = .invalidRequest
        default: self = .signatureDoesNotMatch
        }
    }

    var reply: OwnReply {
        let status =
            switch self {
            case .accessDenied, .invalidAccessKeyId, .timeTooSkewed, .signatureDoesNotMatch: 403
            case .headerMalformed, .queryMalformed, .invalidRequest, .contentMismatch, .incompleteBody: 400
            }
        return OwnReply(
            status: status,
            document: OwnReply.Document(
                type: "application/xml",
                text: "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<Error><Code>\(rawValue)</Code><Message>\(message)"
                    + "</Message><RequestId>1</RequestId></Error>"))
    }

    private var message: String {
        switch self {
        case .accessDenied: "the request is not signed, a field of it is not, or its signature has expired"
        case .invalidAccessKeyId: "there is no such access key"
        case .headerMalformed: "Authorization is not as Signature Version 4 has it"
        case .queryMalformed: "the query is not as Signature Version 4 has it"
        case .invalidRequest: "the algorithm is \(AWS4.algorithm), and a request is signed once"
        case .timeTooSkewed: "the date differs too much from the server's"
        case .contentMismatch: "the content has another hash than x-amz-content-sha256"
        case .incompleteBody: "the content is not aws-chunked, or breaks off"
        case .signatureDoesNotMatch: "the signature is not the one that the server computes"
        }
    }
}
