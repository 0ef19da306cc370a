import ProctorBase

/// A JSONPath that leads to one value by names and indexes alone: `$.a.b[0]['c']`.
enum JSONPathNames {
    /// The tokens of the JSON pointer that leads there; nil for any other path.
    static func tokens(of path: String) -> [String]? {
        var rest = path.utf8[...]
        guard rest.popFirst() == UInt8(ascii: "$") else { return nil }
        var tokens: [String] = []
        while let next = rest.popFirst() {
            switch next {
            case UInt8(ascii: "."):
                let name = rest.prefix { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x5F || $0 == 0x2D }
                guard !name.isEmpty else { return nil }
                tokens.append(String(decoding: name, as: UTF8.self))
                rest = rest[name.endIndex...]
            case UInt8(ascii: "["):
                guard let end = rest.firstIndex(of: UInt8(ascii: "]")) else { return nil }
                var inner = rest[..<end]
                rest = rest[rest.index(after: end)...]
                if let quote = inner.first, "'\"".utf8.contains(quote) {
                    guard inner.count > 1, inner.removeLast() == quote else { return nil }
                    inner.removeFirst()
                    guard !inner.contains(where: { "'\"\\".utf8.contains($0) }) else { return nil }
                } else if inner.isEmpty || !inner.allSatisfy(\.isASCIIDigit) {
                    return nil
                }
                tokens.append(String(decoding: inner, as: UTF8.self))
            default: return nil
            }
        }
        return tokens
    }
}

/// What Jayway's JSONPath has beyond RFC 9535.
enum JaywayPath {
    private static let operators = [
        "=~", " in ", " nin ", " subsetof ", " anyof ", " noneof ", " size ", " sizeof ", " empty ",
    ]

    /// The first of its own operators or functions outside of quotes, as a part of a sentence; nil: none.
    static func ownWord(in path: String) -> String? {
        var outside = ""
        var quote: Character?
        for letter in path {
            if letter == quote {
                quote = nil
            } else if quote == nil {
                if letter == "'" || letter == "\"" { quote = letter } else { outside.append(letter) }
            }
        }
        for word in operators where outside.contains(text: word) {
            return "the operator \(word.split(separator: " ").first ?? "")"
        }
        guard let call = outside.firstRange(ofText: "()") else { return nil }
        let name = outside[..<call.lowerBound].split { !($0.isLetter || $0.isNumber || $0 == "_") }.last
        return "the function \(name ?? "")()"
    }
}
