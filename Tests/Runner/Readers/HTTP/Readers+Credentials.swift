import ProctorBase
import ProctorHTTP
import ProctorHTTPClient
@testable import ProctorBearer

extension ReaderRunner {
    static let credentials: [String: DataReader] = [
        // Values of WWW-Authenticate with ` | ` between them.
        "challenges": .whole { input, block in
            let values = Parts.of(input)
            let reader = ChallengeReader(values)
            if reader.violations.isEmpty {
                let inLines = ChallengeReader(reader.challenges.map(\.bytes))
                let inOne = ChallengeReader([AuthenticationChallenge.oneLine(reader.challenges)])
                guard inLines.challenges == reader.challenges, inLines.violations.isEmpty,
                    inOne.challenges == reader.challenges, inOne.violations.isEmpty
                else { return ["what is written is not read again"] }
            }
            let count = values.first?.count ?? 0
            for end in stride(from: 0, through: count, by: max(1, count / 60)) {
                let cut = ChallengeReader([Array((values.first ?? []).prefix(end))])
                if !cut.violations.allSatisfy({ $0.offset < max(end, 1) }) { return ["it loses its place at \(end)"] }
            }
            return reader.challenges.flatMap { CredentialLines.parts($0.scheme, $0.token68, $0.parameters, block) }
                + reader.violations.map { "line \($0.line) " + GrammarText.place($0, block) }
        },
        // A value of Authorization.
        "credentials": .whole { input, block in
            let read = Credentials(input)
            if read.violations.isEmpty {
                let again = Credentials(read.bytes)
                guard again.scheme == read.scheme, again.token68 == read.token68, again.parameters == read.parameters,
                    again.violations.isEmpty, again.bytes == read.bytes
                else { return ["what is written is not read again"] }
            }
            for end in 0...input.count {
                let cut = Credentials(Array(input[..<end]))
                let isPlaced =
                    cut.violations.allSatisfy { $0.offset < max(end, 1) }
                    && cut.parameters.allSatisfy { $0.offset < max(end, 1) }
                    && (cut.token68 == nil || cut.parameters.isEmpty) && cut.rest.count <= end
                if !isPlaced { return ["it loses its place at \(end)"] }
            }
            return CredentialLines.parts(read.scheme, read.token68, read.parameters, block)
                + (block.has("rest") ? ["rest \(ByteText.optional(read.rest))"] : [])
                + read.violations.map { GrammarText.place($0, block) }
        },
        // Values of Authentication-Info with ` | ` between them.
        "authentication-info": .whole { input, block in
            let info = AuthenticationInfo(Parts.of(input))
            return CredentialLines.parts("", nil, info.parameters, block)
                + (info.quality.map { ["quality \($0)"] } ?? []) + info.violations.map { GrammarText.place($0, block) }
        },
        // Accounts such as `user:password` in a line each, and behind an empty line a value of Authorization.
        "basic": .whole { input, block in
            let parts = try Parts.exactly(2, input, by: "\r\n\r\n", block)
            let accounts = parts[0].split(separator: [0x0D, 0x0A]).map { line in
                let halves = line.split(separator: UInt8(ascii: "|"), maxSplits: 1, omittingEmptySubsequences: false)
                return CredentialAccount(user: Parts.text(halves[0]), password: Parts.text(halves.last ?? []))
            }
            let judge = BasicJudge(accounts: accounts)
            let judgement = judge.judge(Credentials(parts[1]))
            if let fast = judge.accountIndex(ofFieldValue: parts[1]),
                !judgement.isAdmitted || fast != judgement.accountIndex
            {
                return ["the look-up says otherwise"]
            }
            let lookUp = judge.accountIndex(ofFieldValue: parts[1]).map { _ in ", by one look-up" } ?? ""
            return [
                judgement.isAdmitted ? "admitted\(lookUp)" : "refused", "user \(ByteText.optional(judgement.user))",
                "account \(judgement.accountIndex.map(String.init) ?? "-")",
            ] + judgement.faults.map(CredentialLines.fault)
        },
        // `USER | PASSWORD` as a client writes them.
        "basic-credential": .whole { input, block in
            let parts = try Parts.exactly(2, input, by: " | ", block).map(Parts.text)
            do throws(BasicCredentialError) {
                return [try BasicCredential(user: parts[0], password: parts[1]).fieldValue]
            } catch { return ["refused: \(error)"] }
        },
        // Tokens in a line each, with scopes and `expired`; behind an empty line `METHOD | Authorization: … | query … | type … | form …`, by `scopes a,b` and `places header,query`.
        "bearer": .whole { input, block in try CredentialLines.bearer(input, block) },
        "bearer-token": .whole { input, _ in
            guard BearerText.isToken(input) else {
                let text = Parts.text(input)
                return [(try? BearerCredential(token: text)) == nil ? "no token" : "no token, but taken"]
            }
            let value = try BearerCredential(token: Parts.text(input)).fieldValue
            return [Credentials(Array(value.utf8)).token68.map { Array($0.utf8) } == input ? value : "not read again"]
        },
        "bearer-scope": .whole { input, _ in [BearerText.isScope(input) ? "a scope" : "no scope"] },
    ]
}

