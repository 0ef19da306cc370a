import ProctorBase

struct DigestUser {
    /// The name as hashed into A1: without escapes, or decoded.
    var name: [UInt8]
    /// nil if there is no such account.
    var accountIndex: Int?
}

extension DigestJudge {
    /// Reads `username`, `username*` and `userhash` (RFC 7616 §3.4, §3.4.4); nil if no name was sent.
    func findUser(
        _ credential: DigestCredential, _ space: ProtectionSpace, into judgement: inout DigestJudgement,
        by hasher: some DigestHasher
    ) -> DigestUser? {
        let isHashed = readUserhash(credential, &judgement)
        var named: DigestUser?
        if let extended = credential.extendedUser {
            named = findExtended(extended, credential, isHashed: isHashed, in: space, into: &judgement)
        } else if let plain = credential.username {
            requireQuotes(plain, &judgement)
            named =
                isHashed
                ? findHash(plain, space, into: &judgement, by: hasher) : findPlain(plain, space, into: &judgement)
        } else {
            judgement.refuse(.missingParameter, "the parameter username is missing; say who asks")
        }
        judgement.accountIndex = named?.accountIndex
        judgement.user = named.map { user in
            user.accountIndex.flatMap { accounts.indices.contains($0) ? accounts[$0].user : nil }
                ?? FieldText.decode(user.name)
        }
        return named
    }

    private func readUserhash(_ credential: DigestCredential, _ judgement: inout DigestJudgement) -> Bool {
        guard let parameter = credential.userhash else { return false }
        let section = "RFC 7616 §3.4.4"
        if parameter.isQuoted {
            judgement.remark(
                .wrongQuoting, "the parameter userhash stands in quotes; the examples of the RFC write it without",
                section: "RFC 7616 §3.9.2")
        }
        switch parameter.value.lowercased() {
        case "true":
            if userhash != true {
                judgement.refuse(
                    .wrongUserhash, "userhash is true, but the challenge does not offer it; send the plain name",
                    section: section)
            }
            return true
        case "false": return false
        default:
            judgement.refuse(
                .wrongUserhash, "userhash is \(ByteQuote.quoteLong(parameter.bytes)); expected true or false",
                section: section)
            return false
        }
    }

    private func findPlain(
        _ plain: AuthenticationParameter, _ space: ProtectionSpace, into judgement: inout DigestJudgement
    ) -> DigestUser {
        let name = plain.bytes
        if let index = space.indexByUser[name] { return DigestUser(name: name, accountIndex: index) }
        if let index = space.indexByUserhash[name] {
            judgement.refuse(
                .wrongUserhash, "username holds the hash of a name, but userhash=true is missing",
                section: "RFC 7616 §3.4.4")
            return DigestUser(name: Array(accounts[index].user.utf8), accountIndex: index)
        }
        for (index, account) in accounts.enumerated() {
            if FieldText.latin1Bytes(of: account.user) == name {
                judgement.refuse(
                    .wrongCharset, "username came as ISO-8859-1; expected UTF-8, or username* which names its charset",
                    section: "RFC 7616 §4")
                return DigestUser(name: name, accountIndex: index)
            }
            if String(validating: name, as: UTF8.self) == account.user {
                judgement.refuse(
                    .wrongCharset,
                    "username came in another normal form of Unicode; expected precomposed characters "
                        + "(NFC)", section: "RFC 7616 §4")
                return DigestUser(name: name, accountIndex: index)
            }
        }
        judgement.faults.append(.unknownUser(name, among: accounts, section: "RFC 7616 §3.4"))
        return DigestUser(name: name)
    }

