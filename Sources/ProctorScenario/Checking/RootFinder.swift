import ProctorBase

/// Finds out why a scenario cannot be served below a path of a shared port.
struct RootFinder {
    let origins: [Origin]
    let guards: [Guard]
    let exchanges: [Exchange]

    /// The first reason in the order of the file; nil when the scenario never leaves `{{base}}`.
    func reason() -> Scenario.RootReason? {
        if origins.count > 1 {
            return .init(text: "it has \(origins.count) origins", location: origins[1].location)
        }
        if let origin = origins.first, origin.tls != nil || origin.scheme == .https {
            return .init(
                text: origin.tls == nil ? "its origin has the scheme https" : "its origin speaks TLS",
                location: origin.location)
        }
        if let origin = origins.first, let text = origin.host.reason {
            return .init(text: text, location: origin.location)
        }
        if let effect = origins.first?.connectionEffects.first {
            return .init(text: "it has effects on connections", location: effect.location)
        }
        if let origin = origins.first, let refusal = origin.role.refusal {
            let text = origin.role == .closed ? "nobody listens at its origin" : "its origin \(refusal)"
            return .init(text: text, location: origin.location)
        }
        if let origin = origins.first, origin.role == .proxy {
            return .init(text: "its origin is a proxy", location: origin.location)
        }
        if let origin = origins.first, origin.receiveBufferByteCount != nil {
            return .init(text: "its origin has a receive buffer of its own", location: origin.location)
        }
        if let origin = origins.first, origin.acceptance == .anything || origin.limits != nil {
            return .init(
                text: origin.limits == nil ? "its origin accepts anything" : "its origin has limits of its own",
                location: origin.location)
        }
        let found = [
            exchanges.lazy.compactMap { reason(of: $0) }.first, guards.lazy.compactMap { reason(of: $0) }.first,
        ]
        return found.compactMap(\.self).min {
            ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column)
        }
    }

    private func reason(of exchange: Exchange) -> Scenario.RootReason? {
        if let text = Self.reason(of: exchange.request) { return .init(text: text, location: exchange.location) }
        return reason(of: exchange.replies, folderDepth: exchange.request.folderDepth)
    }

    private func reason(of replies: [Reply], folderDepth: Int) -> Scenario.RootReason? {
        for field in replies.lazy.flatMap(\.fields) {
            guard let text = FieldEscape(field: field, folderDepth: folderDepth).reason else { continue }
            return .init(text: text, location: field.location)
        }
        return nil
    }

    /// A protection space that a client takes for more than the scenario, and what a guard's own replies lead to.
    private func reason(of item: Guard) -> Scenario.RootReason? {
        let guarded = exchanges.filter { $0.guards.contains(item.index) }
        let depth = guarded.map(\.request.folderDepth).min() ?? 0
        let domain = TargetEscape(name: "domain of the guard \"\(item.name)\"", folderDepth: depth)
        for uri in item.schemes.lazy.flatMap(\.domain) {
            guard let text = domain.reason(uri.parts[...]) else { continue }
            return .init(text: text, location: item.location)
        }
        return reason(of: item.refusals + [item.end?.reply].compactMap(\.self), folderDepth: depth)
    }

    /// Request-targets that have no path to put a mount's before.
    private static func reason(of request: RequestPattern) -> String? {
        if case .literal(let start)? = request.target.parts.first, start.first == UInt8(ascii: "/") { return nil }
        return "the request \"\(request.text)\" is not in origin-form"
    }
}

extension Origin.Host {
    /// Why a shared port's address is none of its own; nil where it may be.
    fileprivate var reason: String? {
        switch self {
        case .address: nil
        case .loopback: "its origin has the address 127.0.0.1"
        case .localhost: "its origin is called localhost"
        case .otherAddress: "its origin has an address of its own"
        case .ipv6: "its origin has an address of IPv6"
        case .name(let name): "its origin is called \(name)"
        }
    }
}

extension RequestPattern {
    /// Folders that the path of every such request surely has: 1 for `/a/b`.
    fileprivate var folderDepth: Int {
        var slashes = 0
        for case .literal(let bytes) in target.parts {
            let path = bytes.prefix { $0 != UInt8(ascii: "?") }
            slashes += path.count { $0 == UInt8(ascii: "/") }
            if path.count < bytes.count { break }
        }
        return max(0, slashes - 1)
    }
}

extension Reply {
    /// The field lines of all its heads, interim ones first.
    fileprivate var fields: [ReplyField] {
        guard case .structured(let reply)? = message else { return [] }
        let interim = reply.interim.flatMap { piece -> [ReplyField] in
            if case .reply(let interim) = piece { interim.headers } else { [] }
        }
        return interim + reply.headers + reply.trailers + (reply.unsatisfiable?.reply.fields ?? [])
    }
}

extension Guard.Scheme {
    /// URIs of the protection space, in whatever way the challenge comes to say them (RFC 7616 §3.3).
    fileprivate var domain: [Template] {
        guard case .digest(let offer) = self else { return [] }
        let said = offer.overrides.first { $0.name.lowercased() == "domain" }
        guard let said else { return offer.domain }
        return (said.raw ?? "").split { $0 == " " || $0 == "\"" }.map { Template(parts: [.literal(Array($0.utf8))]) }
    }
}
