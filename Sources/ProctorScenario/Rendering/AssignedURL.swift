import ProctorBase

/// Makes a program's URL absolute, as a client is told it.
struct AssignedURL {
    let context: TemplateContext
    /// By which `http` is called; nil: as it is.
    var ownScheme: String?

    private static let http = Array("http://".utf8)

    /// One that begins with `/`, or is empty, lies below the base; blanks and controls before it stay before it.
    func of(_ url: Template) -> String {
        var bytes = url.rendered(in: context)
        let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
        if start == bytes.endIndex || bytes[start] == UInt8(ascii: "/") {
            bytes.insert(contentsOf: context.base, at: start)
        }
        if let ownScheme, bytes[start...].prefix(Self.http.count).map(\.asciiLowercased) == Self.http {
            bytes.replaceSubrange(start..<(start + "http".utf8.count), with: ownScheme.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Of a program, which may want its text handed over as it is.
    func of(_ program: ClientProgram) -> String {
        program.isURLVerbatim
            ? String(decoding: program.url.rendered(in: context), as: UTF8.self) : of(program.url)
    }
}
