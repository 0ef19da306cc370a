import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorScenario

/// Measures a request's content: its framing, its trailers, and its form fields.
extension WireRecord.SeenRequest {
    /// How the head frames the content (RFC 9112 §6.3).
    var framing: Measurement {
        switch head.framing {
        case .none: Measurement("none")
        case .length: Measurement("length")
        case .chunked: Measurement("chunked")
        case .frames: Measurement("frames")
        }
    }

    /// Absent where the content is not chunked; an empty list where chunked content is empty.
    var chunks: Measurement {
        guard head.framing == .chunked else { return .absent }
        guard let content else { return .unread }
        // A chunk that was cut off announces more bytes than came.
        guard content.chunks.reduce(0, { $0 &+ $1 }) >= content.byteCount else {
            return .notKept("the journal kept the sizes of \(Plural.count(content.chunks.count, "chunk")) only")
        }
        return .list(content.chunks.map { Array(String($0).utf8) })
    }

    var chunkLines: Measurement {
        guard head.framing == .chunked else { return .absent }
        guard let content else { return .unread }
        let count = content.chunks.count + (content.isComplete ? 1 : 0)
        guard content.chunkLines.count >= count else {
            return .notKept("the journal kept \(Plural.count(content.chunkLines.count, "line")) of chunks only")
        }
        return .list(content.chunkLines)
    }

    /// Absent where no line of that name came; several lines are a list.
    func trailer(_ name: String) -> Measurement {
        guard head.framing == .chunked || head.isMultiplexed && head.hasFraming else { return .absent }
        guard let content else { return .unread }
        guard content.isComplete else { return .unknown("the body was cut short, before any trailer") }
        let wanted = name.utf8.map(\.asciiLowercased)
        return Measurement(
            ofValues: content.trailers.compactMap { line in
                guard let colon = line.firstIndex(of: UInt8(ascii: ":")),
                    line[..<colon].map(\.asciiLowercased) == wanted
                else { return nil }
                return Self.value(line[line.index(after: colon)...])
            })
    }

    /// Removes blanks at both ends; a fold becomes one space (RFC 9112 §5.2).
    private static func value(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        let words = bytes.split { $0 == 0x0D || $0 == 0x0A }.map { line in
            Array(line.drop { isBlank($0) }.reversed().drop { isBlank($0) }.reversed())
        }
        return Array(words.joined(separator: [0x20]))
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    // MARK: Forms

    /// The decoded values of a name, a list where there are several; absent where the form has no such name.
    func form(_ name: String) -> Measurement {
        measured("application/x-www-form-urlencoded") { body, _ throws(FormViolation) in
            Measurement(ofValues: try URLEncodedForm(parsing: body).values(of: name))
        }
    }

    /// The same of the query, read like a form (WHATWG URL §5.1); absent without one.
    func query(_ name: String) -> Measurement {
        guard let mark = target.firstIndex(of: UInt8(ascii: "?")) else { return .absent }
        do throws(FormViolation) {
            return Measurement(ofValues: try URLEncodedForm(parsing: target[(mark + 1)...]).values(of: name))
        } catch {
            return .unknown("a query that can't be read: \(error.sentence)")
        }
    }

    var partCount: Measurement {
        measured("multipart/form-data") { body, type throws(FormViolation) in
            Measurement(try FormData(parsing: body, contentType: type).parts.count)
        }
    }

    /// Absent where there is no such part, or where the part lacks the field.
    func part(_ index: Int, _ fact: FactName.PartFact) -> Measurement {
        measured("multipart/form-data") { body, type throws(FormViolation) in
            let parts = try FormData(parsing: body, contentType: type).parts
            guard parts.indices.contains(index) else { return .absent }
            let part = parts[index]
            switch fact {
            case .name: return .text(part.name)
            case .filename: return part.fileName.map { .text($0) } ?? .absent
            case .type: return part.contentType.map { .text($0) } ?? .absent
            case .body: return .text(part.content)
            }
        }
    }

    /// Reads the whole content, if its Content-Type is the needed one.
    private func measured(
        _ wanted: String, _ read: ([UInt8], [UInt8]) throws(FormViolation) -> Measurement
    ) -> Measurement {
        guard let content else { return .unread }
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
        do throws(FormViolation) {
            return try read(content.kept, Array(type))
        } catch {
            return .unknown("a form that can't be read: \(error.sentence)")
        }
    }
}

extension Measurement { fileprivate static let unread = Measurement.notKept("the body was not read") }

/// Measures the reply to a request, and the bytes that came behind the reply.
extension WireRecord.SeenRequest {
    var replyStatus: Measurement {
        guard let reply else { return .absent }
        return reply.status.map { Measurement($0) } ?? Self.headless
    }

    /// A list where there are several lines of that name.
    func replyHeader(_ name: String) -> Measurement {
        guard let reply else { return .absent }
        guard let fields = reply.fields else { return Self.headless }
        return Measurement(ofValues: fields.values(named: Array(name.utf8)).map { Array($0) })
    }

    /// The content of the reply as the client has it in the end, without chunks and codings.
    var replyBody: Measurement {
        wholeReply { content in
            guard content.isWhole else {
                return .notKept("the journal kept \(content.kept.count) of \(content.byteCount) bytes of it")
            }
            return .text(content.kept)
        }
    }

    var replyBodyLength: Measurement { wholeReply { Measurement($0.byteCount) } }

    private func wholeReply(_ measure: (SentContent) -> Measurement) -> Measurement {
        guard let reply else { return .absent }
        if let abortedByteCount {
            return .unknown("a reply that was broken off after \(Plural.count(abortedByteCount, "byte"))")
        }
        if isReplyCut { return .notKept("an effect of the fixture may have ended that reply before its end") }
        guard let content = reply.content else { return .notKept("the server does not know the content of that reply") }
        return measure(content)
    }

