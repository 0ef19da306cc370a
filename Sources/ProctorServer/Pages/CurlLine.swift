internal import ProctorBase
internal import ProctorScenario

/// A client program as a command line for curl, as near as curl can come.
struct CurlLine: Sendable {
    let program: ClientProgram
    let base: String

    /// `base` is the scenario's URL without a slash at its end.
    init(program: ClientProgram, base: String) {
        self.program = program
        self.base = base
    }

    /// What the program asks for that curl can't do; nil when the line does all of it.
    var shortfall: String? {
        for answer in program.onRedirect {
            if case .change = answer { return "curl can't answer a redirect with a request of its own" }
        }
        let follows = program.onRedirect.map { if case .follow = $0 { true } else { false } }
        if Set(follows).count > 1 { return "curl follows all redirects or none" }
        if text.contains("@FILE") { return "FILE is to hold the body, which can't be typed" }
        return nil
    }

    /// One line that can be pasted into a POSIX shell.
    var text: String {
        var words = ["curl", "-i"]
        if case .follow? = program.onRedirect.first { words.append("-L") }
        switch program.method {
        case "GET": break
        case "HEAD": words.append("-I")
        // With -d curl says POST by itself, and may then turn into GET as browsers do.
        case "POST" where program.body != nil: break
        default: words += ["-X", program.method]
        }
        for header in program.headers {
            words += ["-H", Self.typed(header.name) + ": " + Self.typed(header.value.rendered(in: context))]
        }
        if let body = program.body { words += ["--data-binary", data(body)] }
        words.append(url)
        return words.map(Self.quoted).joined(separator: " ")
    }

    private var url: String {
        let text = Self.typed(program.url.rendered(in: context))
        return text.isEmpty || text.hasPrefix("/") || text.hasPrefix("?") ? base + text : text
    }

    /// As a person would type it: UTF-8 as it is, and what no keyboard has as an escape that shows.
    private static func typed(_ bytes: [UInt8]) -> String {
        guard let text = String(validating: bytes, as: UTF8.self), bytes.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
            return EscapedText.of(bytes, limit: .max)
        }
        return text
    }

    private var context: TemplateContext {
        let origin = base.split(separator: "/", omittingEmptySubsequences: false).prefix(3).joined(separator: "/")
        return TemplateContext(
            base: Array(base.utf8), authorities: [Array(origin.utf8.dropFirst("http://".utf8.count))])
    }

    private func data(_ body: ByteSource) -> String {
        switch body {
        case .literal(let bytes): data(bytes)
        case .template(let template): data(template.rendered(in: context))
        case .file(let file): "@\(file.path)"
        case .repeated, .pattern: "@FILE"
        }
    }

    /// Bytes that can be typed, else a file that is to hold them.
    private func data(_ bytes: [UInt8]) -> String {
        let isPrintable = bytes.allSatisfy { (0x20...0x7E).contains($0) } && bytes.first != UInt8(ascii: "@")
        return isPrintable && bytes.count <= 1_000 ? String(decoding: bytes, as: UTF8.self) : "@FILE"
    }

    private static func quoted(_ word: String) -> String {
        let plain = word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_./:=@%+,".utf8.contains($0) }
        return plain && !word.isEmpty
            ? word
            : "'"
                + word.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }
}
