internal import ProctorBase
public import ProctorDocument

extension Scenario {
    /// What can be served and is rarely meant, in the order of the file; no reason to refuse anything.
    public var warnings: [Diagnostic] {
        exchanges.filter(\.takesHeadAmongOthers).flatMap(\.replies).compactMap { reply in
            guard case .raw(let pieces)? = reply.message, pieces.hasContentBehindHead else { return nil }
            return Diagnostic(
                location: reply.location,
                sentence: "HEAD can reach this raw reply, which sends its body to it too (RFC 9110 §9.3.2)",
                hint: "write GET where only GET is meant, or an exchange for HEAD before it", level: .warning)
        }
    }
}

extension Exchange {
    /// Whether HEAD is one of several methods; who writes HEAD alone has thought of it.
    fileprivate var takesHeadAmongOthers: Bool {
        guard let methods = request.methods else { return true }
        return methods.count > 1 && methods.contains(Array("HEAD".utf8))
    }
}

extension [BodyPiece] {
    /// Whether bytes follow the first empty line, or may follow it: what stands in no fixture is taken for content.
    fileprivate var hasContentBehindHead: Bool {
        var head: [UInt8] = []
        for case .bytes(let source) in self {
            switch source {
            case .literal(let bytes): head += bytes
            case .template(let template):
                // What is late-bound is no line end.
                for part in template.parts {
                    if case .literal(let bytes) = part { head += bytes } else { head.append(UInt8(ascii: "x")) }
                }
            case .file, .repeated, .pattern: return true
            }
        }
        let end = head.firstRange(of: [UInt8]("\r\n\r\n".utf8)) ?? head.firstRange(of: [UInt8]("\n\n".utf8))
        guard let end else { return false }
        return end.upperBound < head.endIndex
    }
}
