import ProctorCrypto
import ProctorHTTP
import Testing

/// Right answers spoilt in one place; each is refused for that reason alone.
@Suite struct DigestMutationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let bench: DigestBench
        let kinds: [CredentialFault.Kind]
        let words: String

        init(
            _ name: String, _ kinds: CredentialFault.Kind..., says words: String, of bench: DigestBench = DigestBench(),
            _ change: (@Sendable (inout Credentials) -> Void)? = nil
        ) {
            self.name = name
            var bench = bench
            if let change { bench.change = change }
            self.bench = bench
            self.kinds = kinds
            self.words = words
        }

        var testDescription: String { name }
    }

    static let plain2069 = DigestBench(qualities: [], quality: nil)
    static let hashed = DigestBench(userhash: true)
    static let extended = DigestBench(user: "J\u{E4}s", password: "d\u{F8}r")

    /// Parameters that are missing, doubled or too many.
    static let presence: [Row] = [
        Row("no username", .missingParameter, says: "username is missing") { $0.set("username", nil) },
        Row("no realm", .missingParameter, says: "realm is missing; send back \"lab\"") { $0.set("realm", nil) },
        Row("no nonce", .missingParameter, says: "nonce is missing") { $0.set("nonce", nil) },
        Row("no uri", .missingParameter, says: "uri is missing; expected \"/a%20b?c=d\"") { $0.set("uri", nil) },
        Row("no response", .missingParameter, says: "response is missing") { $0.set("response", nil) },
        Row("no algorithm", .missingParameter, says: "send back MD5") { $0.set("algorithm", nil) },
        Row("no opaque", .missingParameter, says: "send back \"sealed\"") { $0.set("opaque", nil) },
        Row("no cnonce", .missingParameter, says: "cnonce is missing") { $0.set("cnonce", nil) },
        Row("no nc", .missingParameter, says: "nc is missing") { $0.set("nc", nil) },
        Row(
            "no cnonce for a session without qop", .missingParameter, says: "cnonce is missing",
            of: DigestBench(algorithm: .md5Session, qualities: [], quality: nil)
        ) { $0.set("cnonce", nil) },
        Row("no qop", .missingQop, says: "qop is missing; expected auth") { $0.set("qop", nil) },
        Row(
            "no qop, in the form of RFC 2069", .missingQop, says: "qop is missing", of: DigestBench(quality: nil)),
        Row("realm twice", .duplicateParameter, says: "\"realm\" comes twice") {
            $0.parameters.append(.init(name: "realm", bytes: Array("lab".utf8)))
        },
        Row("response twice in another case", .duplicateParameter, says: "\"RESPONSE\" comes twice") {
            $0.parameters.append(.init(name: "RESPONSE", bytes: Array("0".utf8)))
        },
        Row(
            "qop where none is offered", .unwantedParameter, .unwantedParameter, .unwantedParameter,
            says: "offers none", of: DigestBench(qualities: [])),
        Row("nc in the form of RFC 2069", .unwantedParameter, says: "nc came", of: plain2069) {
            $0.set("nc", "00000001", isQuoted: false)
        },
        Row("cnonce in the form of RFC 2069", .unwantedParameter, says: "cnonce came", of: plain2069) {
            $0.set("cnonce", "c")
        },
        Row("opaque where there is none", .unwantedParameter, says: "opaque is \"x\"", of: DigestBench(opaque: nil)) {
            $0.set("opaque", "x")
        },
        Row("username and username*", .unwantedParameter, says: "both username and username*", of: extended) {
            $0.set("username", "J\u{E4}s")
        },
    ]

    /// RFC 7616 §3.4: which sender MUST, and which MUST NOT, write quotes.
    static let quoting: [Row] =
        ["username", "realm", "nonce", "response", "cnonce", "opaque"].map { name in
            Row("\(name) without quotes", .wrongQuoting, says: "\(name)=") { $0.quote(name, false) }
        }
        + ["algorithm", "qop", "nc"].map { name in
            Row("\(name) in quotes", .wrongQuoting, says: "\(name)=\"") { $0.quote(name, true) }
        } + [
            Row("username* in quotes", .wrongQuoting, says: "username* stands in quotes", of: extended) {
                $0.quote("username*", true)
            },
            Row("uri without quotes", .wrongQuoting, says: "uri=*", of: DigestBench(method: "OPTIONS", target: "*")) {
                $0.quote("uri", false)
            },
        ]

    /// Values that are wrong by themselves.
    static let values: [Row] = [
        Row("another scheme", .wrongScheme, says: "expected Digest") { $0.scheme = "Basic" },
        Row("another realm", .wrongRealm, says: "\"far\"; expected \"lab\"", of: DigestBench(clientRealm: "far")),
        Row("realm in other case", .wrongRealm, says: "\"LAB\"", of: DigestBench(clientRealm: "LAB")),
        Row("opaque changed", .wrongOpaque, says: "\"Sealed\"; expected \"sealed\"") { $0.set("opaque", "Sealed") },
        Row("another algorithm", .wrongAlgorithm, says: "expected MD5", of: DigestBench(clientAlgorithm: .sha256)),
        Row("an unknown algorithm", .wrongAlgorithm, says: "\"SHA-1\"; expected MD5") { $0.set("algorithm", "SHA-1") },
        Row(
            "a session where none is offered", .wrongAlgorithm, says: "MD5-sess",
            of: DigestBench(clientAlgorithm: .md5Session)),
        Row("an unknown qop", .wrongQop, says: "qop is \"auth-conf\"; expected auth") {
            $0.set("qop", "auth-conf")
        },
        Row("the other qop", .wrongQop, says: "expected auth", of: DigestBench(quality: .integrity)),
        Row("uri of another resource", .wrongURI, says: "expected \"/a%20b?c=d\"", of: DigestBench(clientTarget: "/x")),
        Row("uri without query", .wrongURI, says: "the query is missing", of: DigestBench(clientTarget: "/a%20b")),
        Row("uri decoded", .wrongURI, says: "escapes were undone", of: DigestBench(clientTarget: "/a b?c=d")),
        Row(
            "uri absolute", .wrongURI, says: "the absolute form came",
            of: DigestBench(clientTarget: "http://h/a%20b?c=d")),
        Row(
            "uri in origin-form for a proxy", .wrongURI, says: "the origin-form came",
            of: DigestBench(clientTarget: "/a", target: "http://h:1/a")),
        Row("uri with a fragment", .wrongURI, says: "fragment", of: DigestBench(clientTarget: "/a%20b?c=d#e")),
        Row("uri in other case", .wrongURI, says: "only letter case", of: DigestBench(clientTarget: "/A%20b?c=d")),
        Row("nc of seven digits", .malformedNonceCount, says: "has 7 digits") {
            $0.set("nc", "0000001")
        },
        Row(
            "nc with capitals", .malformedNonceCount, says: "capitals", of: DigestBench(nonceCount: 10)
        ) { $0.set("nc", "0000000A") },
        Row("nc that is no number", .malformedNonceCount, says: "no number") {
            $0.set("nc", "0000000x")
        },
        Row("nc zero", .malformedNonceCount, says: "count includes", of: DigestBench(nonceCount: 0)),
        Row("cnonce empty", .emptyClientNonce, says: "cnonce is empty", of: DigestBench(clientNonce: "")),
        Row("response of another length", .malformedResponse, says: "has 31 digits") {
            $0.set("response", String(repeating: "0", count: 31))
        },
        Row("response no number", .malformedResponse, says: "no hexadecimal number") {
            $0.set("response", String(repeating: "z", count: 32))
        },
        Row("response in capitals", .malformedResponse, says: "right but for its capitals") {
            $0.set("response", $0["response"]?.uppercased())
        },
        Row("unknown user", .unknownUser, says: "there is no user \"nobody\"", of: DigestBench(user: "nobody")),
        Row("user in other case", .unknownUser, says: "there is \"user\"", of: DigestBench(user: "USER")),
        Row("plain name with userhash", .wrongUserhash, says: "plain name", of: hashed) { $0.set("username", "user") },
        Row("hash without userhash", .wrongUserhash, says: "userhash=true is missing", of: hashed) {
            $0.set("userhash", nil)
        },
        Row("hash in capitals", .wrongUserhash, says: "capitals", of: hashed) {
            $0.set("username", $0["username"]?.uppercased())
        },
        Row("hash of the name alone", .wrongUserhash, says: "MD5 of the name alone", of: hashed) {
            $0.set("username", "ee11cbb19052e40b07aac0ca060c23ee")
        },
        Row("hash of nobody", .unknownUser, says: "belongs to no user", of: hashed) { $0.set("username", "00") },
        Row("userhash that is not offered", .wrongUserhash, says: "does not offer it") {
            $0.set("userhash", "true", isQuoted: false)
            $0.set("username", OpenSSLHasherTests.hex(.md5, "user:lab"))
        },
        Row("userhash is maybe", .wrongUserhash, says: "expected true or false") {
            $0.set("userhash", "maybe", isQuoted: false)
        },
        Row("username* broken", .malformedExtendedUser, says: "no extended value", of: extended) {
            $0.set("username*", "UTF-8''J%", isQuoted: false)
        },
        Row(
            "username* with userhash", .malformedExtendedUser, says: "userhash=true",
            of: DigestBench(userhash: true, user: "J\u{E4}s", password: "d\u{F8}r")
        ) {
            $0.set("username", nil)
            $0.set("username*", "UTF-8''J%C3%A4s", isQuoted: false)
        },
    ]

    /// Faults that only the issuer of nonces can find.
    static let nonces: [Row] = [
        Row("unknown nonce", .unknownNonce, says: "never given", of: DigestBench(nonce: .unknown)),
        Row(
            "nonce of another realm", .nonceOfAnotherRealm, says: "\"far\"",
            of: DigestBench(nonce: .ofAnotherRealm("far"))),
        Row(
            "nonce of another algorithm", .nonceOfAnotherAlgorithm, says: "SHA-256",
            of: DigestBench(nonce: .ofAnotherAlgorithm(.sha256))),
        Row(
            "nonce used up", .staleNonce, says: "served 1 request,",
            of: DigestBench(nonce: .known(KnownNonce(age: .usedUp(uses: 1))))),
        Row(
            "nonce too old", .staleNonce, says: "older than 5.0 seconds",
            of: DigestBench(nonce: .known(KnownNonce(age: .tooOld(lifetime: .seconds(5)))))),
        Row(
            "replay", .replayedNonceCount, says: "came before", of: DigestBench(nonce: .known(KnownNonce(count: .seen)))
        ),
        Row(
            "old replay", .replayedNonceCount, says: "far below 00000800",
            of: DigestBench(nonce: .known(KnownNonce(count: .tooLow(highest: 0x800))))),
        Row(
            "gap", .skippedNonceCount, says: "the next one is 00000002",
            of: DigestBench(nonceCount: 3, nonce: .known(KnownNonce(count: .skipped(expected: 2, isRefused: true))))),
        Row(
            "realm of another turn", .wrongRealm, says: "expected \"second\"",
            of: DigestBench(nonce: .known(KnownNonce(realm: 1)))),
    ]

    static let all = presence + quoting + values + nonces

    @Test(arguments: all)
    func `a mutation is refused for its reason`(_ row: Row) {
        let judgement = row.bench.judgement()
        let words = judgement.faults.map(\.description).joined(separator: "\n")
        #expect(judgement.faults.map(\.kind) == row.kinds, "\(words)")
        #expect(words.contains(row.words), "\(words)")
        #expect(!judgement.isAdmitted)
        #expect(judgement.isStale == (row.kinds == [.staleNonce]))
        #expect(!words.contains("0pen-up"), "no password is shown")
        for fault in judgement.faults { #expect(fault.section.hasPrefix("RFC ")) }
    }

    @Test func `the table is long enough, and its names are its own`() {
        #expect(Self.all.count >= 60)
        #expect(Set(Self.all.map(\.name)).count == Self.all.count)
    }

    /// What leaves one meaning, with the departure that names it.
    static let tolerable: [(row: Row, departure: Departure)] =
        all.compactMap { row in
            let judgement = row.bench.judgement()
            guard judgement.faults.count == 1, let departure = Departure(judgement.faults[0]) else { return nil }
            return (row, departure)
        }

    @Test func `a departure with one meaning is only remarked where it is tolerated`() {
        for (row, departure) in Self.tolerable {
            var bench = row.bench
            bench.tolerated = [departure]
            let judgement = bench.judgement()
            // Of one kind and section, what has one meaning alone is tolerated.
            guard judgement.faults.isEmpty else {
                #expect(judgement.faults.map(\.kind) == row.kinds && judgement.remarks == [], "\(row.name)")
                continue
            }
            #expect(judgement.remarks.map(\.kind) == row.kinds, "\(row.name)")
            #expect(judgement.remarks.compactMap { Departure($0) } == [departure], "\(row.name)")
        }
    }

    @Test(arguments: [
        "algorithm in quotes", "nonce without quotes", "username* in quotes", "opaque where there is none",
        "cnonce in the form of RFC 2069", "response in capitals", "no qop, in the form of RFC 2069",
    ])
    func `a tolerated credential is right`(_ name: String) throws {
        let (row, departure) = try #require(Self.tolerable.first { $0.row.name == name })
        var bench = row.bench
        #expect(!bench.judgement().isAdmitted)
        bench.tolerated = [departure]
        #expect(bench.judgement().isAdmitted && bench.judgement().proof != nil)
    }

    @Test func `a path stands for an absolute target where that is tolerated, and another path does not`() {
        var bench = DigestBench(clientTarget: "/a?b=c", target: "http://lab.test/a?b=c")
        #expect(bench.judgement().faults.map(\.kind) == [.wrongURI])
        bench.tolerated = Set(Departure.allCases)
        #expect(bench.judgement().isAdmitted && bench.judgement().remarks.map(\.kind) == [.wrongURI])
        bench.clientTarget = "/a"
        #expect(bench.judgement().faults.map(\.kind) == [.wrongURI])
    }

    @Test(arguments: [
        (
            "a gap that is allowed",
            DigestBench(nonce: .known(KnownNonce(count: .skipped(expected: 2, isRefused: false)))),
            CredentialFault.Kind.skippedNonceCount
        ),
        ("userhash in quotes", DigestBench(userhash: true, change: { $0.quote("userhash", true) }), .wrongQuoting),
        ("algorithm that is not named", DigestBench(algorithm: nil, clientAlgorithm: .md5), .unwantedParameter),
        (
            "username* for ASCII",
            DigestBench(change: {
                $0.set("username", nil)
                $0.set("username*", "UTF-8''user", isQuoted: false)
            }), .malformedExtendedUser
        ),
    ])
    func `what no rule forbids is remarked and admitted`(
        _ name: String, _ bench: DigestBench, _ kind: CredentialFault.Kind
    ) {
        let judgement = bench.judgement()
        #expect(judgement.faults == [], "\(name)")
        #expect(judgement.remarks.map(\.kind) == [kind], "\(name)")
    }

    @Test(arguments: [
        DigestBench(), plain2069, hashed, extended, DigestBench(algorithm: nil), DigestBench(opaque: nil),
        DigestBench(user: "q\"u\\"), DigestBench(qualities: [.integrity, .authentication]),
        DigestBench(qualities: [.integrity], quality: .integrity, content: [1, 2, 3]),
        DigestBench(
            algorithm: .sha256Session, sessionClientNonce: "first",
            nonce: .known(KnownNonce(sessionClientNonce: Array("first".utf8)))),
        DigestBench(
            userhash: true,
            change: { credentials in
                credentials.set("userhash", nil)
                credentials.set("username", "user")
            }),
        DigestBench(change: { $0.parameters.append(.init(name: "future", bytes: [])) }),
        DigestBench(change: { $0.parameters.reverse() }), DigestBench(change: { $0.scheme = "dIGEST" }),
        DigestBench(nonceCount: .max),
    ])
    func `what is right is admitted without a remark`(_ bench: DigestBench) {
        let judgement = bench.judgement()
        #expect(judgement.faults == [])
        #expect(judgement.remarks == [])
        #expect(judgement.accountIndex != nil)
        #expect(judgement.proof != nil)
    }
}
