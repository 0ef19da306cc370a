import ProctorBase
import ProctorCoding
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

extension SeenExchange {
    /// The value of a fact about the request or its reply alone; `gap`, `reused` and `coalesced` need other exchanges.
    func measure(_ fact: FactName.WireFact) -> Measurement {
        switch fact {
        case .method: return .text(Array(head.methodBytes))
        case .target: return .text(target)
        case .version: return Measurement(head.version.text)
        case .body: return decodedContent { .text($0) }
        case .codedBody: return wholeContent { .text($0.kept) }
        case .bodyLength:
            guard codings != nil else { return content.map { Measurement($0.byteCount) } ?? .bodyNotRead }
            return decodedContent { Measurement($0.count) }
        case .connection: return Measurement(connection)
        case .origin: return Measurement(origin)
        case .violations:
            let kinds = violations.map(\.kind.rawValue) + frameViolations.map(\.kind)
            return kinds.isEmpty ? .absent : Measurement(ofList: kinds)
        case .fieldNames: return .list(head.fields.map { Array($0.name) })
        // After the first guard that does not admit the request, no further guard judges it.
        case .guardOutcome: return Measurement(verdicts.last?.outcome.rawValue)
        case .guardFaults: return Measurement(ofValues: verdicts.last?.faults.map(\.kind.rawValue) ?? [])
        case .credentials(let name, let isProxy): return credential(name, isProxy: isProxy)
        case .framing: return framing
        case .cookieNames: return cookiePairs.map { .list($0.map(\.name)) } ?? .absent
        // Names are case-sensitive (RFC 6265 §5.3); several cookies of one name are a list.
        case .cookie(let name):
            return Measurement(ofValues: (cookiePairs ?? []).filter { $0.name == Array(name.utf8) }.map(\.value))
        case .targetForm:
            if target.first == UInt8(ascii: "/") { return Measurement("origin") }
            return Measurement(target == [UInt8(ascii: "*")] ? "asterisk" : isConnect ? "authority" : "absolute")
        case .authority: return authority
        case .chunks, .chunkLines: return chunks(fact)
        case .withheld: return content.map { Measurement($0.isWithheld && !hasLateContent) } ?? .bodyNotRead
        case .opaque:
            let (kept, count) = (opaque.flatMap(\.kept), opaque.reduce(0) { $0 &+ $1.byteCount })
            guard kept.count == count else { return .notKept("the journal kept \(kept.count) of \(count) bytes of it") }
            return opaque.isEmpty ? .absent : .text(kept)
        case .opaqueLength: return opaque.isEmpty ? .absent : Measurement(opaque.reduce(0) { $0 &+ $1.byteCount })
        case .reply(.status), .replyHeader: return ofReplyHead(fact)
        case .reply(.body):
            return ofWholeReply { content in
                guard content.isWhole else {
                    return .notKept("the journal kept \(content.kept.count) of \(content.byteCount) bytes of it")
                }
                return .text(content.kept)
            }
        case .reply(.bodyLength): return ofWholeReply { Measurement($0.byteCount) }
        case .trailer(let name): return trailer(name)
        case .form(let name):
            return ofForm("application/x-www-form-urlencoded") { body, _ throws(FormViolation) in
                Measurement(ofValues: try URLEncodedForm(parsing: body).values(of: name))
            }
        case .query(let name): return query(name)
        case .partCount:
            return ofForm("multipart/form-data") { body, type throws(FormViolation) in
                Measurement(try FormData(parsing: body, contentType: type).parts.count)
            }
        case .part(let index, let fact): return part(index, fact)
        case .stream: return Measurement(head.stream.map { Int($0) })
        case .behind: return head.isMultiplexed ? .absent : Measurement(behindCount)
        case .header(let name): return Measurement(ofValues: values(name))
        case .gap, .waited, .reused, .coalesced: return .absent
        }
    }

    /// Why a fact has no value, half a sentence; nil when the value itself explains it.
    func reasonForAbsence(of fact: FactName.WireFact) -> String? {
        switch fact {
        case .guardOutcome, .guardFaults: return verdicts.isEmpty ? "no guard was asked for it" : nil
        case .credentials(let name, let isProxy):
            guard credential(name, isProxy: isProxy) == .absent else { return nil }
            let field = Self.credentialsField(isProxy: isProxy)
            if values(field).isEmpty { return "the request has no \(field)" }
            return "its \(field) has no \(WireText.escaped(name.utf8))"
        case .cookieNames: return reasonForAbsence(ofCookie: nil)
        case .cookie(let name): return reasonForAbsence(ofCookie: Array(name.utf8))
        case .reply, .replyHeader: return reply == nil ? "no reply to it began" : nil
        case .authority: return "its target \(WireText.quoted(target)) names none"
        default: return nil
        }
    }

    // MARK: Content

