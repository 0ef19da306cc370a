internal import ProctorBase
package import ProctorDocument

extension Scenario {
    /// Legal but unusual contents, in the order of the file.
    package var warnings: [Diagnostic] {
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
    /// Whether HEAD is one of several methods; an author who writes HEAD alone knows its rules.
    fileprivate var takesHeadAmongOthers: Bool {
        guard let methods = request.methods else { return true }
        return methods.count > 1 && methods.contains(Array("HEAD".utf8))
    }
}

extension [BodyPiece] {
    /// Whether bytes may follow the first empty line; bytes from elsewhere count as content.
    fileprivate var hasContentBehindHead: Bool {
        var head: [UInt8] = []
        for case .bytes(let source) in self {
            switch source {
            case .literal(let bytes): head += bytes
            case .template(let template):
                // Late-bound text has no line end.
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
