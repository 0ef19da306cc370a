/// A method that a delegate may lack, named by the event that it reports.
public enum DelegateMethod: String, Sendable, CaseIterable {
    /// Of a connection or a download it is the method that also announces a rewritten request (`canonicalize`).
    case redirect
    case needBodyStream, bodySent, willCache
    /// Of sessions and connections alone, here.
    case response
    /// Of connections and downloads alone.
    case askCanAuth, askCredStore
    /// Of NSURLDownload alone.
    case shouldDecode, destination
}

extension SessionSetup {
    /// The methods for challenges that the delegate of a connection or a download has (R19).
    public enum ChallengeMethods: String, Sendable, CaseIterable {
        /// `canAuthenticateAgainstProtectionSpace`, `didReceiveAuthenticationChallenge` and `didCancel…`.
        case old
        /// `willSendRequestForAuthenticationChallenge`, which NSURLDownload does not know.
        case new
        case both
    }
}

extension Assignment {
    /// What NSURLDownload is told when it asks whether a file is decoded.
    public enum DecodeAnswer: Sendable, Equatable {
        case decode, leave
        /// By the type in the question, in lower case; other types are left.
        case byType([DecodedType])

        /// `decode` or `leave`; nil for other words.
        package init?(word: String) {
            switch word {
            case "decode": self = .decode
            case "leave": self = .leave
            default: return nil
            }
        }

        /// Whether a file of that type is decoded.
        public func decodes(_ type: String) -> Bool {
            switch self {
            case .decode: true
            case .leave: false
            case .byType(let types): types.first { $0.type == type.lowercased() }?.isDecoded ?? false
            }
        }
    }

    /// One type of a ``DecodeAnswer``.
    public struct DecodedType: Sendable, Equatable {
        /// A media type without parameters, in lower case.
        public let type: String
        /// Whether a file of the type is decoded.
        public let isDecoded: Bool

        /// Makes an entry.
        public init(type: String, isDecoded: Bool) {
            self.type = type
            self.isDecoded = isDecoded
        }
    }

    /// What the client says to the canonical form of its request.
    public typealias CanonicalAnswer = AnswerToRewriting<String, [[String]]>
}

/// An answer to a request that the loader rewrote; fixtures and assignments have different forms of URLs and fields.
public enum AnswerToRewriting<Address: Sendable, Fields: Sendable>: Sendable {
    case accept, refuse
    /// Sends another request instead.
    case change(method: String?, url: Address?, headers: Fields)

    /// All but a change; nil for an unknown word.
    package init?(word: String) {
        switch word {
        case "accept": self = .accept
        case "refuse": self = .refuse
        default: return nil
        }
    }

    /// As fixtures and assignments name it.
    public var word: String {
        switch self {
        case .accept: "accept"
        case .refuse: "refuse"
        case .change: "change"
        }
    }

    /// Converts URLs and fields.
    package func map<OtherAddress, OtherFields>(
        url: (Address) -> OtherAddress, headers: (Fields) -> OtherFields
    ) -> AnswerToRewriting<OtherAddress, OtherFields> {
        switch self {
        case .accept: .accept
        case .refuse: .refuse
        case .change(let method, let address, let fields):
            .change(method: method, url: address.map(url), headers: headers(fields))
        }
    }
}

extension AnswerToRewriting: Equatable where Address: Equatable, Fields: Equatable {}
