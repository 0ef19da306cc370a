internal import ProctorBase

/// A command line that does the load of a case, with placeholders such as `{url}` in place of what the case says.
///
///     curl -sS [-L {follow}] [-I {head}] [-H {header}] [--data-binary @{body-file}] [--cacert {ca}] {url}
///
/// Words in brackets are a group, which stands only where the case has what its placeholders name. No shell reads the
/// line: quotation marks and backslashes keep blanks and brackets in a word, and nothing is expanded.
package struct CommandTemplate: Sendable {
    /// The line as it was written.
    package let text: String
    let parts: [Part]

    /// What a case may have of a load; the raw value stands in braces.
    enum Placeholder: String, CaseIterable, Sendable {
        case url, method, out
        case host, port, target
        case header, body
        case bodyFile = "body-file"
        case ca, cert, key, proxy, user, password
        /// These two stand for nothing: their groups say what only a load has that follows redirects, or asks for a head.
        case follow, head

        /// Whether every case has a value, so that it may stand outside of brackets.
        var isAlwaysThere: Bool { [.url, .method, .out, .host, .port, .target].contains(self) }

        static let meanings: KeyValuePairs<Placeholder, String> = [
            .url: "the URL; every command has it, or {host} and {port}",
            .host: "the host of the URL, without the brackets of an IPv6 address",
            .port: "the port of the URL, or that of its scheme",
            .target: "the path and the query of the URL, as it spells them",
            .method:
                "the method; without it GET, and POST where {body} is there",
            .out: "a file that the command makes of the content, in place of its output",
            .header: "a header field, NAME: VALUE; its group stands once for each field",
            .body: "the content of the request, where it is text without NUL",
            .bodyFile: "a file with the content of the request",
            .ca: "a file with the authority to trust (PEM)",
            .cert: "a file with the client's certificate (PEM)",
            .key: "a file with the key of that certificate (PEM)",
            .proxy: "the URL of a proxy",
            .user: "the user of a credential",
            .password: "its password",
            .follow: "nothing: what else is in its group makes the client follow redirects",
            .head: "nothing: what else is in its group makes the request a HEAD",
        ]
    }

    /// The placeholders with their meanings, a line each.
    package static let placeholderList = Placeholder.meanings.map { "  {\($0.rawValue)} \($1)" }.joined(separator: "\n")

    enum Piece: Sendable, Equatable {
        case text(String)
        case placeholder(Placeholder)
    }

    typealias Word = [Piece]

    enum Part: Sendable {
        case word(Word)
        case group([Word])
    }

    /// A mistake in the line, a sentence.
    package struct Mistake: Error, CustomStringConvertible {
        package let description: String

        package init(_ description: String) { self.description = description }
    }

    /// Reads a line; with a `folder`, words that begin with `./` are files of that folder.
    package init(_ text: String, folder: String? = nil) throws(Mistake) {
        self.text = text
        parts = try Self.parts(of: Self.words(of: text), folder: folder)
        guard placeholders.contains(.url) || placeholders.isSuperset(of: [.host, .port]) else {
            throw Mistake(
                "the command has no {url}, the place for the URL, as in 'curl -s {url}'; one that takes its parts has "
                    + "{host} and {port}")
        }
    }

    /// The words without groups, before anything is filled in; the first is the program.
    package var fixedWords: [String] {
        parts.compactMap { part in
            guard case .word(let word) = part else { return nil }
            return word.map { piece in
                switch piece {
                case .text(let text): text
                case .placeholder(let placeholder): "{\(placeholder.rawValue)}"
                }
            }.joined()
        }
    }

    private var words: [Word] {
        parts.flatMap { part in
            switch part {
            case .word(let word): [word]
            case .group(let words): words
            }
        }
    }

    var placeholders: Set<Placeholder> { Set(words.flatMap(\.placeholders)) }

    /// Whether user and password stand in one word.
    var joinsCredential: Bool {
        words.contains { $0.placeholders.contains(.user) && $0.placeholders.contains(.password) }
    }

    // MARK: Reading

    /// The words of a command that no shell reads, in which brackets mean nothing, such as that of an adapter.
    package static func plainWords(of line: String) throws(Mistake) -> [String] {
        try words(of: line, remedy: "sh -c '…'").map(\.textWithBrackets)
    }

    /// `remedy` is what the author writes for a command that needs a shell; nil: what a template does.
    private static func words(of line: String, remedy: String? = nil) throws(Mistake) -> [ShellWords.Word] {
        let read: ShellWords
        do throws(ShellWords.Mistake) {
            read = try ShellWords(line)
        } catch {
            throw Mistake("\(error.what) has no end")
        }
        guard let end = read.end.map({ Character(Unicode.Scalar($0)) }) else { return read.words }
        throw Mistake(
            "no shell reads the command, and '\(end)' is one's; quote it where the command is to have it, or write "
                + (remedy ?? "sh -c '… \"$1\" \(end) …' sh {url}"))
    }

    private static func parts(of words: [ShellWords.Word], folder: String?) throws(Mistake) -> [Part] {
        var parts: [Part] = []
        var group: [Word]?
        for word in words {
            var pieces = try pieces(of: word.text)
            if pieces.isEmpty, word.isQuoted { pieces = [.text("")] }
            if let folder, word.text.hasPrefix("./") { pieces.insert(.text(folder + "/"), at: 0) }
            if word.opens {
                guard group == nil else { throw Mistake("a bracket stands within brackets, at '\(word.text)'") }
                group = []
            }
            guard var open = group else {
                guard !word.closes else { throw Mistake("a bracket closes behind '\(word.text)', and none is open") }
                if let placeholder = pieces.placeholders.first(where: { !$0.isAlwaysThere }) {
                    let name = placeholder.rawValue
                    throw Mistake(
                        "only some cases have {\(name)}: write it in brackets with its option, as [\(example(placeholder))]"
                    )
                }
                if !pieces.isEmpty { parts.append(.word(pieces)) }
                continue
            }
            if !pieces.isEmpty { open.append(pieces) }
            group = word.closes ? nil : open
            guard word.closes else { continue }
            guard open.contains(where: { !$0.placeholders.isEmpty }) else {
                throw Mistake(
                    "the brackets that close behind '\(word.text)' hold no placeholder, so that nothing says when they stand; "
                        + "brackets that are meant for the command stand in quotation marks")
            }
            parts.append(.group(open))
        }
        guard group == nil else {
            throw Mistake("a bracket is not closed; one that is meant for the command stands in quotation marks")
        }
        guard case .word? = parts.first else {
            throw Mistake("the first word is the program, and stands in no brackets")
        }
        return parts
    }

    private static func example(_ placeholder: Placeholder) -> String {
        switch placeholder {
        case .header: "-H {header}"
        case .ca: "--cacert {ca}"
        case .follow: "-L {follow}"
        case .head: "-I {head}"
        default: "--option {\(placeholder.rawValue)}"
        }
    }

    /// A name in braces that is no placeholder, and like none, is the command's own.
    private static func pieces(of text: String) throws(Mistake) -> Word {
        var pieces: Word = []
        var plain = ""
        var rest = text[...]
        while let opening = rest.firstIndex(of: "{") {
            plain += rest[..<opening]
            let inner = rest[rest.index(after: opening)...]
            guard let closing = inner.firstIndex(of: "}") else { break }
            let name = String(inner[..<closing])
            if name.hasPrefix("{"), let placeholder = Placeholder(rawValue: String(name.dropFirst())),
                inner[closing...].hasPrefix("}}")
            {
                throw Mistake(
                    "here placeholders have one pair of braces: write {\(placeholder.rawValue)} for "
                        + "{{\(placeholder.rawValue)}}")
            }
            if let placeholder = Placeholder(rawValue: name) {
                if !plain.isEmpty { pieces.append(.text(plain)) }
                plain = ""
                pieces.append(.placeholder(placeholder))
                rest = inner[inner.index(after: closing)...]
            } else {
                if let nearest = NearestName.find(name, in: Placeholder.allCases.map(\.rawValue)) {
                    throw Mistake("there is no placeholder {\(name)}; did you mean {\(nearest)}?")
                }
                plain += "{"
                rest = inner
            }
        }
        plain += rest
        if !plain.isEmpty { pieces.append(.text(plain)) }
        return pieces
    }
}

extension [CommandTemplate.Piece] {
    var placeholders: [CommandTemplate.Placeholder] {
        compactMap { piece in
            if case .placeholder(let placeholder) = piece { placeholder } else { nil }
        }
    }
}
