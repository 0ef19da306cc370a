internal import ProctorBase
internal import ProctorScenario

/// Libraries of Lua in parts: each function of a library's outermost level, and the lines between them.
///
/// A function begins with `function NAME` or `local function NAME` at the first column of a line, and ends before the next line that
/// begins so, or behind an `end` there.
struct ScriptParts {
    /// The words outside functions, which run whenever a library is loaded.
    private var always: Set<String> = []
    private var functions: [String: Set<String>] = [:]

    init(_ libraries: [FixtureScript]) {
        for library in libraries {
            var name: String?
            for line in library.text.split(separator: UInt8(ascii: "\n")) {
                let words = Self.words(of: line)
                if let opened = Self.nameOfFunction(line, words) { name = opened }
                if let name {
                    functions[name, default: []].formUnion(words)
                } else {
                    always.formUnion(words)
                }
                if line.elementsEqual("end".utf8) { name = nil }
            }
        }
    }

    /// The words of the script, and of each function that it names, or that such a function names.
    func words(calledBy script: FixtureScript) -> Set<String> {
        var known: Set<String> = []
        var next = Array(always.union(Self.words(of: script.text[...])))
        while let word = next.popLast() {
            guard known.insert(word).inserted, let body = functions[word] else { continue }
            next += body.subtracting(known)
        }
        return known
    }

    /// The names in a text; a part of a word with hyphens is none.
    ///
    /// A key of a reply is one where it gets what HTTP/2 has not, and `framing` also where a request's is read.
    private static func words(of text: ArraySlice<UInt8>) -> [String] {
        text.split { !$0.isASCIILetter && !$0.isASCIIDigit && $0 != UInt8(ascii: "_") }.compactMap { part in
            let word = String(decoding: part, as: UTF8.self)
            let (before, behind) = (text[..<part.startIndex], text[part.endIndex...])
            if before.last == UInt8(ascii: "-") || behind.first == UInt8(ascii: "-") { return nil }
            guard let harmless = harmlessValues[word] else { return word }
            if before.suffix(8).elementsEqual("request.".utf8) { return word }
            guard let value = assigned(behind) else { return nil }
            // What is handed on, `framing = options.framing`, is named where it is given.
            let isHandedOn = value.drop { $0.isASCIILetter || $0 == UInt8(ascii: "_") }.starts(with: ".\(word)".utf8)
            return isHandedOn || harmless.contains { value.starts(with: $0.utf8) } ? nil : word
        }
    }

    /// The values, by keys of a reply, that mean the same over HTTP/2.
    private static let harmlessValues = [
        "framing": ["chunked", "length", "true"], "slice": ["every-byte", "mid-utf8"],
    ]

    /// The value that a key gets, without its quotation mark; nil: it is read alone.
    private static func assigned(_ behind: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let rest = behind.drop { " \t\"']".utf8.contains($0) }
        guard rest.first == UInt8(ascii: "="), rest.dropFirst().first != UInt8(ascii: "=") else { return nil }
        return rest.dropFirst().drop { " \t\"'".utf8.contains($0) }
    }

    /// The name of the function that a line opens at its first column; nil: none.
    private static func nameOfFunction(_ line: ArraySlice<UInt8>, _ words: [String]) -> String? {
        if line.starts(with: "function ".utf8), words.count > 1 { return words[1] }
        return line.starts(with: "local function ".utf8) && words.count > 2 ? words[2] : nil
    }
}
