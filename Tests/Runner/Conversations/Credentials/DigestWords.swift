/// The words of a line that say how a Digest answer is made: `password=guess`, `hashed:method=POST`, `without:nc`.
///
/// `NAME=VALUE` changes what is written and hashed, `hashed:NAME=VALUE` what is hashed alone, and the others what is written.
struct DigestWords {
    let right: WrittenAnswer
    private(set) var sent: WrittenAnswer
    /// Lines of the head.
    private(set) var lines: [String] = []
    let material: DigestMaterial

    /// `nonces` are those that a word can ask for by a name.
    init(_ words: [String], _ given: DigestMaterial, nonces: [String: String], line: Int) throws(RowError) {
        right = given.answer(with: given.response)
        var material = given
        var hashed: [(String, String)] = []
        var later: [(String, String)] = []
        for word in words {
            let (name, rest) = word.cut(at: "=")
            let value = String(decoding: try ByteText.bytes(inLine: rest ?? "", line: line), as: UTF8.self)
            if name == "nonce", let nonce = nonces[value] {
                material.nonce = nonce
            } else if name.hasPrefix("hashed:") {
                hashed.append((String(name.dropFirst("hashed:".count)), value))
            } else if rest == nil || !material.set(name, value) {
                later.append((name, value))
            }
        }
        var other = material
        for (name, value) in hashed {
            guard other.set(name, value) else { throw RowError(line, "a Digest answer has no \"\(name)\"") }
        }
        self.material = material
        sent = material.answer(with: other.response)
        var isTwice = false
        for (name, value) in later {
            if name == "two-fields" { isTwice = true } else { try write(name, value, material, line) }
        }
        lines = isTwice ? [sent.line, sent.line] : [sent.line]
    }

    private mutating func write(
        _ word: String, _ value: String, _ material: DigestMaterial, _ line: Int
    ) throws(RowError) {
        let (kind, part) = word.cut(at: ":")
        let name = part ?? ""
        switch kind {
        case "write": sent.set(name, value)
        case "without": sent.parameters.removeAll { $0.name == name }
        case "twice": sent.add(name, sent.raw(name))
        case "quote": sent.set(name, "\"\(sent.value(name))\"")
        case "unquote": sent.set(name, sent.value(name))
        case "reversed": sent.parameters.reverse()
        case "upper-names": sent.parameters = sent.parameters.map { ($0.name.uppercased(), $0.raw) }
        case "joint": sent.joint = value
        case "gap": sent.gap = value
        case "scheme": sent.scheme = value
        case "field": sent.field = value
        case "verbatim": sent.verbatim = value
        case "hashed-name": sent.set("username", "\"\(material.hash("\(material.user):\(material.realm)"))\"")
        case "response": sent.set("response", "\"\(try response(value, material, line))\"")
        default:
            throw RowError(
                line,
                "unknown word \"\(word)\" of a Digest answer; words are NAME=, hashed:NAME=, write:NAME=, without:, twice:, "
                    + "quote:, unquote:, reversed, upper-names, joint=, gap=, scheme=, field=, verbatim=, hashed-name, "
                    + "two-fields, response=")
        }
    }

    private func response(_ kind: String, _ material: DigestMaterial, _ line: Int) throws(RowError) -> String {
        let right = sent.value("response")
        let protected = material.hash("\(material.method):\(material.target)")
        switch kind {
        case "": return ""
        case "upper": return right.uppercased()
        case "off": return (right.hasPrefix("0") ? "1" : "0") + right.dropFirst()
        case "short": return String(right.dropLast())
        case "letter": return "x" + right.dropFirst()
        // The secret is not hashed.
        case "plain": return material.response(material.plainSecret, protected)
        // Under the name of auth-int, without the content.
        case "as-auth": return material.response(material.secret, protected)
        default: throw RowError(line, "response= is followed by upper, off, short, letter, plain, as-auth or nothing")
        }
    }
}
