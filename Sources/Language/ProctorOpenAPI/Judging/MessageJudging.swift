internal import ProctorBase
internal import ProctorHTTP
internal import ProctorSchema

/// Holds one message against an operation.
struct MessageJudging {
    let side: SchemaSide
    let budget: WorkBudget?
    var verdict: DescriptionVerdict

    // MARK: Requests

    mutating func judgeRequest(
        _ operation: APIDescription.Operation, _ line: APIDescription.RequestLine, _ values: [String: [UInt8]],
        _ message: DescribedMessage
    ) {
        let query = (try? URLEncodedForm(parsing: line.query))?.pairs ?? []
        let cookies = message.values("cookie").flatMap { CookieField(parsing: $0).pairs }
        for parameter in operation.parameters {
            let given: GivenValue
            switch parameter.location {
            case .path:
                let value = values[parameter.name]
                given = GivenValue(values: value.map { [PercentText.decode($0) ?? $0] } ?? [], pairs: [], raw: value)
            case .header: given = GivenValue(values: message.values(parameter.name.lowercased()), pairs: [], raw: nil)
            case .query: given = GivenValue(parameter.name, in: query.map { ($0.name, $0.value) })
            case .cookie: given = GivenValue(parameter.name, in: cookies.map { ($0.name, $0.value) })
            }
            judgeParameter(parameter, given)
        }
        judgeSecurity(operation, query: query.map(\.name), cookies: cookies.map(\.name), message)
        guard let body = operation.body else {
            if case .none = message.content { return }
            return leaveOpen(message, because: "the description has no requestBody for \(operation.name)")
        }
        judgeBody(body, message)
    }

    /// Content that the description does not speak of is permitted, and cannot be judged.
    private mutating func leaveOpen(_ message: DescribedMessage, because reason: String) {
        if case .whole(let bytes) = message.content, bytes.isEmpty { return }
        verdict.leaveOpen("body: \(reason)")
    }

    private mutating func judgeBody(_ body: APIDescription.RequestBody, _ message: DescribedMessage) {
        let isMissing =
            switch message.content {
            case .none: true
            case .whole(let bytes): bytes.isEmpty && message.contentType == nil
            case .unknown: false
            }
        guard isMissing else { return judgeContent(body.contents, message, body.place) }
        if body.isRequired { add("body", body.place, "/required", "wanted content, got none") }
    }

    private mutating func judgeSecurity(
        _ operation: APIDescription.Operation, query: [[UInt8]], cookies: [[UInt8]], _ message: DescribedMessage
    ) {
        guard !operation.security.isEmpty else { return }
        func isMet(_ scheme: APIDescription.SecurityScheme) -> Bool {
            switch scheme {
            case .key(let name, .query, _): return query.contains { $0.elementsEqual(name.utf8) }
            case .key(let name, .cookie, _): return cookies.contains { $0.elementsEqual(name.utf8) }
            case .key(let name, _, _): return !message.values(name.lowercased()).isEmpty
            case .authorization(let wanted, _):
                return message.values("authorization").contains { value in
                    value.prefix { $0 != 0x20 }.map(\.asciiLowercased).elementsEqual(wanted.utf8)
                }
            case .unseen: return true
            }
        }
        guard !operation.security.contains(where: { $0.allSatisfy(isMet) }) else { return }
        let wanted = operation.security.map { $0.map(\.words).joined(separator: " and ") }.joined(separator: ", or ")
        add("security", operation.securityPlace, "", "wanted \(wanted), got none of it")
    }

    // MARK: Replies

    mutating func judgeReply(
        _ status: Int, _ operation: APIDescription.Operation, _ message: DescribedMessage, isToHead: Bool
    ) {
        let wanted = [String(status), "\(status / 100)XX", "default"]
        guard let response = wanted.lazy.compactMap({ name in operation.responses.first { $0.status == name } }).first
        else {
            let known = operation.responses.map(\.status).joined(separator: ", ")
            return add("status", operation.responsesPlace, "", "\(status) is none of the replies, which are \(known)")
        }
        for header in response.headers {
            judgeParameter(header, GivenValue(values: message.values(header.name.lowercased()), pairs: [], raw: nil))
        }
        // No content follows to HEAD, nor with these (RFC 9110 §6.4.1).
        guard !isToHead, status != 204, status != 304, status >= 200 else { return }
        guard !response.contents.isEmpty else {
            return leaveOpenContent(message, because: "the description has no content for \(status)")
        }
        if case .none = message.content { return add("body", response.place, "/content", "wanted content, got none") }
        if case .whole(let bytes) = message.content, bytes.isEmpty, message.contentType == nil {
            return add("body", response.place, "/content", "wanted content, got none")
        }
        judgeContent(response.contents, message, response.place)
    }

