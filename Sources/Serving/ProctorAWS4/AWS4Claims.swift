internal import ProctorBase
internal import ProctorHTTP

/// What a request says of its signature, in Authorization or in its query.
struct AWS4Claims {
    let isInQuery: Bool
    let credential: String
    let signedNames: [String]
    let signature: String
    /// `20260102T030405Z`.
    let date: String
    /// Seconds for which a signature in the query is valid.
    let lifetime: Int?
    /// The value of x-amz-content-sha256; nil without one.
    let payload: String?

    /// The parts of a credential, `KEY/DATE/REGION/SERVICE/aws4_request`.
    struct Scope {
        let key: String
        let day: String
        let region: String
        let service: String

        /// nil where the credential has other parts; a key may have slashes.
        init?(_ credential: String) {
            let parts = credential.split(separator: "/", omittingEmptySubsequences: false)
            guard parts.count >= 5, parts.last == "aws4_request" else { return nil }
            let place = parts.count - 4
            key = parts[..<place].joined(separator: "/")
            (day, region, service) = (String(parts[place]), String(parts[place + 1]), String(parts[place + 2]))
            guard !key.isEmpty, day.utf8.count == 8, day.utf8.allSatisfy(\.isASCIIDigit) else { return nil }
        }

        var text: String { "\(day)/\(region)/\(service)/aws4_request" }
    }

    /// The most names of fields that may be signed.
    private static let mostNames = 200

    /// Reads the claims of the field Authorization.
    init(field: [UInt8], _ request: AWS4Request) throws(CredentialFault) {
        var values: [String: String] = [:]
        for part in String(decoding: field, as: UTF8.self).split(separator: ",", omittingEmptySubsequences: false) {
            let part = Self.trimmed(part)
            guard let mark = part.firstIndex(of: "=") else {
                throw Self.fault(.malformedField, "expected NAME=VALUE between commas, found \(Self.shown(part))")
            }
            let name = String(part[..<mark])
            guard ["Credential", "SignedHeaders", "Signature"].contains(name) else {
                throw Self.fault(
                    .malformedField,
                    "expected Credential, SignedHeaders and Signature, found the parameter \(Self.shown(name))")
            }
            guard values.updateValue(String(part[part.index(after: mark)...]), forKey: name) == nil else {
                throw Self.fault(.duplicateParameter, "\(name) stands in Authorization twice")
            }
        }
        isInQuery = false
        credential = try Self.required("Credential", in: values)
        signedNames = try Self.names(try Self.required("SignedHeaders", in: values))
        signature = try Self.signature(try Self.required("Signature", in: values))
        lifetime = nil
        payload = request.value(of: "x-amz-content-sha256")
        if let date = request.value(of: "x-amz-date") {
            self.date = date
        } else if let field = request.value(of: "date"),
            let seconds = try? HTTPDate.unixSeconds(of: Array(field.utf8), now: 0)
        {
            date = Self.basicDate(seconds)
        } else {
            throw Self.fault(.missingParameter, "there is no X-Amz-Date, and no Date that can be read")
        }
    }

    /// Reads the claims of the query.
    init(queryOf request: AWS4Request) throws(CredentialFault) {
        var values: [String: String] = [:]
        for pair in request.query {
            let name = String(decoding: pair.name, as: UTF8.self)
            guard name.hasPrefix("X-Amz-") else { continue }
            guard values.updateValue(String(decoding: pair.value, as: UTF8.self), forKey: name) == nil else {
                throw Self.fault(.duplicateParameter, "\(Self.shown(name)) stands in the query twice")
            }
        }
        let algorithm = try Self.required("X-Amz-Algorithm", in: values)
        guard algorithm == AWS4.algorithm else {
            throw Self.fault(
                .wrongAlgorithm, "X-Amz-Algorithm is \(Self.shown(algorithm)); expected \(AWS4.algorithm)")
        }
        isInQuery = true
        credential = try Self.required("X-Amz-Credential", in: values)
        signedNames = try Self.names(try Self.required("X-Amz-SignedHeaders", in: values))
        signature = try Self.signature(try Self.required("X-Amz-Signature", in: values))
        date = try Self.required("X-Amz-Date", in: values)
        let text = try Self.required("X-Amz-Expires", in: values)
        guard let seconds = Int(text), Self.lifetimes.contains(seconds) else {
            throw Self.fault(
                .malformedField,
                "X-Amz-Expires is a number of seconds from \(Self.lifetimes.lowerBound) to \(Self.lifetimes.upperBound), "
                    + "found \(Self.shown(text))")
        }
        lifetime = seconds
        payload = values["X-Amz-Content-Sha256"] ?? request.value(of: "x-amz-content-sha256")
    }

    private static let lifetimes = 1...604_800

    // MARK: Parts

    private static func required(_ name: String, in values: [String: String]) throws(CredentialFault) -> String {
        guard let value = values[name], !value.isEmpty else { throw fault(.missingParameter, "there is no \(name)") }
        return value
    }

    private static func names(_ text: String) throws(CredentialFault) -> [String] {
        let names = text.split(separator: ";", omittingEmptySubsequences: false).map(String.init)
        guard names.count <= mostNames else {
            throw fault(.malformedField, "\(names.count) fields are signed; at most \(mostNames) are permitted")
        }
        for (name, next) in zip(names, names.dropFirst()) where name >= next {
            throw fault(
                .malformedField,
                "names of signed fields ascend and stand there once; \(shown(name)) stands before \(shown(next))")
        }
        if let name = names.first(where: { $0.isEmpty || $0 != $0.lowercased() }) {
            throw fault(.malformedField, "names of signed fields are in lower case, found \(shown(name))")
        }
        return names
    }

    private static func signature(_ text: String) throws(CredentialFault) -> String {
        guard text.utf8.count == 64,
            text.utf8.allSatisfy({ $0.isASCIIDigit || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 })
        else {
            throw fault(.malformedField, "a signature is 64 hexadecimal digits in lower case, found \(shown(text))")
        }
        return text
    }

    /// The date in seconds since 1970; nil for any other text.
    var unixSeconds: Int? {
        let bytes = Array(date.utf8)
        guard bytes.count == 16 else { return nil }
        func digits(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        guard bytes[8] == UInt8(ascii: "T"), bytes[15] == UInt8(ascii: "Z") else { return nil }
        return HTTPDate.unixSeconds(
            ofTimestamp: "\(digits(0..<4))-\(digits(4..<6))-\(digits(6..<8))T\(digits(9..<11)):\(digits(11..<13)):"
                + "\(digits(13..<15))Z")
    }

    static func basicDate(_ seconds: Int) -> String {
        String(
            decoding: HTTPDate.timestamp(unixSeconds: seconds).utf8.filter {
                $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: ":")
            }, as: UTF8.self)
    }

    static func shown(_ text: some StringProtocol) -> String {
        "\"\(PrintableText.sanitize(String(text), limit: 120))\""
    }

    static func fault(_ kind: CredentialFault.Kind, _ sentence: String) -> CredentialFault {
        CredentialFault(kind, sentence, section: AWS4.section)
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while text.first == " " || text.first == "\t" { text.removeFirst() }
        while text.last == " " || text.last == "\t" { text.removeLast() }
        return text
    }
}
