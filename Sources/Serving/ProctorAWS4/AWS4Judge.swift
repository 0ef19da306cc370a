internal import ProctorBase
internal import ProctorCrypto
internal import ProctorHTTP
internal import ProctorReplies

/// Judges the signatures of requests, in Authorization and in the query.
struct AWS4Judge: OfferJudge {
    let offer: AWS4Offer
    let accounts: [CredentialAccount]

    var replies: [OwnReply] { AWS4Error.allCases.map(\.reply) }
    var asking: OwnReply? { AWS4Error.accessDenied.reply }

    /// Unsigned content need not be read, but the field that says so may be missing.
    func looksAtBody(of head: RequestHead?) -> Bool {
        guard let head else { return true }
        return head.fields.first(named: "X-Amz-Content-Sha256").map { !$0.elementsEqual("UNSIGNED-PAYLOAD".utf8) }
            ?? true
    }

    func finding(
        _ credentials: Credentials?, of request: RequestView, at moment: GuardMoment, after earlier: (any Sendable)?
    ) -> CredentialFinding? {
        let asked = AWS4Request(request)
        guard credentials != nil || asked.isSignedInQuery else { return nil }
        var finding = CredentialFinding(scheme: AWS4.algorithm)
        do throws(CredentialFault) {
            if credentials != nil, asked.isSignedInQuery {
                throw AWS4Claims.fault(
                    .severalCredentials, "the request is signed in Authorization and in the query; expected one of them"
                )
            }
            let claims: AWS4Claims
            if let credentials {
                claims = try AWS4Claims(field: credentials.rest, asked)
            } else {
                claims = try AWS4Claims(queryOf: asked)
            }
            try judge(claims, asked, at: moment.unixSeconds, &finding)
        } catch {
            finding.faults = [error]
            if !finding.isUndecided {
                finding.reply = AWS4Error(error.kind, isInQuery: credentials == nil).reply
            }
        }
        return finding
    }

    private func judge(
        _ claims: AWS4Claims, _ request: AWS4Request, at now: Int, _ finding: inout CredentialFinding
    ) throws(CredentialFault) {
        let scope = try scope(of: claims)
        finding.user = PrintableText.sanitize(scope.key, limit: 128)
        try checkDate(claims, scope, at: now)
        guard let account = accounts.first(where: { $0.user == scope.key }) else {
            throw AWS4Claims.fault(.unknownUser, "there is no access key \(AWS4Claims.shown(scope.key))")
        }
        try checkNames(claims, request)
        var request = request
        request.pathForm = scope.service == "s3" ? .once : .twice
        let payload = try payload(of: claims, scope, request)
        let signing = AWS4Signing(scope: scope, date: claims.date)
        guard let key = signing.key(of: account.password) else {
            throw CredentialFault(.hashRefused, "OpenSSL does not compute SHA-256 here", section: AWS4.section)
        }
        let canonical = request.canonical(signed: claims.signedNames, payload: payload)
        guard signing.signature(of: canonical, by: key) == claims.signature else {
            throw AWS4Diagnosis(claims: claims, request: request, payload: payload, signing: signing, key: key)
                .fault(account: account, canonical: canonical)
        }
        guard payload.hasPrefix("STREAMING-") else { return }
        try AWS4Chunks(signing: signing, key: payload.hasPrefix("STREAMING-AWS4-") ? key : nil)
            .check(try content(of: request), behind: claims.signature)
    }

    private func scope(of claims: AWS4Claims) throws(CredentialFault) -> AWS4Claims.Scope {
        guard let scope = AWS4Claims.Scope(claims.credential) else {
            throw AWS4Claims.fault(
                .wrongScope,
                "a credential is KEY/DATE/REGION/SERVICE/aws4_request, found \(AWS4Claims.shown(claims.credential))")
        }
        for (name, wanted, said) in [("service", offer.service, scope.service), ("region", offer.region, scope.region)]
        {
            guard let wanted, wanted != said else { continue }
            throw AWS4Claims.fault(
                .wrongScope,
                "the \(name) of the credential is \(AWS4Claims.shown(said)); expected \(AWS4Claims.shown(wanted))")
        }
        return scope
    }

