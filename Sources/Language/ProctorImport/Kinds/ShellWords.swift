import ProctorBase

/// Words of a command line, as a POSIX shell and bash's `$'…'` part and unquote them; nothing is expanded.
package enum ShellWords {
    /// `name` is the name of the line in messages.
    static func split(_ line: String, name: String) throws(ImportFailure) -> [String] {
        var words: [String] = []
        var word: [UInt8]?
        let bytes = Array(line.utf8)
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D:
                if let ended = word { words.append(String(decoding: ended, as: UTF8.self)) }
                word = nil
                index += 1
            case UInt8(ascii: "\\"):
                guard index + 1 < bytes.count else { throw unclosed("a backslash", at: index, name) }
                if bytes[index + 1] == 0x0D, index + 2 < bytes.count, bytes[index + 2] == 0x0A { index += 1 }
                if bytes[index + 1] != 0x0A { word = (word ?? []) + [bytes[index + 1]] }
                index += 2
            case UInt8(ascii: "'"):
                guard let end = bytes[(index + 1)...].firstIndex(of: UInt8(ascii: "'")) else {
                    throw unclosed("the quotation mark '", at: index, name)
                }
                word = (word ?? []) + bytes[(index + 1)..<end]
                index = end + 1
            case UInt8(ascii: "$") where index + 1 < bytes.count && bytes[index + 1] == UInt8(ascii: "'"):
                let (text, end) = try ansi(bytes, from: index, name)
                word = (word ?? []) + text
                index = end
            case UInt8(ascii: "\""):
                let (text, end) = try double(bytes, from: index, name)
                word = (word ?? []) + text
                index = end
            case UInt8(ascii: "|"), UInt8(ascii: ";"), UInt8(ascii: "&"), UInt8(ascii: ">"), UInt8(ascii: "<"):
                // What the shell does with the output is not curl's.
                if let ended = word { words.append(String(decoding: ended, as: UTF8.self)) }
                return words
            default:
                word = (word ?? []) + [byte]
                index += 1
            }
        }
        if let ended = word { words.append(String(decoding: ended, as: UTF8.self)) }
        return words
    }

    private static func unclosed(_ what: String, at index: Int, _ name: String) -> ImportFailure {
        ImportFailure(
            at: "\(name): byte \(index)",
            "\(what) has no end; give the whole line in single quotes, with '\\'' for one of its own")
    }

    private static func double(_ bytes: [UInt8], from start: Int, _ name: String) throws(ImportFailure) -> (
        [UInt8], Int
    ) {
        var text: [UInt8] = []
        var index = start + 1
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\"") { return (text, index + 1) }
            if bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count {
                let next = bytes[index + 1]
                if next != 0x0A { text += "\"\\$`".utf8.contains(next) ? [next] : [bytes[index], next] }
                index += 2
            } else {
                text.append(bytes[index])
                index += 1
            }
        }
        throw unclosed("the quotation mark \"", at: start, name)
    }

    private static func ansi(_ bytes: [UInt8], from start: Int, _ name: String) throws(ImportFailure) -> ([UInt8], Int)
    {
        var text: [UInt8] = []
        var index = start + 2
        let plain: [UInt8: UInt8] = [
            UInt8(ascii: "n"): 0x0A, UInt8(ascii: "r"): 0x0D, UInt8(ascii: "t"): 0x09, UInt8(ascii: "0"): 0,
            UInt8(ascii: "a"): 7, UInt8(ascii: "b"): 8, UInt8(ascii: "e"): 0x1B, UInt8(ascii: "f"): 0x0C,
            UInt8(ascii: "v"): 0x0B,
        ]
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "'") { return (text, index + 1) }
            guard bytes[index] == UInt8(ascii: "\\"), index + 1 < bytes.count else {
                text.append(bytes[index])
                index += 1
                continue
            }
            let kind = bytes[index + 1]
            index += 2
            let most = kind == UInt8(ascii: "x") ? 2 : kind == UInt8(ascii: "u") ? 4 : kind == UInt8(ascii: "U") ? 8 : 0
            let digits = bytes[index...].prefix(most).prefix { $0.hexadecimalValue != nil }
            if most > 0, !digits.isEmpty {
                let value = digits.reduce(UInt32(0)) { $0 << 4 | UInt32($1.hexadecimalValue ?? 0) }
                text +=
                    most == 2
                    ? [UInt8(truncatingIfNeeded: value)]
                    : Array(String(Character(Unicode.Scalar(value) ?? "\u{FFFD}")).utf8)
                index += digits.count
            } else {
                text.append(plain[kind] ?? kind)
            }
        }
        throw unclosed("the quotation mark $'", at: start, name)
    }
}

extension ShellWords {
    /// The word in single quotes where a shell would take it apart.
    package static func quote(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_./:=@%+,".utf8.contains($0) }
        return isPlain ? word : "'\(word.replacing(text: "'", with: #"'\''"#))'"
    }
}
