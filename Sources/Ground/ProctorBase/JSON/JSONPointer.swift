/// A place in a JSON value (RFC 6901).
package struct JSONPointer: Sendable, Hashable {
    /// The unescaped keys and indexes from the outermost value inwards; empty for the whole value.
    package let tokens: [String]
    /// The most tokens: the greatest depth of JSON that is read.
    package static let longest = JSONCursor.deepest

    /// Why a text is no valid pointer, and at which byte.
    package struct Fault: Error, Sendable {
        /// In bytes, from the start of the pointer.
        package let offset: Int
        package let sentence: String
    }

    package init(tokens: [String]) {
        self.tokens = tokens
    }

    /// Parses an empty text, or tokens that each begin with `/`; `~0` is `~`, `~1` is `/`.
    package init(_ text: String) throws(Fault) {
        let bytes = Array(text.utf8)
        guard let first = bytes.first else {
            tokens = []
            return
        }
        guard first == UInt8(ascii: "/") else {
            throw Fault(offset: 0, sentence: "a pointer is empty or begins with / (RFC 6901)")
        }
        var tokens: [[UInt8]] = []
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            if byte == UInt8(ascii: "/") {
                guard tokens.count < Self.longest else {
                    throw Fault(offset: index, sentence: "a pointer has at most \(Self.longest) tokens")
                }
                tokens.append([])
            } else if byte == UInt8(ascii: "~") {
                guard index + 1 < bytes.count, bytes[index + 1] == 0x30 || bytes[index + 1] == 0x31 else {
                    throw Fault(
                        offset: index, sentence: "behind ~ in a pointer comes 0, for ~, or 1, for / (RFC 6901 §3)")
                }
                index += 1
                tokens[tokens.count - 1].append(bytes[index] == 0x30 ? UInt8(ascii: "~") : UInt8(ascii: "/"))
            } else {
                tokens[tokens.count - 1].append(byte)
            }
            index += 1
        }
        self.tokens = tokens.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The pointer as RFC 6901 writes it.
    package var text: String {
        tokens.map { token in
            "/"
                + String(
                    decoding: token.utf8.flatMap { byte -> [UInt8] in
                        switch byte {
                        case UInt8(ascii: "~"): [0x7E, 0x30]
                        case UInt8(ascii: "/"): [0x7E, 0x31]
                        default: [byte]
                        }
                    }, as: UTF8.self)
        }.joined()
    }

    /// The index of a list's element that a token names; nil for other tokens (RFC 6901 §4: no leading zeros).
    package static func index(_ token: String) -> Int? {
        let digits = token.utf8
        guard !digits.isEmpty, digits.allSatisfy(\.isASCIIDigit), digits.count == 1 || digits.first != 0x30 else {
            return nil
        }
        return Int(token)
    }
}
