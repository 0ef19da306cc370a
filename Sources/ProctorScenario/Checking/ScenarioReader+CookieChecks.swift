import ProctorBase
import ProctorDocument

/// What goes together where a case asks about cookies.
extension ScenarioReader {
    /// Reports a demand on cookies in a case that writes them itself: what no reply has set is never conforming.
    func checkCookies(_ reader: MappingReader, _ client: [ClientProgram]) {
        guard let node = reader.entry("cookies")?.keyNode,
            let field = client.lazy.flatMap(\.cookiesByHand).first
        else { return }
        sink.report(
            node,
            "\"cookies\" asks for what a client keeps, and the field at \(field.line):\(field.column) is written by hand",
            hint: "have a reply set it, or ask for facts: { \"wire[0].headers.Cookie\": … }")
    }
}

extension ClientProgram {
    /// Where a Cookie field stands among its own, or among those that it answers a redirect with.
    fileprivate var cookiesByHand: [SourceLocation] {
        let changed = onRedirect.flatMap { answer -> [ReplyField] in
            if case .change(_, _, let fields) = answer { fields } else { [] }
        }
        return (headers + changed).filter { field in
            field.name.map(\.asciiLowercased) == Array("cookie".utf8)
        }.map(\.location)
    }
}
