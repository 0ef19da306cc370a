import ProctorBase
import ProctorCoding
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

extension SeenExchange {
    // MARK: Content

    /// How the head frames the content (RFC 9112 §6.3).
    var framing: Measurement {
        switch head.framing {
        case .none: Measurement("none")
        case .length: Measurement("length")
        case .chunked: Measurement("chunked")
        case .frames: Measurement("frames")
        }
    }

    func wholeContent(_ measure: (RequestBody) -> Measurement) -> Measurement {
        guard let content else { return .bodyNotRead }
        guard content.kept.count == content.byteCount else {
            return .notKept("the journal kept \(content.kept.count) of \(content.byteCount) bytes of it")
        }
        return measure(content)
    }

    /// Nil where the content came without a coding.
    private var codings: ReceivedCodings? {
        ReceivedCodings(head.fields.values(named: Array("Content-Encoding".utf8)))
    }

    /// Measures the content without its codings (RFC 9110 §8.4).
    func decodedContent(_ measure: ([UInt8]) -> Measurement) -> Measurement {
        wholeContent { content in
            guard let codings, !content.kept.isEmpty else { return measure(content.kept) }
            switch try? codings.decode(content.kept) {
            case .bytes(let bytes)?: return measure(bytes)
            case .refused(let sentence)?: return .unknown(sentence)
            case nil: return .bodyNotRead
            }
        }
    }

    /// The number of bytes without codings; as they came, where there is none.
    var contentByteCount: Measurement {
        guard codings != nil else { return content.map { Measurement($0.byteCount) } ?? .bodyNotRead }
        return decodedContent { Measurement($0.count) }
    }

    /// Absent when the content is not chunked, an empty list when there is no chunk.
    var chunkSizes: Measurement {
        ofChunks { content in
            // A chunk that was cut announces more bytes than arrived.
            guard content.chunks.reduce(0, { $0 &+ $1 }) >= content.byteCount else {
                return .notKept("the journal kept the sizes of \(Plural.count(content.chunks.count, "chunk")) only")
            }
            return Measurement(ofList: content.chunks.map { String($0) })
        }
    }

    /// The lines before the chunks; absent when the content is not chunked.
    var chunkLines: Measurement {
        ofChunks { content in
            let count = content.chunks.count + (content.isComplete ? 1 : 0)
            guard content.chunkLines.count >= count else {
                return .notKept("the journal kept \(Plural.count(content.chunkLines.count, "line")) of chunks only")
            }
            return .list(content.chunkLines)
        }
    }

    private func ofChunks(_ measure: (RequestBody) -> Measurement) -> Measurement {
        guard head.framing == .chunked else { return .absent }
        return content.map(measure) ?? .bodyNotRead
    }

    /// The values of a trailer; absent when there is no line of that name, a list for several lines.
    func trailer(_ name: String) -> Measurement {
        guard head.framing == .chunked || head.isMultiplexed && head.hasFraming else { return .absent }
        guard let content else { return .bodyNotRead }
        guard content.isComplete else { return .unknown("the body was cut short, before any trailer") }
        let wanted = name.utf8.map(\.asciiLowercased)
        return Measurement(
            ofValues: content.trailers.compactMap { line in
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                    line[..<colon].map(\.asciiLowercased) == wanted
                else { return nil }
                return Self.trimmed(line[line.index(after: colon)...])
            })
    }

