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
        for opening in operation.openings { verdict.leaveOpen(opening) }
        let query = line.pairs
        let cookies = message.values("cookie").flatMap { CookieField(parsing: $0).pairs }
        for parameter in operation.parameters {
            let given: GivenValue
            let wanted = Array(parameter.name.utf8)
            // An object that is spread over pairs has none that another parameter names.
            let others = operation.parameters.filter { $0.location == parameter.location && $0.name != parameter.name }
            let names = Set(others.map { Array($0.name.utf8) })
            switch parameter.location {
            case .path:
                given = GivenValue(values: [values[parameter.name]].compactMap(\.self)) { PercentText.decode($0) ?? $0 }
            case .header: given = GivenValue(values: message.values(parameter.name.lowercased()))
            case .query:
                given = GivenValue(
                    values: query.filter { $0.name == wanted }.map(\.value),
                    pairs: query.filter { !names.contains($0.name) }.map { ($0.name, $0.value.formDecoded) },
                    decode: \.formDecoded)
            case .cookie:
                let own = cookies.filter { !names.contains($0.name) }
                given = GivenValue(
                    values: own.filter { $0.name == wanted }.map(\.value), pairs: own.map { ($0.name, $0.value) })
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
            guard operation.unreadResponses.isEmpty else {
                return operation.unreadResponses.forEach { verdict.leaveOpen($0) }
            }
            guard !operation.responses.isEmpty else {
                return verdict.leaveOpen("status: the description has no responses for \(operation.name)")
            }
            let known = operation.responses.map(\.status).joined(separator: ", ")
            return add("status", operation.responsesPlace, "", "\(status) is none of the replies, which are \(known)")
        }
        for opening in response.openings { verdict.leaveOpen(opening) }
        for header in response.headers {
            judgeParameter(header, GivenValue(values: message.values(header.name.lowercased())))
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
        if let open = media.open { return verdict.leaveOpen("body: \(open)") }
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
        let text: TextValue
        if type.essence == "application/x-www-form-urlencoded" {
            guard let form = try? URLEncodedForm(parsing: bytes) else {
                return add("body", media.place, "", "wanted a form, got one with too many fields")
            }
            text = .members(form.pairs.map { ($0.name, $0.value) }, media.kind)
        } else if type.essence == "multipart/form-data" {
            do throws(FormViolation) {
                text = .members(try FormData(parsing: bytes, contentType: contentType).parts, media.kind)
            } catch {
                return add(
                    "body", media.place, "", "wanted a form in parts, got one that can't be read: \(error.sentence)")
            }
        } else if MediaRange.isJSON(type.essence) {
            text = .json(bytes)
        } else {
            guard type.type == "text" else {
                return verdict.leaveOpen("body: its schema is not held against \(type.essence)")
            }
            text = TextValue(bytes, media.kind)
        }
        validate(text, schema, part: "body")
    }

    /// The most readings of one text that are tried.
    private static let readingBound = 64

    /// Validates the readings of a text until one fits; the faults are those of the likeliest.
    mutating func validate(_ text: TextValue, _ schema: JSONSchema.Entry, part: String) {
        var choice = TextValue.Choice()
        var first: [DescriptionFault] = []
        for index in 0..<Self.readingBound {
            let faults: [DescriptionFault]
            switch verdict(on: text.json(&choice), schema, part: part) {
            case .fits: return
            case .open(let sentence): return verdict.leaveOpen("\(part): \(sentence)")
            case .faults(let further): faults = further
            }
            if index == 0 { first = faults }
            guard choice.advance() else {
                for fault in first { verdict.add(fault) }
                return
            }
        }
        verdict.leaveOpen("\(part): its text can be read as JSON in more than \(Self.readingBound) ways")
    }

    private enum ReadingVerdict {
        case fits
        case open(String)
        case faults([DescriptionFault])
    }

    private func verdict(on json: [UInt8], _ schema: JSONSchema.Entry, part: String) -> ReadingVerdict {
        let document: JSONDocument
        do throws(LineFault) {
            document = try JSONDocument(parsing: json)
        } catch {
            let sentence = "wanted JSON, got what is none: \(error.sentence), at byte \(error.offset)"
            return .faults([
                DescriptionFault(
                    part: part, schemaPointer: schema.pointer, location: schema.location, sentence: sentence)
            ])
        }
        switch schema.validate(document, side: side, within: budget) {
        case .valid: return .fits
        case .undecided(let sentence): return .open(sentence)
        case .invalid(let faults, _):
            return .faults(
                faults.map { fault in
                    DescriptionFault(
                        part: part, pointer: fault.pointer, schemaPointer: fault.schemaPointer,
                        location: fault.location, sentence: fault.sentence)
                })
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

extension [UInt8] {
    /// The value of a form or of a query, its escapes undone.
    fileprivate var formDecoded: [UInt8] {
        (try? URLEncodedForm(parsing: [UInt8(ascii: "=")] + self))?.pairs.first?.value ?? self
    }
}

extension APIDescription.RequestLine {
    /// The pairs of the query: names decoded, values as they came.
    fileprivate var pairs: [(name: [UInt8], value: [UInt8])] {
        query.split(separator: UInt8(ascii: "&")).prefix(URLEncodedForm.usualPairLimit).map { pair in
            let equals = pair.firstIndex(of: UInt8(ascii: "=")) ?? pair.endIndex
            return (Array(pair[..<equals]).formDecoded, Array(pair[equals...].dropFirst()))
        }
    }
}
