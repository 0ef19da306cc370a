import FuzzSupport
import ProctorBearer
import ProctorHTTP
import ProctorHTTPClient

/// Input: a letter that says which field it is, then its value; of challenges, one line for each field.
@c(LLVMFuzzerTestOneInput)
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    var input = unsafe FuzzInput(start, count)
    let kind = input.byte()
    let value = input.remaining
    switch kind {
    case UInt8(ascii: "w"):
        checkChallenges(value.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false).map(Array.init))
    case UInt8(ascii: "i"): checkInfo(value)
    default: checkCredentials(value)
    }
    return 0
}

private func check(_ violations: [AuthenticationViolation], in values: [[UInt8]]) {
    for violation in violations {
        check(values.indices.contains(violation.line), "line \(violation.line) of \(values.count)")
        let value = values.indices.contains(violation.line) ? values[violation.line] : []
        check(0..<value.count ~= violation.offset, "offset \(violation.offset) outside \(shown(value))")
        check(!violation.sentence.isEmpty, "no sentence for \(shown(value))")
    }
}

private func check(_ parameters: [AuthenticationParameter], of value: [UInt8]) {
    check(parameters.count <= 64, "\(parameters.count) parameters of \(shown(value))")
    check(Set(parameters.map { $0.name.lowercased() }).count == parameters.count, "a name twice in \(shown(value))")
}

private func checkChallenges(_ values: [[UInt8]]) {
    let reader = ChallengeReader(values)
    check(reader.violations, in: values)
    for challenge in reader.challenges {
        check(challenge.parameters, of: challenge.bytes)
        check(challenge.token68 == nil || challenge.parameters.isEmpty, "both kinds in \(shown(challenge.bytes))")
        _ = DigestChallenge(challenge)
    }
    // A control in a string is read as it came, and written as a space.
    guard reader.violations.isEmpty else { return }
    let lines = ChallengeReader(reader.challenges.map(\.bytes))
    check(lines.challenges == reader.challenges && lines.violations.isEmpty, "lines are read otherwise")
    let line = AuthenticationChallenge.oneLine(reader.challenges)
    let again = ChallengeReader([line])
    check(again.challenges == reader.challenges && again.violations.isEmpty, "written as \(shown(line))")
}

private func checkInfo(_ value: [UInt8]) {
    let info = AuthenticationInfo([value])
    check(info.violations, in: [value])
    check(info.parameters, of: value)
    guard info.violations.isEmpty else { return }
    check(AuthenticationInfo([info.bytes]) == info, "\(shown(value)) was written as \(shown(info.bytes))")
}

/// Not a hash, but it tells one text from another.
private struct SumHasher: DigestHasher {
    func appendHash(_ function: HashFunction, of bytes: Span<UInt8>, to output: inout [UInt8]) {
        var state: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in bytes.indices { state = (state ^ UInt64(bytes[index])) &* 0x100_0000_01B3 }
        for index in 0..<function.byteCount { output.append(UInt8(truncatingIfNeeded: state >> UInt64(index % 8 * 8))) }
    }
}

private let accounts = [
    CredentialAccount(user: "user", password: "pass"), CredentialAccount(user: "J\u{E4}s", password: ""),
]

private let digestJudges = [QualityOfProtection?.none, .authentication, .integrity].map { quality in
    DigestJudge(
        algorithm: .md5, qualities: quality.map { [$0] } ?? [], opaque: Array("o".utf8), userhash: true,
        realms: ["lab"], accounts: accounts, by: SumHasher())
}

private func checkCredentials(_ value: [UInt8]) {
    let credentials = Credentials(value)
    check(credentials.violations, in: [value])
    check(credentials.parameters, of: value)
    check(credentials.token68 == nil || credentials.parameters.isEmpty, "both kinds in \(shown(value))")
    if credentials.violations.isEmpty {
        let again = Credentials(credentials.bytes)
        check(
            again.scheme == credentials.scheme && again.token68 == credentials.token68
                && again.parameters == credentials.parameters && again.violations.isEmpty,
            "\(shown(value)) was written as \(shown(credentials.bytes))")
    }
    let basic = BasicJudge(accounts: accounts)
    let judgement = basic.judge(credentials)
    if let fast = basic.accountIndex(ofFieldValue: value) {
        check(judgement.isAdmitted && judgement.accountIndex == fast, "\(shown(value)) is admitted one way only")
    }
    let bearer = BearerJudge(tokens: [BearerToken(text: "t")], scopes: [], places: [.header])
    let request = BearerRequest(method: Array("GET".utf8), credentials: credentials)
    check(
        !bearer.judge(request).isAdmitted || credentials.token68 == "t", "\(shown(value)) passes with another token")
    for judge in digestJudges {
        let digest = judge.judge(
            DigestCredential(credentials),
            of: DigestRequest(method: Array("GET".utf8), target: Array("/".utf8), content: []),
            nonce: .known(KnownNonce()), by: SumHasher())
        check(digest.isAdmitted == (digest.faults.isEmpty && digest.proof != nil), "admitted without a response")
    }
}
