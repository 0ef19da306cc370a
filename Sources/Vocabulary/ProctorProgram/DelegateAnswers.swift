/// A method that a delegate may lack, named by the event that the method reports.
package enum DelegateMethod: String, Sendable, CaseIterable, AssignmentWord {
    /// For a connection or a download, the same method also reports a rewritten request (`canonicalize`).
    case redirect
    case needBodyStream, bodySent, willCache
    /// A method of sessions and connections only.
    case response
    /// Methods of connections and downloads only.
    case askCanAuth, askCredStore
    /// Methods of NSURLDownload only.
    case shouldDecode, destination
}

extension SessionSetup {
    /// The methods for challenges that the delegate of a connection or a download implements (R19).
    package enum ChallengeMethods: String, Sendable, CaseIterable, AssignmentWord {
        /// `canAuthenticateAgainstProtectionSpace`, `didReceiveAuthenticationChallenge` and `didCancel…`.
        case old
        /// `willSendRequestForAuthenticationChallenge`, which NSURLDownload does not call.
        case new
        case both
    }
}

extension Assignment {
    /// The answer when NSURLDownload asks whether to decode a file.
    package enum DecodeAnswer: Sendable, Equatable {
        case decode, leave
        /// Decodes by the type in the question, in lower case; files of other types are not decoded.
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
        package func decodes(_ type: String) -> Bool {
            switch self {
            case .decode: true
            case .leave: false
            case .byType(let types): types.first { $0.type == type.lowercased() }?.isDecoded ?? false
            }
        }
    }

    /// One entry of a ``DecodeAnswer``.
    package struct DecodedType: Sendable, Equatable {
        /// A media type without parameters, in lower case.
        package let type: String
        /// Whether a file of the type is decoded.
        package let isDecoded: Bool

        /// Makes an entry.
        package init(type: String, isDecoded: Bool) {
            (self.type, self.isDecoded) = (type, isDecoded)
        }
    }

    /// The client's answer to the canonical form of its request.
    package typealias CanonicalAnswer = AnswerToRewriting<String, [[String]]>
}

/// The client's answer to a rewritten request; fixtures and assignments write URLs and fields in different types.
package enum AnswerToRewriting<Address: Sendable, Fields: Sendable>: Sendable {
    case accept, refuse
    /// Sends another request instead.
    case change(method: String?, url: Address?, headers: Fields)

    /// Reads any answer except a change; nil for an unknown word.
    package init?(word: String) {
        switch word {
        case "accept": self = .accept
        case "refuse": self = .refuse
        default: return nil
        }
    }

    /// The name of the answer in fixtures and assignments.
    package var word: String {
        switch self {
        case .accept: "accept"
        case .refuse: "refuse"
        case .change: "change"
        }
    }

    /// Converts the URL and the fields.
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