    /// How the head frames the content (RFC 9112 §6.3).
    private var framing: Measurement {
        switch head.framing {
        case .none: Measurement("none")
        case .length: Measurement("length")
        case .chunked: Measurement("chunked")
        case .frames: Measurement("frames")
        }
    }

    private func wholeContent(_ measure: (RequestBody) -> Measurement) -> Measurement {
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
    private func decodedContent(_ measure: ([UInt8]) -> Measurement) -> Measurement {
        wholeContent { content in
            guard let codings, !content.kept.isEmpty else { return measure(content.kept) }
            switch try? codings.decode(content.kept) {
            case .bytes(let bytes)?: return measure(bytes)
            case .refused(let sentence)?: return .unknown(sentence)
            case nil: return .bodyNotRead
            }
        }
    }

    /// The sizes of the chunks, or their lines; absent when the content is not chunked, an empty list when there is no
    /// chunk.
    private func chunks(_ fact: FactName.WireFact) -> Measurement {
        guard head.framing == .chunked else { return .absent }
        guard let content else { return .bodyNotRead }
        if fact == .chunks {
            // A chunk that was cut announces more bytes than arrived.
            guard content.chunks.reduce(0, { $0 &+ $1 }) >= content.byteCount else {
                return .notKept("the journal kept the sizes of \(Plural.count(content.chunks.count, "chunk")) only")
            }
            return Measurement(ofList: content.chunks.map { String($0) })
        }
        let count = content.chunks.count + (content.isComplete ? 1 : 0)
        guard content.chunkLines.count >= count else {
            return .notKept("the journal kept \(Plural.count(content.chunkLines.count, "line")) of chunks only")
        }
        return .list(content.chunkLines)
    }

    /// The values of a trailer; absent when there is no line of that name, a list for several lines.
    private func trailer(_ name: String) -> Measurement {
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
    private func query(_ name: String) -> Measurement {
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return .absent }
        do throws(FormViolation) {
            return Measurement(ofValues: try URLEncodedForm(parsing: target[(mark + 1)...]).values(of: name))
        } catch {
            return .unknown("a query that can't be read: \(error.sentence)")
        }
    }

    /// A fact of a part; absent when there is no such part, or when the part lacks the field.
    private func part(_ index: Int, _ fact: FactName.PartFact) -> Measurement {
        ofForm("multipart/form-data") { body, type throws(FormViolation) in
            let parts = try FormData(parsing: body, contentType: type).parts
            guard parts.indices.contains(index) else { return .absent }
            let part = parts[index]
            switch fact {
            case .name: return .text(part.name)
            case .filename: return part.fileName.map { .text($0) } ?? .absent
            case .filenameSpelling: return part.fileNameSpelling.map { .text($0) } ?? .absent
            case .type: return part.contentType.map { .text($0) } ?? .absent
            case .body: return .text(part.content)
            }
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

    private func ofReplyHead(_ fact: FactName.WireFact) -> Measurement {
        guard let reply else { return .absent }
        if case .replyHeader(let name) = fact, let fields = reply.fields {
            return Measurement(ofValues: fields.values(named: Array(name.utf8)).map { Array($0) })
        }
        if case .reply(.status) = fact, let status { return Measurement(status) }
        return .unknown("raw bytes without a head that can be read")
    }

    /// Measures the content of the reply after all codings and the chunked framing were removed.
    private func ofWholeReply(_ measure: (SentContent) -> Measurement) -> Measurement {
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
    private func credential(_ name: String, isProxy: Bool) -> Measurement {
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
    private var cookiePairs: [CookieField.Pair]? {
        let fields = values("Cookie")
        return fields.isEmpty ? nil : fields.flatMap { CookieField(parsing: $0).pairs }
    }

    /// Why the cookie is missing, half a sentence: by the reference model, or else with the names that arrived.
    private func reasonForAbsence(ofCookie wanted: [UInt8]?) -> String? {
        let difference = cookieVerdict?.differences.first { wanted == nil || $0.name == wanted }
        if let difference { return CookieText.sentence(difference) }
        guard let cookiePairs else { return "the request has no Cookie field" }
        let names = cookiePairs.map { WireText.escaped($0.name) }.joined(separator: ", ")
        return "its Cookie field has \(names.isEmpty ? "no cookies" : names)"
    }

    /// The authority of a target in absolute-form or authority-form, as written (RFC 9112 §3.2).
    private var authority: Measurement {
        guard target.first != UInt8(ascii: "/"), target != [UInt8(ascii: "*")] else { return .absent }
        if isConnect { return .text(target) }
        return URIReference(splitting: target).authority.map { .text(Array($0)) } ?? .absent
    }

    /// The value of Host, or of `:authority` on a stream, in lower case.
    var authorityOfHost: String? { values("host").first.map { String(decoding: $0, as: UTF8.self).lowercased() } }
}
