/// The origin-form of a request-target in absolute-form: path and query (RFC 9112 §3.2.1).
enum OriginForm {
    /// An empty path becomes `/`; a target without an authority comes back as it is.
    static func of(absolute target: [UInt8]) -> [UInt8] { AbsoluteTarget.originForm(of: target) }
}
