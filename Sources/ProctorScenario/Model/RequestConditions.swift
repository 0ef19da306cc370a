internal import ProctorRegex

/// Conditions on a request that few patterns have; by reference, so that others stay small.
package final class MoreConditions: Sendable {
    /// On what the target and the fields capture.
    package let captures: [NamedCondition]
    /// On all values of a cookie in the Cookie fields (RFC 6265 §5.4).
    package let cookies: [NamedCondition]
    /// nil: any.
    package let security: SecurityConditions?
    /// None of these holds.
    package let not: [RequestConditions]
    /// One of these holds, unless there are none.
    package let anyOf: [RequestConditions]

    /// nil where nothing is asked.
    init?(
        captures: [NamedCondition], cookies: [NamedCondition], security: SecurityConditions?, not: [RequestConditions],
        anyOf: [RequestConditions]
    ) {
        guard !captures.isEmpty || !cookies.isEmpty || security != nil || !not.isEmpty || !anyOf.isEmpty else {
            return nil
        }
        self.captures = captures
        self.cookies = cookies
        self.security = security
        self.not = not
        self.anyOf = anyOf
    }

    package struct NamedCondition: Sendable, Equatable {
        package let name: String
        package let value: ValueCondition
    }

    /// On facts of TLS; nil: any.
    package struct SecurityConditions: Sendable, Equatable {
        /// The name that the client asked for (RFC 6066 §3).
        package let serverName: ValueCondition?
        /// The protocol that ALPN selected (RFC 7301).
        package let applicationProtocol: ValueCondition?
        /// The name of the client's identity in the scenario, or the subject of its certificate.
        package let identity: ValueCondition?
    }
}

/// Conditions on a request without method and path; all of them must hold.
package struct RequestConditions: Sendable {
    package let query: [RequestPattern.QueryItem]?
    package let headers: [RequestPattern.HeaderCondition]
    package let body: BodyPattern?
    package let more: MoreConditions?
    /// As the fixture has it, for messages.
    package let text: String
}

extension RequestPattern {
    /// Whether the target's pattern or expression takes these bytes.
    package func takes(target bytes: [UInt8]) -> Bool {
        expression.map { $0.verdict(on: bytes) == .holds } ?? target.matches(bytes)
    }

    /// Whether any condition is about content.
    package var looksAtBody: Bool { body != nil || script != nil || more?.looksAtBody == true }

    /// Whether any condition is about TLS.
    package var looksAtSecurity: Bool { more?.looksAtSecurity == true }

    /// All patterns for content, also those of alternatives.
    package var bodies: [BodyPattern] { [body].compactMap(\.self) + (more?.bodies ?? []) }
}

extension MoreConditions {
    fileprivate var parts: [RequestConditions] { not + anyOf }
    fileprivate var looksAtBody: Bool { parts.contains { $0.body != nil || $0.more?.looksAtBody == true } }
    fileprivate var looksAtSecurity: Bool {
        security != nil || parts.contains { $0.more?.looksAtSecurity == true }
    }
    fileprivate var bodies: [BodyPattern] {
        parts.flatMap { [$0.body].compactMap(\.self) + ($0.more?.bodies ?? []) }
    }
}