    private func checkDate(
        _ claims: AWS4Claims, _ scope: AWS4Claims.Scope, at now: Int
    ) throws(CredentialFault) {
        guard let date = claims.unixSeconds else {
            throw AWS4Claims.fault(
                .malformedField, "X-Amz-Date is a date as 20260102T030405Z, found \(AWS4Claims.shown(claims.date))")
        }
        guard claims.date.hasPrefix(scope.day) else {
            throw AWS4Claims.fault(
                .wrongScope, "the day of the credential is \(scope.day), and the date of the request \(claims.date)")
        }
        if date - now > offer.skew || claims.lifetime == nil && now - date > offer.skew {
            throw AWS4Claims.fault(
                .wrongDate,
                "the date \(claims.date) differs by \(abs(date - now)) s from the server's, "
                    + "\(AWS4Claims.basicDate(now)); at most \(offer.skew) s are permitted")
        }
        if let lifetime = claims.lifetime, now - date > lifetime {
            throw AWS4Claims.fault(
                .expiredSignature, "the signature has expired: it was valid for \(lifetime) s from \(claims.date) on")
        }
    }

    /// Host and every x-amz- field are signed, and what is signed is there.
    private func checkNames(_ claims: AWS4Claims, _ request: AWS4Request) throws(CredentialFault) {
        let sent = request.fieldNames
        let wanted = ["host"] + sent.filter { $0.hasPrefix("x-amz-") }
        if let name = wanted.first(where: { !claims.signedNames.contains($0) }) {
            throw AWS4Claims.fault(.unsignedField, "the field \(AWS4Claims.shown(name)) is not signed")
        }
        if let name = claims.signedNames.first(where: { !sent.contains($0) }) {
            throw AWS4Claims.fault(
                .unsignedField, "the field \(AWS4Claims.shown(name)) is signed, and the request has none")
        }
    }

    // MARK: Content

    private static let unsigned = "UNSIGNED-PAYLOAD"
    private static let streams = [
        "STREAMING-AWS4-HMAC-SHA256-PAYLOAD", "STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER",
        "STREAMING-UNSIGNED-PAYLOAD-TRAILER",
    ]

    /// What the canonical request has of the content, which is compared where it is a hash.
    private func payload(
        of claims: AWS4Claims, _ scope: AWS4Claims.Scope, _ request: AWS4Request
    ) throws(CredentialFault) -> String {
        let said = claims.payload ?? (claims.isInQuery && scope.service == "s3" ? Self.unsigned : nil)
        if let said, said == Self.unsigned || Self.streams.contains(said) { return said }
        let hash = AWS4Signing.hash(try content(of: request))
        guard let said else { return hash }
        guard said.utf8.count == 64, said.utf8.allSatisfy({ $0.hexadecimalValue != nil }) else {
            throw AWS4Claims.fault(
                .malformedField,
                "x-amz-content-sha256 is a hash, \(Self.unsigned) or one of \(Self.streams.joined(separator: ", ")), found "
                    + AWS4Claims.shown(said))
        }
        guard said == hash else {
            throw AWS4Claims.fault(
                .wrongContentHash, "x-amz-content-sha256 is \(said), and the hash of the content \(hash)")
        }
        return said
    }

    private func content(of request: AWS4Request) throws(CredentialFault) -> [UInt8] {
        guard let content = request.content else {
            throw AWS4Claims.fault(.contentNotKept, "the server keeps no content of this length, which is signed")
        }
        return content
    }
}

/// Computes signatures with one date and scope.
struct AWS4Signing {
    let scope: AWS4Claims.Scope
    let date: String

    /// In hexadecimal digits; empty where OpenSSL refuses it.
    static func hash(_ bytes: [UInt8]) -> String { hexadecimal(OpenSSLDigest.hash("sha256", of: bytes) ?? []) }

    /// nil where OpenSSL refuses SHA-256; `prefix` is part of the secret's use.
    func key(of secret: String, prefix: String = "AWS4") -> [UInt8]? {
        var key = Array((prefix + secret).utf8)
        for part in [scope.day, scope.region, scope.service, "aws4_request"] {
            guard !key.isEmpty, let next = KeyedHash.hmacSHA256(Array(part.utf8), key: key) else { return nil }
            key = next
        }
        return key
    }

