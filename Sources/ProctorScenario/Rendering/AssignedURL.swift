import ProctorBase

/// Makes a program's URL absolute, as a client is told it.
struct AssignedURL {
    let context: TemplateContext
    /// By which `http` is called; nil: as it is.
    var ownScheme: String?

    private static let http = Array("http://".utf8)

    /// One that begins with `/`, or is empty, lies below the base.
    func of(_ url: Template) -> String {
        var bytes = url.rendered(in: context)
        if bytes.isEmpty || bytes.first == UInt8(ascii: "/") { bytes = context.base + bytes }
        if let ownScheme, bytes.prefix(Self.http.count).map(\.asciiLowercased) == Self.http {
            bytes.replaceSubrange(..<"http".utf8.count, with: ownScheme.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
