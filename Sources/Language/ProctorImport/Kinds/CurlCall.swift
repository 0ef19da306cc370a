import ProctorBase
import ProctorHTTP

/// One transfer of a curl line: its options, each with its value, up to `--next`.
struct CurlCall {
    private(set) var urls: [String] = []
    private(set) var method: String?
    private(set) var fields: [(name: String, value: String?)] = []
    private(set) var cookies: String?
    private(set) var user: String?
    private(set) var usesDigest = false
    private(set) var content: [UInt8]?
    private(set) var isForm = false
    private(set) var parts: [YAMLTree] = []
    private(set) var isGet = false
    private(set) var isHead = false
    private(set) var isUpload = false
    private(set) var range: String?
    /// The last part of the path of a file that is sent; curl adds it to a URL that ends with a slash.
    private(set) var uploadName: String?
    private(set) var remarks = ImportRemarks()

    /// The content of the file of `@name`.
    typealias FileReader = (_ name: String) throws(FileRefusal) -> [UInt8]

    /// The words of a line; what a shell does with the output, behind a `|`, is not curl's.
    ///
    /// `name` is the name of the line in messages.
    private static func words(of line: String, name: String) throws(ImportFailure) -> [String] {
        do throws(ShellWords.Mistake) {
            return try ShellWords(line).words.map(\.textWithBrackets)
        } catch {
            throw ImportFailure(
                at: "\(name): byte \(error.offset)",
                "\(error.what) has no end; give the whole line in single quotes, with '\\'' for one of its own")
        }
    }

    /// The transfers of a line, of which curl's own name is the first word.
    static func calls(of line: String, name: String, readFile: FileReader) throws(ImportFailure) -> [CurlCall] {
        var words = try words(of: line, name: name)[...]
        // A prompt, variables and sudo may stand before it.
        while let first = words.first, !isCurl(first), first == "$" || first == "sudo" || first.contains("=") {
            words = words.dropFirst()
        }
        guard let first = words.first, isCurl(first) else {
            throw ImportFailure(
                at: name, "a line of curl begins with curl, found \(ByteShow.quote((words.first ?? "").utf8))")
        }
        words = words.dropFirst()
        var calls = [CurlCall()]
        while let word = words.popFirst() {
            var options: [(option: CurlOption, value: String?)] = []
            if word.hasPrefix("--"), word.count > 2 {
                guard let known = CurlOption.find(long: String(word.dropFirst(2))) else {
                    throw ImportFailure(
                        at: name, "curl's option \(word) is not known here; take it out if the request does not need it"
                    )
                }
                options.append((known, try value(of: known, &words, name)))
            } else if word.hasPrefix("-"), word != "-" {
                options = try shortOptions(word.dropFirst(), &words, name)
            } else {
                options.append((CurlOption(name: "url", meaning: .url, takesValue: true), word))
            }
            for (option, value) in options {
                if option.meaning == .next {
                    calls.append(CurlCall())
                } else {
                    try calls[calls.count - 1].add(option, value ?? "", line: name, readFile)
                }
            }
        }
        return calls
    }

    private static func isCurl(_ word: String) -> Bool {
        word == "curl" || word.hasSuffix("/curl") || word.hasSuffix("curl.exe")
    }

    private static func value(
        of known: CurlOption, _ words: inout ArraySlice<String>, _ name: String
    ) throws(ImportFailure) -> String? {
        guard known.takesValue else { return nil }
        guard let value = words.popFirst() else {
            throw ImportFailure(at: name, "curl's option --\(known.name) needs a value")
        }
        return value
    }

    /// `-sSLo file` and `-XPOST`.
    private static func shortOptions(
        _ letters: Substring, _ words: inout ArraySlice<String>, _ name: String
    ) throws(ImportFailure) -> [(option: CurlOption, value: String?)] {
        var options: [(option: CurlOption, value: String?)] = []
        var rest = letters
        while let letter = rest.popFirst() {
            guard let known = CurlOption.find(short: letter) else {
                throw ImportFailure(
                    at: name, "curl's option -\(letter) is not known here; take it out if the request does not need it")
            }
            if known.takesValue, !rest.isEmpty {
                options.append((known, String(rest)))
                return options
            }
            options.append((known, try value(of: known, &words, name)))
        }
        return options
    }

