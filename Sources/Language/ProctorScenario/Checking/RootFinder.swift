import ProctorBase

/// Finds why a scenario can't be served below a path of a shared port.
package struct RootFinder {
    package let origins: [Origin]
    package let guards: [Guard]
    package let exchanges: [Exchange]

    package init(origins: [Origin], guards: [Guard], exchanges: [Exchange]) {
        (self.origins, self.guards, self.exchanges) = (origins, guards, exchanges)
    }

    /// The first reason in the order of the file; nil when the scenario stays below `{{base}}`.
    package func reason() -> Scenario.RootReason? {
        if var reason = reasonOfOrigins() {
            reason.needsPort = true
            return reason
        }
        let reasons = [
            exchanges.lazy.compactMap { exchangeReason(of: $0) }.first,
            guards.lazy.compactMap { guardReason(of: $0) }.first,
        ]
        return reasons.compactMap(\.self).min {
            ($0.location.line, $0.location.column) < ($1.location.line, $1.location.column)
        }
    }

    /// Why a shared port can't serve the scenario at any path.
    private func reasonOfOrigins() -> Scenario.RootReason? {
        if origins.count > 1 { return .init(text: "it has \(origins.count) origins", location: origins[1].location) }
        guard let origin = origins.first else { return nil }
        func reason(_ text: String) -> Scenario.RootReason { .init(text: text, location: origin.location) }
        if origin.tls != nil { return reason("its origin speaks TLS") }
        if origin.scheme == .https { return reason("its origin has the scheme https") }
        if let text = origin.host.reason { return reason(text) }
        if let effect = origin.connectionEffects.first {
            return .init(text: "it has effects on connections", location: effect.location)
        }
        if let refusal = origin.role.refusal {
            return reason(origin.role == .closed ? "nothing listens at its origin" : "its origin \(refusal)")
        }
        if origin.role == .proxy { return reason("its origin is a proxy") }
        if origin.receiveBufferByteCount != nil { return reason("its origin has a receive buffer of its own") }
        if origin.protocols != ApplicationProtocol.usual { return reason("its origin speaks HTTP/2") }
        if origin.limits != nil { return reason("its origin has limits of its own") }
        return origin.acceptance == .anything ? reason("its origin accepts anything") : nil
    }

    private func exchangeReason(of exchange: Exchange) -> Scenario.RootReason? {
        if let text = Self.patternReason(of: exchange.request) { return .init(text: text, location: exchange.location) }
        return repliesReason(of: exchange.replies, folderDepth: exchange.request.folderDepth)
    }

    private func repliesReason(of replies: [Reply], folderDepth: Int) -> Scenario.RootReason? {
        for field in replies.lazy.flatMap(\.fields) {
            guard let text = FieldEscape(field: field, folderDepth: folderDepth).reason else { continue }
            return .init(text: text, location: field.location)
        }
        return nil
    }

    /// A protection space that is larger than the scenario, or a guard's reply that refers to a URL outside `{{base}}`.
    private func guardReason(of item: Guard) -> Scenario.RootReason? {
        let guarded = exchanges.filter { $0.guards.contains(item.index) }
        let depth = guarded.map(\.request.folderDepth).min() ?? 0
        let domain = TargetEscape(name: "domain of the guard \"\(item.name)\"", folderDepth: depth)
        for uri in item.schemes.lazy.flatMap(\.domain) {
            guard let text = domain.reason(uri.parts[...]) else { continue }
            return .init(text: text, location: item.location)
        }
        return repliesReason(of: item.refusals + [item.end?.reply].compactMap(\.self), folderDepth: depth)
    }

    /// The path of the mount can't be put before a request-target without a path.
    private static func patternReason(of request: RequestPattern) -> String? {
        if request.expression != nil { return nil }
        if case .literal(let start)? = request.target.parts.first, start.first == UInt8(ascii: "/") { return nil }
        return "the request \"\(request.text)\" is not in origin-form"
    }
}

extension Origin.Host {
    /// Why the shared port can't be the origin; nil when it can.
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
    /// The number of folders that the path of every matching request has at least: 1 for `/a/b`.
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
    /// The field lines of all heads, first those of interim replies.
    fileprivate var fields: [ReplyField] {
        guard case .structured(let reply)? = message else { return [] }
        let interim = reply.interim.flatMap { piece -> [ReplyField] in
            if case .reply(let interim) = piece { interim.headers } else { [] }
        }
        return interim + reply.headers + reply.trailers + (reply.unsatisfiable?.reply.fields ?? [])
    }
}

extension Guard.Scheme {
    /// The URIs of the protection space in the challenge (RFC 7616 §3.3).
    fileprivate var domain: [Template] {
        guard case .digest(let offer) = self else { return [] }
        let said = offer.overrides.first { $0.name.lowercased() == "domain" }
        guard let said else { return offer.domain }
        return (said.raw ?? "").split { $0 == " " || $0 == "\"" }.map { Template(parts: [.literal(Array($0.utf8))]) }
    }
}

/// Checks whether a field of a reply refers to a URL outside `{{base}}`.
struct FieldEscape {
    package let field: ReplyField
    /// The number of folders in the request's path, and so of `..` segments that stay below the base.
    let folderDepth: Int