    /// Removes white space at both ends; an obs-fold becomes one space (RFC 9112 §5.2).
    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
        let words = bytes.split { $0 == 0x0D || $0 == 0x0A }.map { line in
            Array(line.drop(while: isBlank).reversed().drop(while: isBlank).reversed())
        }
        return Array(words.joined(separator: [0x20]))
    }

    // MARK: Forms

    /// The values of a name in the query, read as a form (WHATWG URL §5.1); absent without a query.
    func query(_ name: String) -> Measurement {
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return .absent }
        do throws(FormViolation) {
            return Measurement(ofValues: try URLEncodedForm(parsing: target[(mark + 1)...]).values(of: name))
        } catch {
            return .unknown("a query that can't be read: \(error.sentence)")
        }
    }

    func valueOfForm(_ name: String) -> Measurement {
        ofForm("application/x-www-form-urlencoded") { body, _ throws(FormViolation) in
            Measurement(ofValues: try URLEncodedForm(parsing: body).values(of: name))
        }
    }

    func ofParts(_ measure: ([FormData.Part]) -> Measurement) -> Measurement {
        ofForm("multipart/form-data") { body, type throws(FormViolation) in
            measure(try FormData(parsing: body, contentType: type).parts)
        }
    }

    /// Reads the whole content when its Content-Type is the required one.
    private func ofForm(
        _ wanted: String, _ read: ([UInt8], [UInt8]) throws(FormViolation) -> Measurement
    ) -> Measurement {
        guard let content else { return .bodyNotRead }
        guard content.isComplete else {
            return .unknown("a body that was cut short after \(Plural.count(content.byteCount, "byte"))")
        }
        guard content.kept.count == content.byteCount else {
            return .notKept("the journal kept \(content.kept.count) of \(content.byteCount) bytes of the body")
        }
        guard let type = head.fields.first(named: "Content-Type") else {
            return .unknown("a body without a Content-Type")
        }
        guard MediaType(Array(type))?.essence == wanted else {
            return .unknown("a body of type \(WireText.quoted(type))")
        }
        return decodedContent { bytes in
            do throws(FormViolation) {
                return try read(bytes, Array(type))
            } catch {
                return .unknown("a form that can't be read: \(error.sentence)")
            }
        }
    }

    // MARK: The reply

    func ofReplyHead(_ measure: (SentReply) -> Measurement?) -> Measurement {
        guard let reply else { return .absent }
        return measure(reply) ?? .unknown("raw bytes without a head that can be read")
    }

    /// Measures the content of the reply after all codings and the chunked framing were removed.
    func ofWholeReply(_ measure: (SentContent) -> Measurement) -> Measurement {
        guard let reply else { return .absent }
        if let abortedByteCount {
            return .unknown("a reply that was broken off after \(Plural.count(abortedByteCount, "byte"))")
        }
        if isReplyCut { return .notKept("an effect of the fixture may have ended that reply before its end") }
        guard let content = reply.content else { return .notKept("the server does not know the content of that reply") }
        return measure(content)
    }

    // MARK: Credentials

    /// `scheme`, `token68` or a parameter without quotes, when the field can be read; a list for several fields.
    func credential(_ name: String, isProxy: Bool) -> Measurement {
        let credentials = values(Self.credentialsField(isProxy: isProxy)).map { Credentials($0) }
        switch name {
        case "scheme": return Measurement(ofValues: credentials.map(\.scheme).filter { !$0.isEmpty })
        case "token68": return Measurement(ofValues: credentials.compactMap(\.token68))
        case let name where MessageFactNames.all.contains(name):
            return Measurement(ofValues: credentials.compactMap { TokenSchemes.slot.part?.fact(name, $0) })
        default:
            let wanted = name.utf8.map(\.asciiLowercased)
            return Measurement(
                ofValues: credentials.flatMap(\.parameters).filter { $0.name.utf8.map(\.asciiLowercased) == wanted }
                    .map(\.bytes))
        }
    }

    private static func credentialsField(isProxy: Bool) -> String {
        isProxy ? "Proxy-Authorization" : "Authorization"
    }

    func hasCredential(isProxy: Bool) -> Bool {
        head.fields.contains(named: Array(Self.credentialsField(isProxy: isProxy).utf8))
    }

    /// Facts for the authentication rules: whether the request has credentials for the origin or a proxy, and the
    /// guards' outcome.
    var factsOfReply: EventFacts {
        var facts: EventFacts = []
        if let sentStatus { facts.append(EventFact(.status, .integer(sentStatus))) }
        let (isForOrigin, isForProxy) = (hasCredential(isProxy: false), hasCredential(isProxy: true))
        let carried = isForOrigin && isForProxy ? "both" : isForOrigin ? "origin" : isForProxy ? "proxy" : "none"
        facts.append(EventFact(.credentials, .text(carried)))
        if let verdict = verdicts.last {
            facts.append(EventFact(.guarded, .text("\(verdict.field) \(verdict.outcome.rawValue)")))
        }
        return facts
    }

    // MARK: Cookies and the target

    /// The cookies of all Cookie fields, read as servers do; nil without such a field.
    var cookiePairs: [CookieField.Pair]? {
        let fields = values("Cookie")
        return fields.isEmpty ? nil : fields.flatMap { CookieField(parsing: $0).pairs }
    }

    /// Why the cookie is missing, half a sentence: by the reference model, or else with the names that arrived.
    func reasonForAbsence(ofCookie wanted: [UInt8]?) -> String? {
        let difference = cookieVerdict?.differences.first { wanted == nil || $0.name == wanted }
        if let difference { return CookieText.sentence(difference) }
        guard let cookiePairs else { return "the request has no Cookie field" }
        let names = cookiePairs.map { WireText.escaped($0.name) }.joined(separator: ", ")
        return "its Cookie field has \(names.isEmpty ? "no cookies" : names)"
    }

    /// The authority of a target in absolute-form or authority-form, as written (RFC 9112 §3.2).
    var authority: Measurement {
        guard target.first != UInt8(ascii: "/"), target != [UInt8(ascii: "*")] else { return .absent }
        if isConnect { return .text(target) }
        return URIReference(splitting: target).authority.map { .text(Array($0)) } ?? .absent
    }

    /// The value of Host, or of `:authority` on a stream, in lower case.
    var authorityOfHost: String? { values("host").first.map { String(decoding: $0, as: UTF8.self).lowercased() } }
}
