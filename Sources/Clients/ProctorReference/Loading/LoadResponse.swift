internal import ProctorBase
public import ProctorHTTP
internal import ProctorHTTPClient

/// A response as the client sees it: the URL of its request, and its head.
public struct LoadResponse: Sendable, Equatable {
    /// The URL of the request to which it is the response.
    public var url: ClientURL
    /// The head; for a part of multipart/x-mixed-replace, the head of the whole reply (R26).
    package var head: ReplyHead
    /// The fields of the part, which replace those of the head; nil when the reply has no parts.
    package var partFields: FieldSection?

    /// A deliberate fault in reading the fields.
    package var fault: Fault?

    /// A deliberate fault in reading the fields of a response, by the label of its breakage.
    package enum Fault: String, Sendable, CaseIterable {
        case lastLineWins = "fields-last-line-wins"
        case namesMatter = "field-names-matter"
        case charsetIsForgotten = "charset-is-forgotten"
    }

    /// The fields behind the content (RFC 9110 §6.5), known when it has ended.
    package var trailers: [HTTPField] = []

    /// Makes a response without checking its values.
    package init(url: ClientURL, head: ReplyHead, partFields: FieldSection? = nil) {
        (self.url, self.head, self.partFields) = (url, head, partFields)
    }

    /// The status code, 100...999.
    public var status: Int { head.status }
}

extension LoadResponse {
    /// The fields of the part where there is one, else of the head.
    public var fields: [HTTPField] { [HTTPField](partFields ?? head.fields) }

    /// The media type in lower case, without parameters; nil where Content-Type is missing or unreadable.
    public var mimeType: String? { MediaType(of: fields)?.essence }

    /// The charset parameter in lower case; nil where Content-Type has none.
    package var charset: String? {
        fault == .charsetIsForgotten ? nil : MediaType(of: fields)?.charset
    }

    /// The value of a field in any case (RFC 9110 §5.1), its lines joined by commas (§5.3); nil where there is none.
    public func value(ofField name: String) -> String? {
        let lines = fields.filter { fault == .namesMatter ? $0.name == name : $0.isNamed(name) }.map(\.value)
        guard let last = lines.last else { return nil }
        return fault == .lastLineWins ? last : lines.joined(separator: ", ")
    }

    /// The file name for saving the content: one name without folders, never empty.
    package var suggestedName: String {
        let fields = fields
        return FileName.suggested(
            url: url, contentDisposition: fields.first(named: "Content-Disposition")?.bytes,
            mimeType: MediaType(of: fields)?.essence)
    }

    /// The announced length of the content in bytes, also after HEAD; nil when it is unknown.
    ///
    /// It is nil for coded content, since the announced length counts the coded bytes.
    public var expectedByteCount: Int? {
        guard partFields != nil || !ReplyCodings.areUndone(of: head) else { return nil }
        if partFields == nil {
            switch head.framing {
            case .length(let byteCount): return byteCount
            case .chunked, .untilClose, .tunnel, .stream: return nil
            case .none: break
            }
        }
        guard let digits = fields.value(of: "Content-Length"), digits.utf8.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        return Int(digits)
    }
}

/// A challenge for a credential (R10–R17), or a question of a handshake (R18).
public struct LoadChallenge: Sendable, Equatable {
    /// The protection space of the credential.
    public var space: ProtectionSpace
    /// The number of credentials that were refused for this space in this load.
    public var previousFailureCount: Int
    /// The last refused credential; before the first refusal the stored one.
    public var proposedCredential: LoadCredential?
    /// The reply with the challenge; nil for a question of a handshake.
    public var response: LoadResponse?
    /// The server's certificate and the verdict about it; nil when the question is not about trust.
    public var trust: ServerTrust?
    /// Names in DER of the authorities that the server accepts for the client; empty: any authority.
    package var acceptableIssuers: [[UInt8]] = []
    /// The task that opens the connection, for the delegate of the session.
    var taskNumber: Int?

    package init(
        space: ProtectionSpace, previousFailureCount: Int, proposedCredential: LoadCredential? = nil,
        response: LoadResponse?
    ) {
        (self.space, self.previousFailureCount) = (space, previousFailureCount)
        (self.proposedCredential, self.response) = (proposedCredential, response)
    }

