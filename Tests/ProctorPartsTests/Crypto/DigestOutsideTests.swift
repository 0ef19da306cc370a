import ProctorBase
import ProctorCrypto
import ProctorHTTP
import ProctorHTTPClient
import ProctorTestSupport
import Testing

/// Compares every algorithm and form with an independent computation.
@Suite struct DigestOutsideTests {
    struct Combination: Sendable {
        let algorithm: DigestAlgorithm
        let quality: QualityOfProtection?
        let isHashed: Bool
        let user, realm, password, method, target, nonce, clientNonce: String
        let count: UInt32
        let content: [UInt8]

        init(_ number: Int, _ random: inout SeededGenerator) {
            let qualities: [QualityOfProtection?] = [nil, .authentication, .integrity]
            algorithm = DigestAlgorithm.allCases[number % 6]
            quality = qualities[number / 6 % 3]
            isHashed = number / 18 % 2 == 0
            func text(_ letters: [Character], _ least: Int) -> String {
                String(
                    (0..<Int.random(in: least...12, using: &random)).compactMap { _ in
                        letters.randomElement(using: &random)
                    })
            }
            let any = Array("abcXYZ019 :,=\"\\'%/äø€é")
            let plain = Array("abcXYZ019+/=")
            user = text(any, 0)
            realm = text(any, 0)
            password = text(any, 0)
            method = ["GET", "POST", "PUT", "M-SEARCH"].randomElement(using: &random) ?? "GET"
            target = "/" + text(Array("abc/%20?=&;.~"), 0)
            nonce = text(plain, 1)
            clientNonce = text(plain, 1)
            count = UInt32.random(in: 1...UInt32.max, using: &random)
            content = (0..<Int.random(in: 0...40, using: &random)).map { _ in UInt8.random(in: 0...255, using: &random)
            }
        }

        var line: String {
            func hex(_ bytes: some Sequence<UInt8>) -> String {
                bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
            }
            let digits = String(count, radix: 16)
            let nc = String(repeating: "0", count: 8 - digits.utf8.count) + digits
            let parts = [user, realm, password, method, target, nonce, nc, clientNonce].map { hex($0.utf8) }
            return ([algorithm.rawValue, quality?.rawValue ?? "none"] + parts + [hex(content)]).joined(separator: " ")
        }

        var challenge: AuthenticationChallenge {
            var parameters = [
                AuthenticationParameter(name: "realm", bytes: Array(realm.utf8)),
                AuthenticationParameter(name: "nonce", bytes: Array(nonce.utf8)),
                AuthenticationParameter(name: "algorithm", bytes: Array(algorithm.rawValue.utf8), isQuoted: false),
            ]
            if let quality { parameters.append(.init(name: "qop", bytes: Array(quality.rawValue.utf8))) }
            if isHashed { parameters.append(.init(name: "userhash", bytes: Array("true".utf8), isQuoted: false)) }
            return AuthenticationChallenge(scheme: "Digest", parameters: parameters)
        }
    }

    @Test func `288 random combinations come out as in python, and are admitted`() async throws {
        var random = SeededGenerator(seed: 7616)
        let combinations = (0..<288).map { Combination($0, &random) }
        let output = try await PythonHashes.run(
            PythonHashes.digest, combinations.map { $0.line + "\n" }.joined())
        let lines = output.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        try #require(lines.count == combinations.count)
        let hasher = OpenSSLHasher()
        for (combination, expected) in zip(combinations, lines) {
            let offered = try #require(ChallengeReader([combination.challenge.bytes]).challenges.first)
            let challenge = try #require(DigestChallenge(offered))
            let answer = DigestAnswer(
                to: challenge, user: combination.user, password: combination.password, method: combination.method,
                target: Array(combination.target.utf8), quality: combination.quality, nonceCount: combination.count,
                clientNonce: combination.clientNonce, content: combination.content)
            let read = Credentials(answer.fieldValue(by: hasher))
            #expect(read["response"] == expected[0], "\(combination)")
            if combination.isHashed { #expect(read["username"] == expected[1], "\(combination)") }
            let reply = Array("the content of the reply".utf8)
            #expect(answer.responseAuthentication(content: reply, by: hasher).elementsEqual(expected[2].utf8))
            let judge = DigestJudge(
                algorithm: combination.algorithm, qualities: challenge.qualities, opaque: nil,
                userhash: combination.isHashed, realms: [combination.realm],
                accounts: [CredentialAccount(user: combination.user, password: combination.password)], by: hasher)
            let judgement = judge.judge(
                DigestCredential(read),
                of: DigestRequest(
                    method: Array(combination.method.utf8), target: Array(combination.target.utf8),
                    content: combination.content), nonce: .known(KnownNonce()), by: hasher)
            #expect(judgement.faults == [], "\(combination)")
            #expect(
                judgement.proof?.responseAuthentication(content: reply, by: hasher).elementsEqual(expected[2].utf8)
                    == true)
        }
    }
}
