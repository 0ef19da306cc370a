import ProctorBase

extension YAMLFailure {
    static let quoteHint = "quote values that begin with {{"

    /// The failure as a sentence for the person who wrote the file.
    func diagnostic(in source: SourceFile) -> Diagnostic {
        if let offset = unquotedTemplate(in: source) {
            return Diagnostic(
                location: source.location(at: offset), sentence: "this is read as a mapping", hint: Self.quoteHint)
        }
        let (sentence, hint) = sentence(in: source)
        return Diagnostic(location: source.location(at: problemOffset), sentence: sentence, hint: hint)
    }

    /// A value on one of the lines involved that begins with `{{` and no quote.
    private func unquotedTemplate(in source: SourceFile) -> Int? {
        let bytes = source.bytes
        let problemLine = source.location(at: problemOffset).line - 1
        // A value is noticed to be wrong at the latest at the beginning of what follows it.
        for line in [problemLine, problemLine - 1, source.location(at: contextOffset).line - 1] {
            let range = source.range(ofLine: line)
            var index = range.lowerBound
            var before: UInt8?
            while index + 1 < range.upperBound {
                if bytes[index] == 0x7B, bytes[index + 1] == 0x7B, Self.opensValue(before) { return index }
                if bytes[index] != 0x20 { before = bytes[index] }
                index += 1
            }
        }
        return nil
    }

    /// Whether a value can begin after this byte (nil: at the beginning of a line): `:` `-` `,` `[`.
    private static func opensValue(_ byte: UInt8?) -> Bool {
        switch byte {
        case nil, 0x3A, 0x2D, 0x2C, 0x5B: true
        default: false
        }
    }

    /// The character at an offset, for messages.
    private func character(at offset: Int, in source: SourceFile) -> String {
        guard offset < source.bytes.count else { return "the end of the file" }
        let text = String(decoding: source.bytes[offset...].prefix(4), as: UTF8.self)
        return quoted(text.unicodeScalars.first.map { String($0) } ?? "")
    }

    private func sentence(in source: SourceFile) -> (String, hint: String?) {
        let start = source.location(at: contextOffset)
        let began = "that begins at \(start.line):\(start.column)"
        let byte = problemOffset < source.bytes.count ? source.bytes[problemOffset] : nil
        let character = character(at: problemOffset, in: source)
        switch problem {
        case "mapping values are not allowed in this context":
            return ("a colon stands where no key can be", "quote the value, or check the indentation")
        case "found character that cannot start any token" where byte == 0x09:
            return ("a tab cannot indent", "use spaces")
        case "found a tab character that violates indentation",
            "found a tab character where an indentation space is expected":
            return ("a tab cannot indent", "use spaces")
        case "found character that cannot start any token":
            return ("a value cannot begin with \(character)", "quote it")
        case "did not find expected key":
            return ("expected a key of the mapping \(began)", "check the indentation and the quotes")
        case "did not find expected '-' indicator":
            return ("expected \"- \" of the list \(began)", "check the indentation")
        case "did not find expected ',' or '}'":
            return ("expected \",\" or \"}\" in the mapping \(began)", nil)
        case "did not find expected ',' or ']'":
            return ("expected \",\" or \"]\" in the list \(began)", nil)
        case "could not find expected ':'":
            return ("expected \": \" after the key \(began)", nil)
        case "did not find expected node content":
            return ("expected a value, found \(character)", "check the brackets, or quote the value")
        case "found unexpected end of stream":
            return ("the quoted text \(began) has no end", nil)
        case "found unknown escape character":
            return ("an unknown escape in the quoted text \(began)", "write \\\\ for a backslash")
        case "control characters are not allowed":
            return ("a control character cannot stand in YAML", "write it as an escape in double quotes")
        case "found undefined tag handle": return ("the tag is not supported", "quote values that begin with !")
        case _ where problem.contains("UTF-8") || problem.contains("Unicode"):
            return ("the bytes here are not UTF-8", "save the file as UTF-8")
        default: return (context.map { "\($0): \(problem)" } ?? problem, nil)
        }
    }
}