    func signature(of canonical: String, by key: [UInt8]) -> String {
        signature("", [Self.hash(Array(canonical.utf8))], by: key)
    }

    /// The signature of a chunk or of a trailer section; `suffix` is that of the algorithm.
    func signature(_ suffix: String, _ lines: [String], by key: [UInt8]) -> String {
        let text = ([AWS4.algorithm + suffix, date, scope.text] + lines).joined(separator: "\n")
        return Self.hexadecimal(KeyedHash.hmacSHA256(Array(text.utf8), key: key) ?? [])
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { $0.hexadecimal(uppercase: false) }.joined()
    }
}

/// The content of aws-chunked, whose chunks and trailers are signed one after the other.
struct AWS4Chunks {
    let signing: AWS4Signing
    /// nil: only the form is looked at.
    let key: [UInt8]?

    /// `signature` is that of the head.
    func check(_ content: [UInt8], behind signature: String) throws(CredentialFault) {
        var before = signature
        var position = 0
        var number = 0
        while true {
            number += 1
            guard let end = Self.lineEnd(in: content, from: position) else {
                throw Self.broken("chunk \(number) breaks off")
            }
            let line = String(decoding: content[position..<end], as: UTF8.self)
            let parts = line.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
            guard let digits = parts.first, 1...8 ~= digits.utf8.count, let size = Int(digits, radix: 16), size >= 0
            else {
                throw Self.broken("chunk \(number) begins with \(AWS4Claims.shown(line)), which is no size")
            }
            let start = end + 2
            guard size <= content.count - start else { throw Self.broken("chunk \(number) breaks off") }
            if let key {
                let told = parts.dropFirst().first ?? ""
                let right = signing.signature(
                    "-PAYLOAD", [before, AWS4Signing.hash([]), AWS4Signing.hash(Array(content[start..<start + size]))],
                    by: key)
                guard told == "chunk-signature=\(right)" else {
                    throw AWS4Claims.fault(
                        .wrongChunkSignature,
                        told.hasPrefix("chunk-signature=")
                            ? "the signature of chunk \(number), of \(Plural.count(size, "byte")), is not the one of its bytes "
                                + "behind the chunk before"
                            : "chunk \(number) has no chunk-signature, found \(AWS4Claims.shown(told))")
                }
                before = right
            }
            position = start + size
            if size == 0 { break }
            guard content[position...].starts(with: "\r\n".utf8) else {
                throw Self.broken("chunk \(number) is longer than its size, \(size)")
            }
            position += 2
        }
        try checkTrailers(Array(content[position...]), behind: before)
    }

    private func checkTrailers(_ bytes: [UInt8], behind before: String) throws(CredentialFault) {
        guard let key else { return }
        var signed = ""
        var told: String?
        for line in bytes.split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = String(decoding: line, as: UTF8.self)
            guard let mark = text.firstIndex(of: ":") else {
                throw Self.broken("a trailer is \(AWS4Claims.shown(text))")
            }
            let name = text[..<mark].lowercased()
            let value = text[text.index(after: mark)...].split(separator: " ").joined(separator: " ")
            if name == "x-amz-trailer-signature" { told = value } else { signed += "\(name):\(value)\n" }
        }
        guard told != nil || !signed.isEmpty else { return }
        guard told == signing.signature("-TRAILER", [before, AWS4Signing.hash(Array(signed.utf8))], by: key) else {
            throw AWS4Claims.fault(
                .wrongChunkSignature,
                told == nil
                    ? "the trailers have no x-amz-trailer-signature"
                    : "x-amz-trailer-signature is not the one of the trailers")
        }
    }

    private static func lineEnd(in content: [UInt8], from start: Int) -> Int? {
        guard start < content.count else { return nil }
        let end = content[start...].firstIndex(of: 0x0D)
        return end.flatMap { $0 + 1 < content.count && content[$0 + 1] == 0x0A ? $0 : nil }
    }

    private static func broken(_ sentence: String) -> CredentialFault { AWS4Claims.fault(.malformedContent, sentence) }
}
