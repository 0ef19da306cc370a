internal import ProctorBase
package import ProctorEvents

#if canImport(FoundationNetworking)
    internal import Foundation
    package import FoundationNetworking
#else
    package import Foundation
#endif

/// Makes facts, without those whose values are unknown.
extension EventFacts {
    /// The arguments of a completion handler or a block, or the results of a call, and which of them are not nil (R64).
    package static func outcome(content: EventFacts?, response: EventFacts?, end: EventDetail) -> EventFacts {
        (response ?? []).appending(content ?? []).appending(end.facts).appending([
            EventFact(.hasData, .flag(content != nil)), EventFact(.hasResponse, .flag(response != nil)),
            EventFact(.hasError, .flag(end.argument != URLErrorName.success)),
        ])
    }

    package mutating func add(_ key: FactKey, _ value: Int?) {
        if let value { append(EventFact(key, .integer(value))) }
    }

    package mutating func add(_ key: FactKey, _ value: String?) {
        if let value { append(EventFact(key, .text(value))) }
    }

    /// These facts, then the others; the first fact of a key is used.
    package func appending(_ others: EventFacts) -> EventFacts { EventFacts(Array(self) + Array(others)) }

    package static func arithmetic(n: Int, total: Int, expected: Int) -> EventFacts {
        [EventFact(.n, .integer(n)), EventFact(.total, .integer(total)), EventFact(.expected, .integer(expected))]
    }
}

/// Short facts about requests and responses, which a grader compares with what the server sent.
extension EventFacts {
    /// The most bytes of recorded header fields; when there are more, all are left out.
    private static let fieldByteLimit = 8 << 10

    /// `bytes` and `crc32` of a chunk, or of a whole body.
    package static func content(of bytes: some Collection<UInt8>) -> EventFacts {
        [EventFact(.bytes, .integer(bytes.count)), EventFact(.crc32, .integer(Int(CRC32.checksum(of: bytes))))]
    }

    /// Adds the fields that were found as lines `NAME: value`, with the names as given; nothing without names.
    ///
    /// They are left out when a value is too long for a trace.
    package mutating func addFields(
        _ names: [String], as key: FactKey = .header, lookedUpBy find: (_ name: String) -> String?
    ) {
        guard !names.isEmpty else { return }
        let fields = names.compactMap { name in find(name).map { (name: name, value: $0) } }
        if fields.isEmpty { add(key, "") } else { addNames(key, fields: fields) }
    }

    /// Adds header fields as lines `name: value`, in the given order.
    ///
    /// They are left out when there are none, when they are too long, or when a value contains a line end.
    package mutating func addNames(_ key: FactKey, fields: some Sequence<(name: String, value: String)>) {
        let lines = fields.map { "\($0.name): \($0.value)" }
        guard !lines.isEmpty, lines.reduce(0, { $0 + $1.utf8.count + 1 }) <= Self.fieldByteLimit,
            !lines.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) })
        else { return }
        add(key, lines.joined(separator: "\n"))
    }
}

/// The argument and the facts of an event.
package struct EventDetail: Sendable {
    package var argument: String?
    package var facts: EventFacts = []

    package init(_ argument: String? = nil, facts: EventFacts = []) {
        (self.argument, self.facts) = (argument, facts)
    }

    package func appending(_ more: EventFacts) -> EventDetail { EventDetail(argument, facts: facts.appending(more)) }

    /// The end of a load without an error.
    package static let success = EventDetail(URLErrorName.success)

    /// The end of a load by an error, under the name that all clients have for it.
    package init(domain: String, code: Int, message: String) {
        argument = URLErrorName.name(domain: domain, code: code)
        facts = [
            EventFact(.domain, .text(domain)), EventFact(.code, .integer(code)), EventFact(.message, .text(message)),
        ]
    }
}

extension EventDetail {
    /// The end of a load; nil: without an error.
    package init(_ error: (any Error)?) {
        let error = error.map { $0 as NSError }
        self =
            error.map { EventDetail(domain: $0.domain, code: $0.code, message: $0.localizedDescription) } ?? .success
    }

    /// The event of a response by its status, which is nil for one that is not of HTTP, such as that of `file:` and `data:`.
    ///
    /// `hasFields` is false for a `result`, which has only header fields that are asked for by name.
    package init(_ response: URLResponse, hasFields: Bool = true, asking names: [String] = []) {
        let code = (response as? HTTPURLResponse)?.statusCode
        argument = code.map(String.init)
        facts.add(.url, response.url?.absoluteString)
        facts.add(.status, code)
        facts.add(.statusText, code.map { HTTPURLResponse.localizedString(forStatusCode: $0) })
        facts.add(.mime, response.mimeType)
        facts.add(.textEncodingName, response.textEncodingName)
        facts.add(.suggestedName, response.suggestedFilename)
        facts.add(.expectedLength, Int(clamping: response.expectedContentLength))
        if hasFields {
            let coding = (response as? HTTPURLResponse)?.value(forHTTPHeaderField: "Content-Encoding")
            facts.add(.coding, coding?.lowercased())
            facts.addNames(.fields, fields: response.headerFields)
        }
        facts.addFields(names) { (response as? HTTPURLResponse)?.value(forHTTPHeaderField: $0) }
    }

