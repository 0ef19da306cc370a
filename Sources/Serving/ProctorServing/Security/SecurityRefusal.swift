package import ProctorTLS

/// Why TLS is not available for a scenario or a port; parts without TLS still work.
package struct SecurityRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    package enum Reason: Sendable, Equatable {
        /// The private authority can't be opened: its folder is unusable, or other users could read its keys.
        case authority
        /// No certificate or client identity has that name.
        case unknownName
        /// The system's OpenSSL lacks a feature; no client is at fault.
        case notOffered
        /// Too many certificates are being made; a later call may succeed.
        case busy
        /// The settings are contradictory or invalid.
        case badSetup
    }

    package let reason: Reason
    /// One sentence for a person, with what to do.
    package let description: String

    package init(_ reason: Reason, _ description: String) {
        (self.reason, self.description) = (reason, description)
    }

    package init(_ refusal: AuthorityError) {
        let reason: Reason =
            switch refusal.reason {
            case .place, .permissions: .authority
            case .unknownName: .unknownName
            case .notOffered: .notOffered
            case .nameNotPermitted: .badSetup
            }
        self.init(reason, refusal.description)
    }

    package init(_ refusal: TLSSetupError) {
        let isOffered = !refusal.description.hasPrefix("not offered")
        self.init(isOffered ? .badSetup : .notOffered, refusal.description)
    }
}

extension SecurityRefusal {
    /// HTTP/3 was wanted of a build without QUIC.
    package static let withoutQUIC = SecurityRefusal(
        .notOffered,
        "this build of proctor has no HTTP/3: build it with `make` where pkg-config finds libngtcp2 0.12, which the package "
            + "libngtcp2-dev of Debian 12 has")
}
