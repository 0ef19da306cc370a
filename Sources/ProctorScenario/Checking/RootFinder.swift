import ProctorBase

/// Finds out why a scenario cannot be served below a path of a shared port.
struct RootFinder {
    let origins: [Origin]
    let exchanges: [Exchange]

    /// The first reason in the order of the file; nil when the scenario never leaves `{{base}}`.
    func reason() -> Scenario.RootReason? {
        if origins.count > 1 {
            return .init(text: "it has \(origins.count) origins", location: origins[1].location)
        }
        if let effect = origins.first?.connectionEffects.first {
            return .init(text: "it has effects on connections", location: effect.location)
        }
        if let origin = origins.first, let refusal = origin.role.refusal {
            let text = origin.role == .closed ? "nobody listens at its origin" : "its origin \(refusal)"
            return .init(text: text, location: origin.location)
        }
        if let origin = origins.first, origin.receiveBufferByteCount != nil {
            return .init(text: "its origin has a receive buffer of its own", location: origin.location)
        }
        for exchange in exchanges {
            if let text = Self.reason(of: exchange.request) { return .init(text: text, location: exchange.location) }
            let depth = exchange.request.folderDepth
            for reply in exchange.replies {
                for field in reply.fields {
                    guard let text = FieldEscape(field: field, folderDepth: depth).reason else { continue }
                    return .init(text: text, location: field.location)
                }
            }
        }
        return nil
    }

    /// Request-targets that have no path to put a mount's before.
    private static func reason(of request: RequestPattern) -> String? {
        guard case .literal(let start)? = request.target.parts.first else { return nil }
        if start.first == UInt8(ascii: "/") { return nil }
        return "the request \"\(request.text)\" is not in origin-form"
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
        return interim + reply.headers + reply.trailers
    }
}