private enum CredentialLines {
    /// `Basic realm="lab"`, or `Basic token TOKEN`; with the word `places` where each parameter stands.
    static func parts(
        _ scheme: String, _ token: String?, _ parameters: [AuthenticationParameter], _ block: Block
    ) -> [String] {
        let first = token.map { "\(ByteText.optional(scheme)) token \($0)" } ?? ByteText.optional(scheme)
        return [first]
            + parameters.map { parameter in
                let value = ByteText.inLine(parameter.bytes)
                let written = parameter.isQuoted ? "\(parameter.name)=\"\(value)\"" : "\(parameter.name)=\(value)"
                return block.has("places") ? "\(written) at \(parameter.offset)" : written
            }
    }

    static func fault(_ fault: CredentialFault) -> String {
        "\(fault.kind.rawValue) (\(fault.section)): \(fault.sentence)"
    }

    static func bearer(_ input: [UInt8], _ block: Block) throws -> [String] {
        var request = BearerRequest(method: [], credentials: nil, query: nil, contentType: nil, content: nil)
        let parts = try Parts.exactly(2, input, by: "\r\n\r\n", block)
        for (index, part) in Parts.of(parts[1]).enumerated() {
            let name = Parts.text(part.prefix { $0 != 0x20 })
            let value = Array(part.dropFirst(name.utf8.count + 1))
            switch name {
            case _ where index == 0: request.method = part
            case "Authorization:": request.credentials = Credentials(value)
            case "query": request.query = value
            case "type": request.contentType = value
            case "form": request.content = value
            default: throw RowError(block.line, "unknown part \"\(name)\"; parts are Authorization:, query, type, form")
            }
        }
        let words = { (word: String) in (block.value(of: word) ?? "").split(separator: ",").map(String.init) }
        let places = block.has("places") ? Set(words("places").compactMap { BearerPlace(rawValue: $0) }) : [.header]
        let tokens = parts[0].split(separator: [0x0D, 0x0A]).map { line in
            let words = Parts.text(line).split(separator: " ").map(String.init)
            return BearerToken(
                text: words[0], scopes: Set(words.dropFirst()).subtracting(["expired"]),
                lifetime: words.contains("expired") ? 0 : nil)
        }
        let judge = BearerJudge(tokens: tokens, scopes: words("scopes"), places: places)
        let judgement = judge.judge(request)
        let parameters = judge.parameters(for: judgement)
        let challenge = AuthenticationChallenge(scheme: "Bearer", parameters: parameters)
        guard ChallengeReader([challenge.bytes]).violations.isEmpty else { return ["a challenge that can't be read"] }
        return [judgement.isAdmitted ? "admitted" : judgement.hasToken ? "refused" : "no token"]
            + judgement.faults.map(fault) + (judgement.error.map { ["status \($0.status)"] } ?? [])
            + parameters.map { "\($0.name)=\"\(ByteText.inLine($0.bytes))\"" }
    }
}