    /// Half a sentence; nil when the reference is below the base.
    package var reason: String? {
        let name = String(decoding: field.name, as: UTF8.self)
        switch name.lowercased() {
        case "location", "content-location": return reason(field.value.parts[...])
        case "refresh": return reason(Self.after("url=", in: field.value.parts))
        case "link": return Self.linkTargets(in: field.value.parts).lazy.compactMap { reason($0) }.first
        case "set-cookie":
            guard let path = Self.cookiePath(field.value) else { return nil }
            return "the Set-Cookie has the absolute path \"\(path)\""
        default: return nil
        }
    }

    private func reason(_ parts: ArraySlice<Template.Part>) -> String? {
        TargetEscape(name: String(decoding: field.name, as: UTF8.self), folderDepth: folderDepth).reason(parts)
    }

    private static func after(_ marker: String, in parts: [Template.Part]) -> ArraySlice<Template.Part> {
        for (index, part) in parts.enumerated() {
            guard case .literal(let bytes) = part else { continue }
            let text = bytes.map(\.asciiLowercased)
            guard let range = text.firstRange(ofBytes: Array(marker.utf8)) else { continue }
            let rest = bytes[range.upperBound...].drop { $0 == 0x20 || $0 == 0x22 || $0 == 0x27 }
            return (rest.isEmpty ? [] : [.literal(Array(rest))]) + parts[(index + 1)...]
        }
        return []
    }

    /// The text between `<` and `>` (RFC 8288 §3).
    private static func linkTargets(in parts: [Template.Part]) -> [ArraySlice<Template.Part>] {
        var targets: [ArraySlice<Template.Part>] = []
        var current: [Template.Part]?
        for part in parts {
            guard case .literal(let bytes) = part else {
                current?.append(part)
                continue
            }
            var literal: [UInt8] = []
            for byte in bytes {
                if byte == UInt8(ascii: "<"), current == nil {
                    current = []
                    literal = []
                } else if byte == UInt8(ascii: ">"), let open = current {
                    targets.append((open + (literal.isEmpty ? [] : [.literal(literal)]))[...])
                    current = nil
                } else {
                    literal.append(byte)
                }
            }
            if current != nil, !literal.isEmpty { current?.append(.literal(literal)) }
        }
        return targets
    }

    /// The value of a Path attribute that begins with a slash (RFC 6265 §5.2.4).
    private static func cookiePath(_ value: Template) -> String? {
        var bytes: [UInt8] = []
        for case .literal(let literal) in value.parts { bytes += literal }
        for attribute in bytes.split(separator: UInt8(ascii: ";")).dropFirst() {
            let text = String(decoding: attribute, as: UTF8.self).trimmingSpaces
            guard text.lowercased().hasPrefix("path=") else { continue }
            let path = String(text.dropFirst(5)).trimmingSpaces
            if path.hasPrefix("/") { return path }
        }
        return nil
    }
}

/// Checks whether a reference is to a URL outside `{{base}}`.
struct TargetEscape {
    /// The field that holds the reference, for messages.
    package let name: String
    /// The number of folders in the request's path, and so of `..` segments that stay below the base.
    let folderDepth: Int

    /// Half a sentence; nil when the reference is below the base.
    package func reason(_ parts: ArraySlice<Template.Part>) -> String? {
        for part in parts {
            switch part {
            case .origin: return "the \(name) contains {{origin}}"
            case .authority: return "the \(name) contains {{authority}}"
            case .host: return "the \(name) contains {{host}}"
            case .port: return "the \(name) contains {{port}}"
            case .literal, .base, .now, .capture, .value: continue
            }
        }
        guard let first = parts.first else { return nil }
        switch first {
        case .base:
            let path = Self.path(parts.dropFirst())
            return Self.climbs(path, from: 0) ? "the \(name) climbs above {{base}}" : nil
        case .literal(let bytes):
            let shown = String(decoding: bytes, as: UTF8.self)
            if bytes.first == UInt8(ascii: "/") { return "the \(name) \"\(shown)\" is an absolute path" }
            if Self.hasScheme(bytes) { return nil }
            guard Self.climbs(Self.path(parts), from: folderDepth) else { return nil }
            return "the \(name) \"\(shown)\" climbs above {{base}}"
        case .origin, .authority, .host, .port, .now, .capture, .value: return nil
        }
    }

    /// The literal text up to `?` or `#`; a late-bound part counts as one character.
    private static func path(_ parts: ArraySlice<Template.Part>) -> [UInt8] {
        var bytes: [UInt8] = []
        for part in parts {
            guard case .literal(let literal) = part else {
                bytes.append(UInt8(ascii: "x"))
                continue
            }
            bytes += literal
        }
        return Array(bytes.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
    }

    /// Whether `..` segments, also percent-encoded ones, go above the first folder.
    private static func climbs(_ path: [UInt8], from depth: Int) -> Bool {
        var depth = depth
        var segments = path.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        // In `{{base}}/a` the slash belongs to the base.
        if path.first == UInt8(ascii: "/") { segments.removeFirst() }
        for segment in segments {
            let text = String(decoding: segment, as: UTF8.self).lowercased()
            switch text {
            case "..", ".%2e", "%2e.", "%2e%2e": depth -= 1
            case ".", "%2e": continue
            default: depth += 1
            }
            if depth < 0 { return true }
        }
        return false
    }

    private static func hasScheme(_ bytes: [UInt8]) -> Bool {
        guard bytes.first?.isASCIILetter == true else { return false }
        let scheme = bytes.prefix {
            $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x2B || $0 == 0x2D || $0 == 0x2E
        }
        return scheme.count < bytes.count && bytes[scheme.count] == UInt8(ascii: ":")
    }
}