    init(_ challenge: URLAuthenticationChallenge, scope: String) {
        let space = challenge.protectionSpace
        argument = ChallengeKind.name(authenticationMethod: space.authenticationMethod, isProxy: space.isProxy())
        facts = [EventFact(.scope, .text(scope))]
        facts.add(.realm, space.realm)
        facts.add(.host, space.host)
        facts.add(.port, space.port)
        if !space.isProxy() { facts.add(.protocol, space.protocol) }
        facts.add(.failures, challenge.previousFailureCount)
        facts.add(.proposedUser, challenge.proposedCredential?.user)
    }
}

extension URLResponse {
    /// The facts for a `result`, with the fields of these names.
    package func resultFacts(asking names: [String]) -> EventFacts {
        EventDetail(self, hasFields: false, asking: names).facts
    }

    /// The fields sorted by name, since a dictionary has no order; empty for a response that is not of HTTP.
    package var headerFields: [(name: String, value: String)] {
        let fields = (self as? HTTPURLResponse)?.allHeaderFields ?? [:]
        return fields.compactMap { name, value in
            guard let name = name.base as? String, let value = value as? String else { return nil }
            return (name, value)
        }.sorted { $0.name < $1.name }
    }
}

extension URLRequest {
    /// The fields sorted by name, since a dictionary has no order.
    package var headerFields: [(name: String, value: String)] {
        (allHTTPHeaderFields ?? [:]).map { ($0.key, $0.value) }.sorted { $0.name < $1.name }
    }
}

extension EventFacts {
    static func arithmetic(n: Int64, total: Int64, expected: Int64) -> EventFacts {
        .arithmetic(n: Int(clamping: n), total: Int(clamping: total), expected: Int(clamping: expected))
    }
}

/// The beginning of a body, at most as long as a `result` may contain, and the length of the whole body.
package struct KeptBody: Sendable {
    package private(set) var start: [UInt8] = []
    /// The length of the whole body.
    package private(set) var byteCount = 0

    /// The most bytes that are kept; of further bytes only the count is.
    ///
    /// In base64 they fit into a line of a trace, which has at most 1 MiB.
    package static let limit = 640 << 10

    package init() {}

    /// `start` has the first ``limit`` bytes or the whole body; `byteCount` is the length of the whole body.
    package init(_ start: some Collection<UInt8>, byteCount: Int) {
        self.start = Array(start.prefix(Self.limit))
        self.byteCount = byteCount
    }

    package mutating func append(_ bytes: some Collection<UInt8>) {
        byteCount += bytes.count
        let room = Self.limit - start.count
        if room > 0 { start += bytes.prefix(room) }
    }

    /// `bytes`, and `body` or `bodyBase64` where the whole body was kept.
    package var facts: EventFacts {
        var facts: EventFacts = []
        facts.add(.bytes, byteCount)
        guard byteCount == start.count else { return facts }
        if let text { facts.add(.body, text) } else { facts.add(.bodyBase64, Data(start).base64EncodedString()) }
        return facts
    }

    /// `bytes`, and `crc32` where the whole body was kept.
    package var contentFacts: EventFacts {
        if byteCount == start.count { return .content(of: start) }
        var facts: EventFacts = []
        facts.add(.bytes, byteCount)
        return facts
    }

    /// The text; nil for bytes that are not UTF-8, contain NUL, or would be longer with escapes than in base64.
    private var text: String? {
        var byteCount = 0
        for byte in start {
            switch byte {
            case 0: return nil
            case ..<0x20: byteCount += 6
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): byteCount += 2
            default: byteCount += 1
            }
        }
        return byteCount / 4 <= Self.limit / 3 ? String(validUTF8: start) : nil
    }
}

extension URLRequest {
    /// Method and URL, as facts write a request.
    package var line: String { "\(httpMethod ?? "GET") \(url?.absoluteString ?? "")" }

    /// The first difference from another request, in words; nil when both are equal.
    package func difference(from other: URLRequest) -> String? {
        if url?.absoluteString != other.url?.absoluteString {
            return "URL \(quotedOrNone(other.url?.absoluteString)) became \(quotedOrNone(url?.absoluteString))"
        }
        if httpMethod != other.httpMethod {
            return "method \(quotedOrNone(other.httpMethod)) became \(quotedOrNone(httpMethod))"
        }
        let ours = fieldsByLowerCase
        let theirs = other.fieldsByLowerCase
        for name in Set(ours.keys).union(theirs.keys).sorted() where ours[name] != theirs[name] {
            return "field \"\(name)\" \(quotedOrNone(theirs[name])) became \(quotedOrNone(ours[name]))"
        }
        if httpBody != other.httpBody { return "the body changed" }
        if (httpBodyStream == nil) != (other.httpBodyStream == nil) { return "the body stream came or went" }
        if cachePolicy != other.cachePolicy { return "the cache policy changed" }
        if timeoutInterval != other.timeoutInterval { return "the time-out changed" }
        return nil
    }

    private var fieldsByLowerCase: [String: String] {
        Dictionary((allHTTPHeaderFields ?? [:]).map { ($0.key.lowercased(), $0.value) }) { first, _ in first }
    }
}

package func quotedOrNone(_ text: String?) -> String { text.map { "\"\($0)\"" } ?? "none" }