    private func findHash(
        _ plain: AuthenticationParameter, _ space: ProtectionSpace, into judgement: inout DigestJudgement,
        by hasher: some DigestHasher
    ) -> DigestUser {
        func user(_ index: Int) -> DigestUser {
            DigestUser(name: Array(accounts[index].user.utf8), accountIndex: index)
        }
        if let index = space.indexByUserhash[plain.bytes] { return user(index) }
        let section = "RFC 7616 §3.4.4"
        let lowered = plain.bytes.map(\.asciiLowercased)
        let function = (offered ?? .md5).hash
        // A client that hashes the name may have used another hash function.
        let functions = userhash == true ? HashFunction.allCases : [function]
        // The named account first, then as many others as `accountLimit` allows.
        let known = space.indexByUserhash[lowered] ?? space.indexByUser[plain.bytes]
        for index in [known].compactMap(\.self) + accounts.indices.prefix(Self.accountLimit) {
            let account = accounts[index]
            let name = Array(account.user.utf8)
            let digits = DigestText.hash(function, ofParts: [name, space.realm], by: hasher)
            if digits == plain.bytes { return user(index) }
            let shown = "expected \(ByteQuote.quoteLong(digits))"
            if digits == lowered {
                judgement.judge(
                    .digestCapitals, .wrongUserhash, "the hash in username has capitals; \(shown)", section: section)
                return user(index)
            }
            if name == plain.bytes {
                judgement.refuse(
                    .wrongUserhash, "userhash is true, but username holds the plain name; \(shown)", section: section)
                return user(index)
            }
            for function in functions {
                for realm in realms.prefix(Self.accountLimit) + [[]] {
                    var parts = [name]
                    if !realm.isEmpty { parts.append(realm) }
                    guard DigestText.hash(function, ofParts: parts, by: hasher) == lowered else { continue }
                    let input =
                        realm.isEmpty ? "the name alone" : "the name and the realm \(ByteQuote.quoteLong(realm))"
                    judgement.refuse(
                        .wrongUserhash, "the hash in username is \(function.title) of \(input); \(shown)",
                        section: section)
                    return user(index)
                }
            }
        }
        judgement.refuse(
            .unknownUser,
            "the hash \(ByteQuote.quoteLong(plain.bytes)) in username belongs to no user; expected "
                + "\(function.title)(user:realm) of one", section: section)
        return DigestUser(name: plain.bytes)
    }

    /// The most accounts and realms that are tried.
    static let accountLimit = 16

    private func findExtended(
        _ extended: AuthenticationParameter, _ credential: DigestCredential, isHashed: Bool, in space: ProtectionSpace,
        into judgement: inout DigestJudgement
    ) -> DigestUser? {
        if extended.isQuoted {
            judgement.judge(
                .digestQuoting, .wrongQuoting,
                "username* stands in quotes; an extended value is none of a quoted string",
                section: "RFC 8187 §3.2.1")
        }
        if credential.username != nil {
            judgement.refuse(
                .unwantedParameter, "both username and username* came; send the one or the other")
        }
        if isHashed {
            judgement.refuse(
                .malformedExtendedUser,
                "username* came with userhash=true; a hash stands in username, username* is for a name")
        }
        guard let text = ExtendedValue.decode(extended.bytes) else {
            judgement.refuse(
                .malformedExtendedUser,
                "\(ByteQuote.quoteLong(extended.bytes)) is no extended value; expected UTF-8''NAME with its other bytes "
                    + "than letters, digits and !#$&+-.^_`|~ as %HH", section: "RFC 8187 §3.2")
            return nil
        }
        let name = Array(text.utf8)
        if !extended.bytes.allSatisfy({ 0x21...0x7E ~= $0 }) {
            judgement.refuse(
                .malformedExtendedUser, "username* has bytes that are not ASCII; write them as %HH",
                section: "RFC 8187 §3.2.1")
        }
        if text.utf8.allSatisfy({ 0x20...0x7E ~= $0 }) {
            judgement.remark(
                .malformedExtendedUser, "username* holds plain ASCII, which username could say as well")
        }
        if let index = space.indexByUser[name] { return DigestUser(name: name, accountIndex: index) }
        judgement.faults.append(.unknownUser(name, among: accounts, section: "RFC 7616 §3.4"))
        return DigestUser(name: name)
    }
}