    private static let headless = Measurement.unknown("raw bytes without a head that can be read")

    // MARK: Behind it

    var withheld: Measurement {
        guard let content else { return .notKept("the body was not read") }
        return Measurement(content.isWithheld && !hasLateContent ? "true" : "false")
    }

    /// All bytes that came after the end of HTTP on the connection.
    var opaqueBytes: Measurement {
        guard !opaque.isEmpty else { return .absent }
        let kept = opaque.reduce(0) { $0 &+ $1.kept.count }
        let count = opaque.reduce(0) { $0 &+ $1.byteCount }
        guard kept == count else { return .notKept("the journal kept \(kept) of \(count) bytes of it") }
        return .text(opaque.flatMap(\.kept))
    }

    var opaqueLength: Measurement { opaque.isEmpty ? .absent : Measurement(opaque.reduce(0) { $0 &+ $1.byteCount }) }
}

/// Measures Authorization and Proxy-Authorization of a request.
extension WireRecord.SeenRequest {
    /// `scheme`, `token68` or a parameter without quotes, as far as it can be read; a list for several fields.
    func credential(_ name: String, isProxy: Bool) -> Measurement {
        let credentials = credentials(isProxy: isProxy)
        switch name {
        case "scheme":
            return Measurement(ofValues: credentials.map(\.scheme).filter { !$0.isEmpty }.map { Array($0.utf8) })
        case "token68": return Measurement(ofValues: credentials.compactMap(\.token68).map { Array($0.utf8) })
        default:
            let wanted = name.utf8.map(\.asciiLowercased)
            return Measurement(
                ofValues: credentials.flatMap(\.parameters).filter { $0.name.utf8.map(\.asciiLowercased) == wanted }
                    .map(\.bytes))
        }
    }

    /// Half a sentence; nil where the value is present.
    func reasonForAbsence(ofCredential name: String, isProxy: Bool) -> String? {
        guard credential(name, isProxy: isProxy) == .absent else { return nil }
        let field = Self.credentialsField(isProxy: isProxy)
        let values = head.fields.values(named: Array(field.utf8))
        if values.isEmpty { return "the request has no \(field)" }
        return "its \(field) has no \(WireText.of(name.utf8))"
    }

    private func credentials(isProxy: Bool) -> [Credentials] {
        head.fields.values(named: Array(Self.credentialsField(isProxy: isProxy).utf8)).map { Credentials(Array($0)) }
    }

    private static func credentialsField(isProxy: Bool) -> String { isProxy ? "Proxy-Authorization" : "Authorization" }

    /// Adds facts for the authentication rules: for whom the request carries credentials, and the guards' outcome.
    func tellReply(in facts: inout EventFacts) {
        if let status { facts.append(EventFact(.status, .integer(status))) }
        let isForOrigin = !head.fields.values(named: Array(Self.credentialsField(isProxy: false).utf8)).isEmpty
        let isForProxy = !head.fields.values(named: Array(Self.credentialsField(isProxy: true).utf8)).isEmpty
        let carried = isForOrigin && isForProxy ? "both" : isForOrigin ? "origin" : isForProxy ? "proxy" : "none"
        facts.append(EventFact(.credentials, .text(carried)))
        if let verdict = verdicts.last {
            facts.append(EventFact(.guarded, .text("\(verdict.field) \(verdict.outcome.rawValue)")))
        }
    }
}

/// Measures the Cookie field of a request, and the origin in its target.
extension WireRecord.SeenRequest {
    /// The pairs of all Cookie fields, read as servers do; nil without such a field.
    private var cookiePairs: [CookieField.Pair]? {
        let fields = head.fields.values(named: Array("Cookie".utf8))
        return fields.isEmpty ? nil : fields.flatMap { CookieField(parsing: Array($0)).pairs }
    }

    var cookieNames: Measurement { cookiePairs.map { .list($0.map(\.name)) } ?? .absent }

    /// Names are case-sensitive (RFC 6265 §5.3); several pairs of one name are a list.
    func cookie(_ name: String) -> Measurement {
        Measurement(ofValues: (cookiePairs ?? []).filter { $0.name == Array(name.utf8) }.map(\.value))
    }

    /// The model's statement about that cookie, or else the names that came; half a sentence.
    func reasonForAbsence(ofCookie name: String?) -> String? {
        let wanted = name.map { Array($0.utf8) }
        let difference = cookieVerdict?.differences.first { wanted == nil || $0.name == wanted }
        if let difference { return CookieText.sentence(difference) }
        guard let cookiePairs else { return "the request has no Cookie field" }
        let names = cookiePairs.map { WireText.of($0.name) }.joined(separator: ", ")
        return "its Cookie field has \(names.isEmpty ? "no cookies" : names)"
    }

    /// RFC 9112 §3.2, for the target as the scenario sees it.
    var targetForm: Measurement {
        if target.first == UInt8(ascii: "/") { return Measurement("origin") }
        if target == [UInt8(ascii: "*")] { return Measurement("asterisk") }
        return Measurement(isConnect ? "authority" : "absolute")
    }

    /// The authority of a target in absolute-form or authority-form, as written.
    var authority: Measurement {
        guard target.first != UInt8(ascii: "/"), target != [UInt8(ascii: "*")] else { return .absent }
        if isConnect { return .text(target) }
        return URIReference(splitting: target).authority.map { .text(Array($0)) } ?? .absent
    }

    var isConnect: Bool { head.methodBytes.elementsEqual("CONNECT".utf8) }
}
