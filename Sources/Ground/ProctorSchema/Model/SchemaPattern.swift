package import ProctorBase
internal import ProctorRegex

/// A regular expression of a schema, in the syntax of ECMAScript with the flag `u`, which may match anywhere in a text
/// (core §6.4).
///
/// It is brought into the syntax of PCRE2, and searched within the bounds of ``RegularExpression``.
package struct SchemaPattern: Sendable {
    /// As the schema writes it.
    package let text: String
    private let expression: RegularExpression

    package struct Fault: Error { package let sentence: String }

    package init(_ text: String) throws(Fault) {
        self.text = text
        var translation = Translation(of: text)
        let pattern = try translation.pattern()
        do throws(RegularExpressionFault) {
            expression = try RegularExpression("(*UTF)(?s:.*?)(?:\(pattern))(?s:.*)")
        } catch {
            throw Fault(sentence: error.sentence)
        }
    }

    /// Whether it matches somewhere in the text; undecided with the bound that was reached.
    package func verdict(on bytes: [UInt8], within budget: WorkBudget?) -> Verdict {
        switch expression.match(bytes.span, within: budget) {
        case .matched: .matches
        case .unmatched: .differs
        case .gaveUp(let bound): .undecided(bound)
        }
    }

    package enum Verdict { case matches, differs, undecided(String) }

    /// What differs between ECMAScript and PCRE2: the end of the text, `\d` and its like over all of Unicode, names of
    /// properties, and escapes with digits.
    private struct Translation {
        private var rest: Substring.UnicodeScalarView
        private var output = String.UnicodeScalarView()
        private var isInClass = false

        init(of text: String) { rest = Substring(text).unicodeScalars }

        mutating func pattern() throws(Fault) -> String {
            while let scalar = rest.popFirst() {
                switch scalar {
                case "\\": try escape()
                // PCRE2's `$` matches before a last line feed too.
                case "$" where !isInClass: add("\\z")
                case "^" where !isInClass: add("\\A")
                case "." where !isInClass: add("[^\\n\\r\\x{2028}\\x{2029}]")
                case "[" where isInClass: add("\\[")
                case "[":
                    isInClass = true
                    output.append(scalar)
                    if rest.first == "^" {
                        rest.removeFirst()
                        output.append("^")
                    }
                    // PCRE2 reads a `]` behind the opening as itself.
                    if rest.first == "]" {
                        rest.removeFirst()
                        let isNegated = output.last == "^"
                        output.removeLast(isNegated ? 2 : 1)
                        add(isNegated ? "(?s:.)" : "(?!)")
                        isInClass = false
                    }
                case "]":
                    isInClass = false
                    output.append(scalar)
                case "(" where !isInClass && rest.first == "*": throw Fault(sentence: "nothing to repeat behind (")
                case "#" where !isInClass: add("\\#")
                default: output.append(scalar)
                }
            }
            return String(output)
        }

        private mutating func add(_ text: String) { output.append(contentsOf: text.unicodeScalars) }

        private mutating func escape() throws(Fault) {
            guard let kind = rest.popFirst() else { throw Fault(sentence: "\\ at the end of the pattern") }
            switch kind {
            case "d", "D", "w", "W", "b", "B", "t", "n", "r", "f", "x", "k": add("\\\(kind)")
            case "v": add("\\x{0B}")
            case "s" where isInClass: add("\\s\\x{0B}\\x{A0}\\x{FEFF}\\p{Z}")
            case "s": add("[\\s\\x{0B}\\x{A0}\\x{FEFF}\\p{Z}]")
            case "S" where isInClass: add("\\S")
            case "S": add("[^\\s\\x{0B}\\x{A0}\\x{FEFF}\\p{Z}]")
            case "c":
                guard let letter = rest.popFirst(), letter.isASCII, letter.properties.isAlphabetic else {
                    throw Fault(sentence: "\\c is followed by a letter")
                }
                add("\\x{\(String(letter.value & 0x1F, radix: 16))}")
            case "u": try codePoint()
            case "p", "P": try property(kind)
            case "0": add("\\x{0}")
            case "1"..."9": add("\\\(kind)")
            default:
                guard kind.isASCII, !kind.properties.isAlphabetic else {
                    throw Fault(sentence: "\\\(kind) is no escape")
                }
                add("\\\(kind)")
            }
        }

        private mutating func codePoint() throws(Fault) {
            var digits = ""
            if rest.first == "{" {
                rest.removeFirst()
                while let next = rest.popFirst(), next != "}" { digits.unicodeScalars.append(next) }
            } else {
                digits = try fourDigits()
                // A pair of surrogates is one character.
                if let high = UInt32(digits, radix: 16), 0xD800...0xDBFF ~= high,
                    rest.starts(with: "\\u".unicodeScalars)
                {
                    rest.removeFirst(2)
                    guard let low = UInt32(try fourDigits(), radix: 16), 0xDC00...0xDFFF ~= low else {
                        throw Fault(sentence: "\\u\(digits) is half a character")
                    }
                    digits = String(0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00), radix: 16)
                }
            }
            guard let code = UInt32(digits, radix: 16), Unicode.Scalar(code) != nil else {
                throw Fault(sentence: "\\u\(digits) is no character")
            }
            add("\\x{\(digits)}")
        }

        private mutating func fourDigits() throws(Fault) -> String {
            let digits = String(String.UnicodeScalarView(rest.prefix(4)))
            rest = rest.dropFirst(4)
            guard digits.utf8.count == 4, digits.utf8.allSatisfy({ $0.hexadecimalValue != nil }) else {
                throw Fault(sentence: "\\u is followed by four hexadecimal digits")
            }
            return digits
        }

        private mutating func property(_ kind: Unicode.Scalar) throws(Fault) {
            guard rest.first == "{", let end = rest.firstIndex(of: "}") else {
                throw Fault(sentence: "\\\(kind) is followed by the name of a property in braces")
            }
            var name = String(String.UnicodeScalarView(rest[rest.index(after: rest.startIndex)..<end]))
            rest = rest[rest.index(after: end)...]
            for prefix in ["General_Category=", "gc=", "Script=", "sc=", "Script_Extensions=", "scx="]
            where name.hasPrefix(prefix) {
                name = String(name.dropFirst(prefix.count))
            }
            add("\\\(kind){\(Self.categories[name] ?? name)}")
        }

        /// PCRE2 knows general categories by their short names alone (pcre2pattern).
        private static let categories: [String: String] = [
            "Letter": "L", "Cased_Letter": "L&", "LC": "L&", "Uppercase_Letter": "Lu", "Lowercase_Letter": "Ll",
            "Titlecase_Letter": "Lt", "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M",
            "Nonspacing_Mark": "Mn", "Spacing_Mark": "Mc", "Enclosing_Mark": "Me", "Number": "N",
            "Decimal_Number": "Nd", "digit": "Nd", "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P",
            "punct": "P", "Connector_Punctuation": "Pc", "Dash_Punctuation": "Pd", "Open_Punctuation": "Ps",
            "Close_Punctuation": "Pe", "Initial_Punctuation": "Pi", "Final_Punctuation": "Pf",
            "Other_Punctuation": "Po", "Symbol": "S", "Math_Symbol": "Sm", "Currency_Symbol": "Sc",
            "Modifier_Symbol": "Sk", "Other_Symbol": "So", "Separator": "Z", "Space_Separator": "Zs",
            "Line_Separator": "Zl", "Paragraph_Separator": "Zp", "Other": "C", "Control": "Cc", "Format": "Cf",
            "Surrogate": "Cs", "Private_Use": "Co", "Unassigned": "Cn",
        ]
    }
}
