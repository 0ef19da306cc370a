public import ProctorHTTP

/// Why a load failed, with the code that Foundation has for it.
public struct LoadError: Error, Sendable, Equatable {
    /// Decides the code and the short name.
    public let kind: Kind
    /// What happened, where, and what was expected; for a person.
    public let sentence: String
    /// The bytes of the server that can't be read on from, where they are the reason.
    public let violation: Violation?

    /// Codes of NSURLErrorDomain.
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

    /// The sentence is lower case and without a full stop.
    public init(_ kind: Kind, _ sentence: String, violation: Violation? = nil) {
        self.kind = kind
        self.sentence = sentence
        self.violation = violation
    }

    /// Of a load whose URL is none: `unsupportedURL` where the scheme is at fault, else `badURL`.
    init(_ fault: ClientURLError) {
        switch fault {
        case .noScheme, .unsupportedScheme: self.init(.unsupportedURL, "\(fault)")
        case .noHost, .userinfoFromServer, .syntax: self.init(.badURL, "\(fault)")
        }
    }

    /// Of NSURLErrorDomain, below 0.
    public var code: Int { kind.rawValue }
}

extension LoadError: CustomStringConvertible {
    /// `cannotConnect: …`.
    public var description: String { "\(kind): \(sentence)" }
}
