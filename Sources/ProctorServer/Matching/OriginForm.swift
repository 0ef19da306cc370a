/// The origin-form of a request-target in absolute-form: path and query (RFC 9112 §3.2.1).
enum OriginForm {
    /// An empty path becomes `/`; a target without an authority comes back as it is.
    static func of(absolute target: [UInt8]) -> [UInt8] {
        guard let colon = target.firstIndex(of: UInt8(ascii: ":")), target[colon...].starts(with: "://".utf8) else {
            return target
        }
        let authority = target[(colon + 3)...]
        guard let end = authority.firstIndex(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }) else {
            return [UInt8(ascii: "/")]
        }
        let rest = Array(target[end...])
        return rest.first == UInt8(ascii: "?") ? [UInt8(ascii: "/")] + rest : rest
    }
}
