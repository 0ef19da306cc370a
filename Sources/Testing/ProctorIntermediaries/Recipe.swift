internal import ProctorBase
package import ProctorDocument

/// How an intermediary is started for a case: a file `clients/intermediaries/NAME.yaml`, or the words of a command line.
package struct Recipe: Sendable {
    package var name: String
    package var summary = ""
    package var kind = Kind.reverse
    /// Whether it keeps replies as a shared cache (RFC 9111 §1.2).
    package var isCache = false
    /// Whether it also listens with TLS at `{tls-listen}`, with the certificate `{identity}`, and speaks HTTP/2 there (ALPN).
    package var hasTLS = false
    /// Whether it also speaks HTTP/3 there, at the UDP port of that number.
    package var hasHTTP3 = false
    /// The protocol of ALPN that alone it speaks to the server, without TLS; nil: HTTP/1.1.
    package var upstream: String?
    /// Whether it answers only requests with the credentials `alice` and `secret` in Proxy-Authorization; other cases are not asked of it.
    package var asksPassword = false
    /// What a person runs where the program is missing; nil: nothing is known.
    package var install: String?
    /// The words that print its version, in the first line that has a digit; empty: none.
    package var version: [String] = []
    /// The words of the command, which are never none; they and the files may have ``placeholders``.
    package var command: [String]
    /// Files in the folder of the sitting, by their names.
    package var files: [(name: String, text: String)] = []
    /// The folder of the recipe, for programs beside it.
    package var folder = "."

    package enum Kind: String, Sendable, CaseIterable {
        /// The intermediary knows the server, and is asked as one.
        case reverse
        /// The intermediary is asked with targets in absolute-form (RFC 9112 §3.2.2).
        case forward
    }

    private enum Upstream: String, CaseIterable { case streams = "h2" }

    package init(name: String, command: [String]) { (self.name, self.command) = (name, command) }

    /// What the words and files of a recipe can have, with what stands there.
    package static let placeholders = [
        "{listen}": "HOST:PORT at which it is to listen", "{port}": "the port of {listen}",
        "{tls-listen}": "HOST:PORT at which it is to listen with TLS", "{tls-port}": "the port of {tls-listen}",
        "{identity}": "a PEM file with its certificate and the private key",
        "{upstream}": "HOST:PORT of the server", "{upstream-host}": "the host of {upstream}",
        "{upstream-port}": "the port of {upstream}",
        "{folder}": "a folder of the sitting, which is removed", "{recipe}": "the folder of the recipe",
        "{user}": "the name of the user", "{spare}": "another free port",
    ]

    private static let keys = [
        "summary", "kind", "cache", "tls", "http3", "upstream", "password", "install", "version", "command", "files",
    ]
    private static let mostWords = 100, mostFiles = 20

    /// Reads a recipe; a file with an error gives none.
    package static func parse(
        _ bytes: [UInt8], name: String, folder: String, file: String
    ) -> (recipe: Recipe?, diagnostics: [Diagnostic]) {
        let (recipe, diagnostics) = Document.read(bytes, file: file) { root, sink -> Recipe? in
            guard let reader = MappingReader(root, "a recipe", keys: keys, sink: sink) else { return nil }
            let words = reader.required("command").map { sink.texts($0, "a word", limit: mostWords).map(\.text) } ?? []
            guard let program = words.first, !program.isEmpty else {
                return sink.refuse(root, "the command of a recipe needs its program as the first word")
            }
            var recipe = Recipe(name: name, command: words)
            recipe.summary = reader.required("summary").flatMap { sink.nonEmptyText($0, "a summary") } ?? ""
            recipe.kind =
                reader["kind"].flatMap { sink.choice($0, "a kind of intermediary", among: Kind.self) } ?? .reverse
            recipe.isCache = reader["cache"].flatMap { sink.boolean($0, "cache") } ?? false
            recipe.hasTLS = reader["tls"].flatMap { sink.boolean($0, "tls") } ?? false
            if let node = reader["http3"], let isWanted = sink.boolean(node, "http3") {
                if isWanted, !recipe.hasTLS { sink.report(node, "HTTP/3 needs \"tls: true\" beside it") }
                recipe.hasHTTP3 = isWanted
            }
            recipe.upstream =
                reader["upstream"].flatMap { sink.choice($0, "a protocol", among: Upstream.self) }?.rawValue
            recipe.asksPassword = reader["password"].flatMap { sink.boolean($0, "password") } ?? false
            recipe.install = reader["install"].flatMap { sink.nonEmptyText($0, "a command") }
            recipe.version = reader["version"].map { sink.texts($0, "a word", limit: mostWords).map(\.text) } ?? []
            for entry in (reader["files"]?.entries ?? []).prefix(mostFiles) {
                guard isFileName(entry.key) else {
                    sink.report(
                        entry.keyNode, "\(quoted(entry.key)) is no name of a file: letters, digits, '.', '-' and '_'")
                    continue
                }
                if let text = sink.text(entry.value, "the text of a file") { recipe.files.append((entry.key, text)) }
            }
            recipe.folder = folder
            return recipe
        }
        return (recipe, diagnostics)
    }

    private static func isFileName(_ name: String) -> Bool {
        name.utf8.first != UInt8(ascii: ".") && !name.isEmpty
            && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "._-".utf8.contains($0) }
    }

    /// A text with the values of one sitting in place of its placeholders; other braces stay.
    package static func fill(_ text: String, _ values: [String: String]) -> String {
        var rest = text[...]
        var filled = ""
        while let brace = rest.firstIndex(of: "{") {
            filled += rest[..<brace]
            rest = rest[brace...]
            if let name = placeholders.keys.first(where: { rest.hasPrefix($0) }), let value = values[name] {
                filled += value
                rest = rest.dropFirst(name.count)
            } else {
                filled.append("{")
                rest = rest.dropFirst()
            }
        }
        return filled + rest
    }
}
