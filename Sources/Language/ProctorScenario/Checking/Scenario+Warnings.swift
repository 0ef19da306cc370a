internal import ProctorBase
package import ProctorDocument
internal import ProctorHTTP

extension Scenario {
    /// Legal but unusual contents, in the order of the file.
    package var warnings: [Diagnostic] {
        (warningsOfHEAD + warningsOfPushes + warningsOfEscapes + (service?.warnings ?? [])).sorted()
    }

    private var warningsOfHEAD: [Diagnostic] {
        exchanges.filter(\.takesHeadAmongOthers).flatMap(\.replies).compactMap { reply in
            guard case .raw(let pieces)? = reply.message, pieces.hasContentBehindHead else { return nil }
            return Diagnostic(
                location: reply.location,
                sentence: "HEAD can reach this raw reply, which sends its body to it too (RFC 9110 §9.3.2)",
                hint: "write GET where only GET is meant, or an exchange for HEAD before it", level: .warning)
        }
    }
}

extension Scenario {
    /// Warnings for pushed requests that match no exchange of their origin.
    private var warningsOfPushes: [Diagnostic] {
        exchanges.flatMap { exchange in
            exchange.replies.flatMap(\.pushes).compactMap { request, location in
                let isAnswered = exchanges.contains { $0.origin == exchange.origin && $0.request.mayMatch(request) }
                guard !isAnswered else { return nil }
                return Diagnostic(
                    location: location ?? exchange.location,
                    sentence: "no exchange of the origin answers the pushed \(request.method.rawValue) "
                        + String(decoding: request.target, as: UTF8.self),
                    hint: "write one with that target; its first reply is pushed", level: .warning)
            }
        }
    }
}

extension Scenario {
    /// Warnings for texts under `query` that are written encoded, though they are compared decoded.
    private var warningsOfEscapes: [Diagnostic] {
        exchanges.compactMap { exchange in
            let items = (exchange.request.query ?? []).filter { !$0.isRaw }
            let encoded = items.flatMap { [$0.name, $0.value.exactBytes ?? []] }.first { PercentText.decode($0) != $0 }
            guard let encoded else { return nil }
            return Diagnostic(
                location: exchange.location,
                sentence: "a query is compared decoded, so that \(quoted(String(decoding: encoded, as: UTF8.self))) "
                    + "is not what its escapes stand for",
                hint: "write the text itself, or raw query for what stands in the target", level: .warning)
        }
    }
}

extension RequestPattern {
    /// Whether method and target match the pushed request; conditions on the query are not checked.
    fileprivate func mayMatch(_ pushed: PushedRequest) -> Bool {
        guard methods?.contains(Array(pushed.method.rawValue.utf8)) != false else { return false }
        let path = pushed.target.prefix { $0 != UInt8(ascii: "?") }
        return expression != nil || target.matches(pushed.target) || query != nil && target.matches(Array(path))
    }
}

extension Reply {
    /// The pushes at all positions of the reply, in the order of the file.
    fileprivate var pushes: [(request: PushedRequest, location: SourceLocation?)] {
        var actions = effects.map { ($0.action, Optional($0.location)) }
        if case .structured(let message)? = message {
            for case .effect(let action) in message.interim { actions.append((action, nil)) }
            for case .effect(let action) in message.body { actions.append((action, nil)) }
        }
        return actions.compactMap { action, location in
            if case .frames(.push(let request)) = action { (request, location) } else { nil }
        }
    }
}

extension Exchange {
    /// Whether HEAD is one of several methods; an author who writes only HEAD knows that its reply has no content.
    fileprivate var takesHeadAmongOthers: Bool {
        guard let methods = request.methods else { return true }
        return methods.count > 1 && methods.contains(Array("HEAD".utf8))
    }
}

extension [BodyPiece] {
    /// Whether bytes may follow the first empty line; bytes of files and patterns count as content.
    fileprivate var hasContentBehindHead: Bool {
        var head: [UInt8] = []
        for case .bytes(let source) in self {
            switch source {
            case .literal(let bytes): head += bytes
            case .template(let template):
                // Late-bound text contains no line end.
                for part in template.parts {
                    if case .literal(let bytes) = part { head += bytes } else { head.append(UInt8(ascii: "x")) }
                }
            case .file, .repeated, .pattern: return true
            }
        }
        let end = head.firstRange(ofBytes: [UInt8]("\r\n\r\n".utf8)) ?? head.firstRange(ofBytes: [UInt8]("\n\n".utf8))
        guard let end else { return false }
        return end.upperBound < head.endIndex
    }
}
