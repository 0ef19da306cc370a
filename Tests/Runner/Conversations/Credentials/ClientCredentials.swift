import ProctorBase
import ProctorNTLM

/// What guards have asked a client, and what it answers by the words of a line.
struct ClientCredentials {
    /// The Digest challenges of each reply that had any.
    private var asked: [[[String: String]]] = []
    private var session: (nonce: String, clientNonce: String)?
    private var nextNonce: String?
    private var last: DigestMaterial?
    private var proof: String?
    /// Nonces that were made at random, in the order in which they came.
    private var nonces: [String] = []
    private var lastNTLM: String?
    private var negotiations: [String: NTLMSession] = [:]

    mutating func fields(for line: AskedLine, on name: String, at number: Int) throws(RowError) -> [String] {
        if let words = line.digest { return try digest(words, line, number) }
        guard let words = line.ntlm else { return [] }
        if words == ["again"], let lastNTLM { return [lastNTLM] }
        let owner = words.count > 3 ? words[3] : name
        var negotiation = negotiations[owner] ?? NTLMSession()
        let value = negotiation.fieldValue(user: words.first ?? "user", password: words.dropFirst().first ?? "pass")
        negotiations[owner] = negotiation
        guard let value else { throw RowError(number, "this negotiation has no next message") }
        let field = "\(line.isForProxy ? "Proxy-" : "")Authorization: \(String(decoding: value, as: UTF8.self))"
        lastNTLM = field
        return [field]
    }

    /// `from=1` is the first reply with challenges, `offer=2` the second challenge of it; without them the latest and the first.
    private mutating func digest(_ all: [String], _ line: AskedLine, _ number: Int) throws(RowError) -> [String] {
        var words = all
        func take(_ name: String) -> Int? {
            guard let index = words.firstIndex(where: { $0.hasPrefix("\(name)=") }) else { return nil }
            return Int(words.remove(at: index).dropFirst(name.count + 1))
        }
        let from = take("from") ?? asked.count
        let offer = take("offer") ?? 1
        let known = words.firstIndex { $0.hasPrefix("known=") }.map { String(words.remove(at: $0).dropFirst(6)) }
        let challenge: [String: String]
        if let known {
            challenge = ["algorithm": "MD5", "realm": "lab", "qop": "auth", "nonce": known]
        } else {
            guard asked.indices.contains(from - 1), asked[from - 1].indices.contains(offer - 1) else {
                throw RowError(number, "there is no such challenge to answer")
            }
            challenge = asked[from - 1][offer - 1]
        }
        var material = DigestMaterial(
            challenge, method: line.method, target: line.target, content: line.content ?? [])
        if let index = words.firstIndex(of: "session") {
            words.remove(at: index)
            material.session = session
        }
        let made = try DigestWords(
            words, material,
            nonces: ["next": nextNonce ?? "", "first": asked.first?.first?["nonce"] ?? ""], line: number)
        if session == nil { session = (made.material.nonce, made.material.clientNonce) }
        last = made.material
        return made.lines.map { line.isForProxy ? "Proxy-" + $0 : $0 }
    }

    mutating func receive(_ reply: AskedReply, on name: String) {
        let values = reply.values("WWW-Authenticate") + reply.values("Proxy-Authenticate")
        let challenges = ChallengeText.digests(in: values)
        if !challenges.isEmpty { asked.append(challenges) }
        for value in values where value.lowercased().hasPrefix("ntlm ") {
            negotiations[name]?.receive(NTLMServerToken(String(value.dropFirst(5))))
        }
        let infos = reply.values("Authentication-Info") + reply.values("Proxy-Authentication-Info")
        proof = infos.isEmpty ? nil : last?.proof(content: reply.content)
        for info in infos { if let next = ChallengeText.parameters(info[...])["nextnonce"] { nextNonce = next } }
    }

    /// The value of a field, with what chance has made given names: `<nonce 1>`, `<proof>`.
    mutating func note(_ value: String) -> String {
        let parameters = ChallengeText.parameters(value.cut(at: " ").1?[...] ?? "")
            .merging(ChallengeText.parameters(value[...])) { first, _ in first }
        for name in ["nonce", "nextnonce"] {
            if let nonce = parameters[name], nonce.count == 32, !nonces.contains(nonce) { nonces.append(nonce) }
        }
        if let told = parameters["rspauth"], told != proof {
            return hide(value.replacing(told, with: "<other \(told.count) digits>"))
        }
        return hide(value)
    }

    func hide(_ text: String) -> String {
        var text = text
        for (index, nonce) in nonces.enumerated() { text = text.replacing(nonce, with: "<nonce \(index + 1)>") }
        if let proof { text = text.replacing(proof, with: "<proof>") }
        return text
    }
}

/// Challenges read by a few lines of the tests' own.
enum ChallengeText {
    /// The parameters of every Digest challenge that has a field line of its own.
    static func digests(in values: [String]) -> [[String: String]] {
        values.filter { $0.lowercased().hasPrefix("digest ") }.map { parameters($0.dropFirst("digest ".count)) }
    }

    /// `name=value, other="quoted"`, without quotes and quoted-pairs.
    static func parameters(_ text: Substring) -> [String: String] {
        var parameters: [String: String] = [:]
        for part in parts(of: text) {
            let (name, rest) = part.cut(at: "=")
            guard let rest else { continue }
            parameters[name.lowercased().filter { $0 != " " }] = unquoted(rest)
        }
        return parameters
    }

    private static func unquoted(_ raw: String) -> String {
        guard raw.hasPrefix("\""), raw.hasSuffix("\""), raw.count > 1 else { return raw }
        var value = ""
        var rest = raw.dropFirst().dropLast()
        while let character = rest.popFirst() { value.append(character == "\\" ? rest.popFirst() ?? "\\" : character) }
        return value
    }

    /// At the commas that stand outside of quotes.
    private static func parts(of text: Substring) -> [String] {
        var parts = [""]
        var isQuoted = false
        var isEscaped = false
        for character in text {
            if character == "\"", !isEscaped { isQuoted.toggle() }
            isEscaped = character == "\\" && !isEscaped
            if character == ",", !isQuoted { parts.append("") } else { parts[parts.count - 1].append(character) }
        }
        return parts
    }
}