    /// The protection space of a credential (RFC 9110 §11.5).
    public struct ProtectionSpace: Sendable, Hashable {
        /// The kind in traces: `basic`, `digest`, `bearer`, `proxyBasic` or `proxyDigest`; of handshakes `serverTrust`
        /// or `clientCert`.
        public var kind: String
        /// The origin of the server or of the proxy.
        public var origin: Origin
        /// The realm as the server spells it; empty when it names none, which only Bearer permits.
        public var realm: String
        /// Whether the challenge came in a 407, so that the credential is for the proxy only (RFC 9110 §11.7).
        public var isProxy: Bool

        /// Makes a space without checking its values.
        public init(kind: String, origin: Origin, realm: String, isProxy: Bool = false) {
            (self.kind, self.origin, self.realm, self.isProxy) = (kind, origin, realm, isProxy)
        }
    }
}

extension LoadChallenge {
    package init(_ trust: ServerTrust, at origin: Origin) {
        self.init(
            space: ProtectionSpace(kind: ProtectionSpace.serverTrust, origin: origin, realm: ""),
            previousFailureCount: 0, response: nil)
        self.trust = trust
    }

    /// Asks for a client certificate of one of these authorities; names in DER (RFC 8446 §4.2.4).
    package init(acceptableIssuers: [[UInt8]], at origin: Origin) {
        self.init(
            space: ProtectionSpace(kind: ProtectionSpace.clientCertificate, origin: origin, realm: ""),
            previousFailureCount: 0, response: nil)
        self.acceptableIssuers = acceptableIssuers
    }
}

extension LoadChallenge.ProtectionSpace {
    static let serverTrust = "serverTrust"
    static let clientCertificate = "clientCert"

    /// Whether a handshake asks, so that the session's method comes before the task's (R18).
    package var isOfConnection: Bool { kind == Self.serverTrust || kind == Self.clientCertificate }
}

/// Why a load failed, with Foundation's code for the reason.
public struct LoadError: Error, Sendable, Equatable {
    /// The reason; it decides the code and the short name.
    public let kind: Kind
    /// What happened, where, and what was expected, as a sentence.
    public let sentence: String
    /// The fault in the server's bytes after which nothing more can be read; nil for other reasons.
    package let violation: Violation?

    /// Reasons with their codes in NSURLErrorDomain.
    public enum Kind: Int, Sendable, CaseIterable {
        case cancelled = -999
        case badURL = -1000
        case timedOut = -1001
        case unsupportedURL = -1002
        case cannotFindHost = -1003
        case cannotConnect = -1004
        case connectionLost = -1005
        case tooManyRedirects = -1007
        case resourceUnavailable = -1008
        case badServerResponse = -1011
        case userCancelledAuthentication = -1012
        case userAuthenticationRequired = -1013
        case cannotDecodeRawData = -1015
        case cannotParseResponse = -1017
        case requestBodyStreamExhausted = -1021
        case fileDoesNotExist = -1100
        case dataLengthExceedsMaximum = -1103
        case secureConnectionFailed = -1200
        case serverCertificateHasBadDate = -1201
        case serverCertificateUntrusted = -1202
        case serverCertificateNotYetValid = -1204
        case clientCertificateRejected = -1205
        case clientCertificateRequired = -1206
        case cannotCreateFile = -3000
        case cannotWriteToFile = -3003
    }

    /// Makes an error; `sentence` is lower case and has no full stop at its end.
    package init(_ kind: Kind, _ sentence: String, violation: Violation? = nil) {
        (self.kind, self.sentence, self.violation) = (kind, sentence, violation)
    }

    /// `unsupportedURL` where the scheme is at fault, else `badURL`.
    init(_ fault: ClientURLError) {
        switch fault {
        case .noScheme, .unsupportedScheme: self.init(.unsupportedURL, "\(fault)")
        case .noHost, .userinfoFromServer, .syntax: self.init(.badURL, "\(fault)")
        }
    }

    /// The code in NSURLErrorDomain, below 0.
    public var code: Int { kind.rawValue }
}

extension LoadError: CustomStringConvertible {
    /// Kind and sentence, as `cannotConnect: …`.
    public var description: String { "\(kind): \(sentence)" }
}