    private mutating func add(
        _ option: CurlOption, _ value: String, line: String, _ readFile: FileReader
    ) throws(ImportFailure) {
        switch option.meaning {
        case .method: method = value
        case .header: addField(value)
        case .agent: fields.append(("User-Agent", value))
        case .referer: fields.append(("Referer", value))
        case .cookie:
            if value.contains("=") {
                cookies = [cookies, value].compactMap { $0 }.joined(separator: "; ")
            } else if !value.isEmpty {
                remarks.add(at: line, "the cookies of the file \(value) are not asked for")
            }
        case .user: user = value
        case .oauth: fields.append(("Authorization", "Bearer \(value)"))
        case .data: addContent(try data(value, line, readFile, strips: true))
        case .dataBinary: addContent(try data(value, line, readFile, strips: false))
        case .dataRaw: addContent(Array(value.utf8))
        case .dataEncoded: addContent(try encoded(value, line, readFile))
        case .json:
            content = (content ?? []) + (try data(value, line, readFile, strips: false))
            for name in ["Content-Type", "Accept"]
            where !fields.contains(where: { $0.name.lowercased() == name.lowercased() }) {
                fields.append((name, "application/json"))
            }
        case .form, .formText: addPart(value, isText: option.meaning == .formText)
        case .get: isGet = true
        case .head: isHead = true
        case .upload:
            isUpload = true
            uploadName = value.split(separator: "/").last.map { String($0) }
            do throws(FileRefusal) {
                content = try readFile(value)
            } catch {
                content = nil
                remarks.add(at: line, "the file \(value) of -T \(error), so its content is not compared")
            }
        case .range: range = value
        case .compressed: fields.append(("Accept-Encoding", "*gzip*"))
        case .digest: usesDigest = true
        case .follow:
            remarks.add(at: line, "--\(option.name): the replies redirect nowhere until you write that")
        case .url: urls.append(value)
        case .proxy:
            remarks.add(at: line, "the proxy \(value) is left out: the scenario is asked directly")
        case .http2:
            remarks.add(at: line, "--\(option.name): the scenario speaks HTTP/2 with 'proctor serve --protocol h2'")
        case .told:
            remarks.add(at: line, "--\(option.name) changes nothing about the request, and is left out")
        case .next: break
        }
    }

    private mutating func addField(_ text: String) {
        if text.hasPrefix("@") {
            remarks.add(at: "-H", "the fields of the file \(text.dropFirst()) are not asked for")
            return
        }
        let colon = text.firstIndex(of: ":")
        let name = String(text[..<(colon ?? text.endIndex)])
        guard let colon else {
            // `-H 'X;'` sends an empty field.
            if name.hasSuffix(";") { fields.append((String(name.dropLast()), "")) }
            return
        }
        let value = text[text.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        fields.append((name, value.isEmpty ? nil : String(value)))
    }

    private mutating func addContent(_ bytes: [UInt8]) {
        isForm = true
        content = content.map { $0 + [UInt8(ascii: "&")] + bytes } ?? bytes
    }

    /// The text, or what stands in the file behind `@`, as -d without its line ends.
    private mutating func data(
        _ value: String, _ line: String, _ readFile: FileReader, strips: Bool
    ) throws(ImportFailure) -> [UInt8] {
        guard value.hasPrefix("@") else { return Array(value.utf8) }
        let name = String(value.dropFirst())
        let bytes: [UInt8]
        do throws(FileRefusal) {
            bytes = try readFile(name)
        } catch {
            throw ImportFailure(at: line, "the file \(name) that the line sends \(error); or write its text")
        }
        return strips ? bytes.filter { $0 != 0x0A && $0 != 0x0D && $0 != 0 } : bytes
    }

    /// `name=text`, `=text`, `text`, `name@file` and `@file`, escaped but for the name.
    private mutating func encoded(_ value: String, _ line: String, _ readFile: FileReader) throws(ImportFailure)
        -> [UInt8]
    {
        let mark = value.firstIndex { $0 == "=" || $0 == "@" }
        let name = mark.map { String(value[..<$0]) } ?? ""
        let rest = mark.map { String(value[value.index(after: $0)...]) } ?? value
        let isFile = mark.map { value[$0] == "@" } ?? false
        let text = isFile ? try data("@\(rest)", line, readFile, strips: false) : Array(rest.utf8)
        let escaped = Self.escaped(text)
        return name.isEmpty ? escaped : Array("\(name)=".utf8) + escaped
    }

    /// Percent-escapes for all but letters, digits and `-._~`.
    static func escaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            byte.isASCIILetter || byte.isASCIIDigit || "-._~".utf8.contains(byte)
                ? [byte] : Array("%\(byte.hexadecimal(uppercase: true))".utf8)
        }
    }

    /// `name=text`, `name=@file;type=…;filename=…`, `name=<file`.
    private mutating func addPart(_ value: String, isText: Bool) {
        let halves = value.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(halves[0])
        var members = [YAMLTree.Member("name", .text(name))]
        let rest = halves.count == 2 ? String(halves[1]) : ""
        let pieces = isText ? [rest[...]] : rest.split(separator: ";", omittingEmptySubsequences: false)
        let first = String(pieces.first ?? "")
        var file = first.hasPrefix("@") && !isText ? String(first.dropFirst().split(separator: "/").last ?? "*") : nil
        for piece in pieces.dropFirst() {
            let option = piece.split(separator: "=", maxSplits: 1)
            guard option.count == 2 else { continue }
            if option[0].drop(while: { $0 == " " }) == "type" {
                members.append(.init("type", .text(LiteralText.pattern(String(option[1])) + "*")))
            }
            if option[0].drop(while: { $0 == " " }) == "filename" { file = option[1].filter { $0 != "\"" } }
        }
        if let file {
            members.insert(.init("filename", .text(LiteralText.pattern(file))), at: 1)
        } else if !first.hasPrefix("<") || isText, !SecretNames.contains(name) {
            members.append(.init("body", .text(first)))
        }
        parts.append(.map(members))
    }
}
