internal import ProctorRegex

/// Conditions on a request that few patterns have; a class, so that the other patterns stay small.
package final class MoreConditions: Sendable {
    /// Conditions on captures of the target and the fields.
    package let captures: [NamedCondition]
    /// Conditions on all values of a cookie in the Cookie fields (RFC 6265 §5.4).
    package let cookies: [NamedCondition]
    /// Conditions on TLS; nil: none.
    package let security: SecurityConditions?
    /// Conditions none of which may hold.
    package let not: [RequestConditions]
    /// Conditions of which at least one must hold; empty: no condition.
    package let anyOf: [RequestConditions]

    /// nil when there is no condition.
    package init?(
        captures: [NamedCondition], cookies: [NamedCondition], security: SecurityConditions?, not: [RequestConditions],
        anyOf: [RequestConditions]
    ) {
        guard !captures.isEmpty || !cookies.isEmpty || security != nil || !not.isEmpty || !anyOf.isEmpty else {
            return nil
        }
        (self.captures, self.cookies, self.security, self.not, self.anyOf) = (captures, cookies, security, not, anyOf)
    }

    package struct NamedCondition: Sendable, Equatable {
        package let name: String
        package let value: ValueCondition

        package init(name: String, value: ValueCondition) {
            (self.name, self.value) = (name, value)
        }
    }

    /// Conditions on facts of TLS; nil: any value.
    package struct SecurityConditions: Sendable, Equatable {
        /// The server name that the client sent (RFC 6066 §3).
        package let serverName: ValueCondition?
        /// The protocol that ALPN selected (RFC 7301).
        package let applicationProtocol: ValueCondition?
        /// The name of the client's identity in the scenario, or the subject of its certificate.
        package let identity: ValueCondition?

        package init(serverName: ValueCondition?, applicationProtocol: ValueCondition?, identity: ValueCondition?) {
            (self.serverName, self.applicationProtocol, self.identity) = (serverName, applicationProtocol, identity)
        }
    }
}

/// Conditions on a request without method and path; all of them must hold.
package struct RequestConditions: Sendable {
    package let query: [RequestPattern.QueryItem]?
    package let headers: [RequestPattern.HeaderCondition]
    package let body: BodyPattern?
    package let more: MoreConditions?
    /// The conditions as the fixture has them, for messages.
    package let text: String

    package init(
        query: [RequestPattern.QueryItem]?, headers: [RequestPattern.HeaderCondition], body: BodyPattern?,
        more: MoreConditions?, text: String
    ) {
        (self.query, self.headers, self.body, self.more, self.text) = (query, headers, body, more, text)
    }
}

extension RequestPattern {
    /// Whether the target's pattern or expression matches these bytes.
    package func takes(target bytes: [UInt8]) -> Bool {
        expression.map { $0.verdict(on: bytes) == .holds } ?? target.matches(bytes)
    }

    /// Whether any condition is on the content.
    package var looksAtBody: Bool { body != nil || script != nil || more?.looksAtBody == true }

    /// Whether any condition is on TLS.
    package var looksAtSecurity: Bool { more?.looksAtSecurity == true }

    /// All patterns for content, with those of alternatives.
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