    private mutating func leaveOpenContent(_ message: DescribedMessage, because reason: String) {
        if case .none = message.content { return }
        leaveOpen(message, because: reason)
    }

    // MARK: Content

    private mutating func judgeContent(
        _ contents: [APIDescription.Media], _ message: DescribedMessage, _ place: APIDescription.Place
    ) {
        guard !contents.isEmpty else { return }
        guard let type = message.contentType.flatMap({ MediaType($0) }) else {
            let got = message.contentType.map { "the Content-Type \(quote($0))" } ?? "no Content-Type"
            return add("field content-type", place, "/content", "wanted \(Self.list(contents)), got \(got)")
        }
        let fitting = contents.compactMap { media in MediaRange.fit(media.range, type.essence).map { (media, $0) } }
        guard let media = fitting.max(by: { $0.1 < $1.1 })?.0 else {
            return add(
                "field content-type", place, "/content",
                "wanted \(Self.list(contents)), got \(quote(Array(type.essence.utf8)))")
        }
        guard let schema = media.schema else { return }
        switch message.content {
        case .none: return
        case .unknown(let why): return verdict.leaveOpen("body: \(why)")
        case .whole(let bytes):
            if let coding = message.coding {
                return verdict.leaveOpen("body: it is coded as \(quote(coding))")
            }
            judgeBytes(bytes, as: type, media, schema, contentType: message.contentType)
        }
    }

    private mutating func judgeBytes(
        _ bytes: [UInt8], as type: MediaType, _ media: APIDescription.Media, _ schema: JSONSchema.Entry,
        contentType: [UInt8]?
    ) {
        var json = bytes
        if type.essence == "application/x-www-form-urlencoded" {
            guard let form = try? URLEncodedForm(parsing: bytes) else {
                return add("body", media.place, "", "wanted a form, got one with too many fields")
            }
            json = Array(media.kind.jsonObject(ofPairs: form.pairs.map { ($0.name, $0.value) }).utf8)
        } else if type.essence == "multipart/form-data" {
            do throws(FormViolation) {
                let parts = try FormData(parsing: bytes, contentType: contentType).parts
                json = Array(media.kind.jsonObject(ofParts: parts).utf8)
            } catch {
                return add(
                    "body", media.place, "", "wanted a form in parts, got one that can't be read: \(error.sentence)")
            }
        } else if !MediaRange.isJSON(type.essence) {
            guard type.type == "text" else {
                return verdict.leaveOpen("body: its schema is not held against \(type.essence)")
            }
            json = Array(media.kind.json(of: bytes).utf8)
        }
        validate(json, schema, part: "body")
    }

    /// Validates a JSON text.
    mutating func validate(_ json: [UInt8], _ schema: JSONSchema.Entry, part: String) {
        let document: JSONDocument
        do throws(LineFault) {
            document = try JSONDocument(parsing: json)
        } catch {
            return verdict.add(
                DescriptionFault(
                    part: part, schemaPointer: schema.pointer, location: schema.location,
                    sentence: "wanted JSON, got what is none: \(error.sentence), at byte \(error.offset)"))
        }
        switch schema.validate(document, side: side, within: budget) {
        case .valid: return
        case .undecided(let sentence): verdict.leaveOpen("\(part): \(sentence)")
        case .invalid(let faults, _):
            for fault in faults {
                verdict.add(
                    DescriptionFault(
                        part: part, pointer: fault.pointer, schemaPointer: fault.schemaPointer,
                        location: fault.location,
                        sentence: fault.sentence))
            }
        }
    }

    // MARK: Messages

    mutating func add(_ part: String, _ place: APIDescription.Place, _ inner: String, _ sentence: String) {
        verdict.add(
            DescriptionFault(
                part: part, schemaPointer: place.pointer + inner, location: place.location, sentence: sentence))
    }

    func quote(_ bytes: [UInt8]) -> String { QuotedText.quote(EscapedText.escape(bytes, limit: 80)) }

    private static func list(_ contents: [APIDescription.Media]) -> String {
        contents.map(\.range).joined(separator: " or ")
    }
}

extension APIDescription.SecurityScheme {
    /// What a request shows it by.
    fileprivate var words: String {
        switch self {
        case .key(let name, let location, let scheme): "\(scheme), the \(location.rawValue) \(name)"
        case .authorization(let word, let scheme): "\(scheme), Authorization: \(word)"
        case .unseen(let scheme): scheme
        }
    }
}
