internal import Foundation
package import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#else
    internal import Security
#endif

/// The trusted authority and the identity of a session, used when the program has no answer.
package struct SessionCertificates: Sendable {
    /// The path of the only authority, PEM, or a `data:` URL of it; nil: the system's authorities.
    var trust: String?
    var identity: Assignment.Identity?

    package init(trust: String? = nil, identity: Assignment.Identity? = nil) {
        (self.trust, self.identity) = (trust, identity)
    }

    /// The answer to a challenge for which no program has one.
    typealias Standard = (disposition: URLSession.AuthChallengeDisposition, credential: URLCredential?)

    #if canImport(Darwin)
        /// Whether the session needs a delegate for challenges about certificates even without program answers: there
        /// is no other way to set an authority.
        package var wantQuestions: Bool { trust != nil || identity != nil }

        /// Accepts a server whatever its certificate; nil for other challenges.
        func trusting(_ challenge: URLAuthenticationChallenge) -> URLCredential? {
            challenge.protectionSpace.serverTrust.map { URLCredential(trust: $0) }
        }

        /// Default handling, with the session's authority in place of the system's authorities.
        func standardAnswer(to challenge: URLAuthenticationChallenge) -> Standard {
            let space = challenge.protectionSpace
            if let trust, let server = space.serverTrust, Self.isTrusted(server, by: trust) {
                return (.useCredential, URLCredential(trust: server))
            }
            if space.authenticationMethod == NSURLAuthenticationMethodClientCertificate,
                let credential = identity.flatMap(Self.credential)
            {
                return (.useCredential, credential)
            }
            // Default handling refuses the server, since the system does not trust the authority either.
            return (.performDefaultHandling, nil)
        }

        private static func isTrusted(_ server: SecTrust, by path: String) -> Bool {
            guard let text = AssignedFile.text(at: path), let der = AssignedFile.firstCertificate(in: text),
                let anchor = SecCertificateCreateWithData(nil, der as CFData)
            else { return false }
            guard SecTrustSetAnchorCertificates(server, [anchor] as CFArray) == errSecSuccess,
                SecTrustSetAnchorCertificatesOnly(server, true) == errSecSuccess
            else { return false }
            return SecTrustEvaluateWithError(server, nil)
        }

        /// A credential from a PKCS #12 file (RFC 7292), in memory only; nil when it can't be read.
        static func credential(_ identity: Assignment.Identity) -> URLCredential? {
            guard let bytes = AssignedFile.bytes(at: identity.pkcs12) else { return nil }
            var options: [String: Any] = [kSecImportExportPassphrase as String: identity.passphrase]
            #if os(macOS)
                options[kSecImportToMemoryOnly as String] = true
            #endif
            var items: CFArray?
            guard unsafe SecPKCS12Import(bytes as CFData, options as CFDictionary, &items) == errSecSuccess,
                let first = (items as? [[String: Any]])?.first,
                let item = first[kSecImportItemIdentity as String] as CFTypeRef?,
                CFGetTypeID(item) == SecIdentityGetTypeID()
            else { return nil }
            let chain = first[kSecImportItemCertChain as String] as? [Any]
            return URLCredential(
                identity: unsafe unsafeDowncast(item, to: SecIdentity.self),
                certificates: chain.map { Array($0.dropFirst()) },
                persistence: .none)
        }
    #else
        /// URLSession on Linux never asks about certificates.
        package var wantQuestions: Bool { false }

        func trusting(_ challenge: URLAuthenticationChallenge) -> URLCredential? { nil }

        func standardAnswer(to challenge: URLAuthenticationChallenge) -> Standard { (.performDefaultHandling, nil) }

        static func credential(_ identity: Assignment.Identity) -> URLCredential? { nil }
    #endif
}
