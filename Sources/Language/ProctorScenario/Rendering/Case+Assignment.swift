public import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorHTTP
package import ProctorProgram

extension Case {
    /// The client's program with the values of late-bound parts, as an adapter reads it.
    ///
    /// `context` describes the serving run. Reads sidecar files; throws when one can't be read, or when a body is too
    /// long for an assignment.
    package func assignment(
        scenario: String, run: String? = nil, in context: TemplateContext
    ) throws(AssignmentFailure) -> Assignment {
        var steps: [Assignment.Step] = []
        let program = client.first?.session
        let urls = AssignedURL(context: context, ownScheme: program?.ownScheme)
        for (index, program) in client.enumerated() {
            var step = try program.assigned(in: context, urls)
            if program.isReference {
                let session = program.session ?? client.first?.session
                step.reference = String(decoding: program.url.rendered(in: context), as: UTF8.self)
                step.url = urls.target(of: program.url, against: session?.baseURL)
            }
            // A step that uses resume data repeats the request of the earlier step, which may itself use resume data.
            if let earlier = program.resume.flatMap({ steps.indices.contains($0) ? steps[$0] : nil }) {
                step.method = earlier.method
                step.headers = earlier.headers
                if program.url.parts.isEmpty { step.url = earlier.url }
            }
            step.redirectCount = redirectCount(ofStep: index)
            step.challengeCount = challengeCount(ofStep: index)
            step.fieldNames = fieldNames(ofStep: index, \.lookedUp)
            step.trailerNames = fieldNames(ofStep: index, \.trailerName)
            step.reads = StoreToRead.allCases.filter { isRead($0, ofStep: index) }
            if index > 0, let changed = client[index].session {
                step.session = Assignment.SessionChange(setup(of: changed, in: context))
            }
            steps.append(step)
        }
        var session = setup(of: program ?? SessionProgram(), in: context)
        if !context.names.isEmpty { session.names = context.names }
        session.namesProxy = context.namesProxy
        session.resolver = context.resolver
        session.pac = program?.pac.map(AssignedURL(context: context).url)
        return Assignment(
            scenario: scenario, caseName: name, base: String(decoding: context.base, as: UTF8.self), run: run,
            deadline: client.deadline, session: session, steps: steps,
            needs: needs.isEmpty ? nil : needs.map(\.rawValue).sorted(),
            protocolName: (asksByHTTP3 ? ApplicationProtocol.h3 : speaksHTTP2 ? .h2 : nil)?.rawValue)
    }
}

extension Case {
    /// Whether its client asks the origins by HTTP/3 from the first request on; where an alternative service leads there, the
    /// client comes to it by a reply (RFC 7838 §2).
    private var asksByHTTP3: Bool { speaksHTTP3 && !needs.contains(.alternativeServices) }

    private func setup(of program: SessionProgram, in context: TemplateContext) -> SessionSetup {
        var setup = program.assigned(in: context)
        if setup.proxy != nil { setup.proxyProtocol = setup.proxyProtocol ?? Self.proxyProtocol(needs) }
        if program.trust == .authority { setup.trust = context.trust?.authority }
        return setup
    }

    private static func proxyProtocol(_ needs: Set<Ability>) -> SessionSetup.ProxyProtocol? {
        if needs.contains(.socks) { return .socks5h }
        return switch (needs.contains(.proxyTLS), needs.contains(.proxyH2)) {
        case (true, let speaksHTTP2): speaksHTTP2 ? .httpsH2 : .https
        case (false, true): .h2
        case (false, false): nil
        }
    }

    private var factNames: [FactName] {
        (facts + given).flatMap { fact in
            if case .same(let other) = fact.expected { [fact.name, other] } else { [fact.name] }
        }
    }

    /// Whether a fact of the step needs that store.
    fileprivate func isRead(_ store: StoreToRead, ofStep step: Int) -> Bool {
        factNames.contains { name in
            if case .client(step, _) = name { name.row.store == store } else { false }
        }
    }

    /// The field names that facts of the step look up, each spelling once.
    fileprivate func fieldNames(
        ofStep step: Int, _ fieldName: (NamedFact) -> String?
    ) -> [String] {
        factNames.reduce(into: []) { result, name in
            guard case .client(step, let fact) = name, let field = fieldName(fact), !result.contains(field) else {
                return
            }
            result.append(field)
        }
    }
}

extension ClientProgram {
    fileprivate func assigned(
        in context: TemplateContext, _ urls: AssignedURL
    ) throws(AssignmentFailure) -> Assignment.Step {
        var step = step
        step.url = urls.url(of: self)
        step.page = page.map(urls.url)
        step.headers = headers.assigned(in: context)
        step.trailers = trailers.assigned(in: context)
        step.body = try body.map { source throws(AssignmentFailure) in try source.assigned(in: context) }
        step.onRedirect = onRedirect.map { $0.map(url: urls.url) { $0.assigned(in: context) } }
        step.onChallenge = onChallenge.map { $0.map { context.trust?.identities[$0] } }
        step.onCanonicalize = onCanonicalize?.map(url: urls.url) { $0.assigned(in: context) }
        step.protocolScript = protocolScript?.map { $0.map { AssignedURL(context: context).url(of: $0) } }
        return step
    }
}

extension [ReplyField] {
    fileprivate func assigned(in context: TemplateContext) -> [[String]] {
        map { field in
            [
                String(decoding: field.name, as: UTF8.self),
                String(decoding: field.value.rendered(in: context), as: UTF8.self),
            ]
        }
    }
}

extension SessionProgram {
    func assigned(in context: TemplateContext) -> SessionSetup {
        var setup = setup
        func authority(_ origin: Int?) -> String? {
            guard let origin, context.authorities.indices.contains(origin) else { return nil }
            return String(decoding: context.authorities[origin], as: UTF8.self)
        }
        (setup.proxy, setup.httpsProxy) = (authority(proxy), authority(httpsProxy))
        setup.identity = identity.flatMap { context.trust?.identities[$0] }
        setup.noProxy = noProxy?.map { String(decoding: $0.rendered(in: context), as: UTF8.self) }
        setup.netrc = netrc.map { String(decoding: $0.rendered(in: context), as: UTF8.self) }
        setup.baseURL = baseURL.map(AssignedURL(context: context, ownScheme: setup.ownScheme).url)
        return setup
    }
}

extension [ClientProgram] {
    /// Milliseconds after which an adapter gives up: the waits of the program and the usual time of a load.
    var deadline: Int {
        var milliseconds = 5_000
        for program in self {
            milliseconds += 2_000 + program.step.delay
            if program.bodyForm == .requestBoundPair { milliseconds += Assignment.BodyForm.pairPause }
            if program.schedule != nil { milliseconds += 2 * Assignment.Schedule.patience }
            if program.suspendFor == 0 { milliseconds += ClientProgram.usualPause }
            for call in program.protocolScript ?? [] {
                if case .wait(let time) = call.act { milliseconds += time.wholeMilliseconds }
                if case .block(let time) = call.act { milliseconds += time.wholeMilliseconds }
                if case .blockOnMain = call.act { milliseconds += ProtocolCall.mainThreadWait.wholeMilliseconds }
            }
        }
        milliseconds += first?.session?.setup.delay ?? 0
        return Swift.min(milliseconds, 120_000)
    }
}

/// Makes a program's URL absolute.
struct AssignedURL {
    let context: TemplateContext
    /// The scheme that replaces `http`; nil: none.
    package var ownScheme: String?

    private static let http = Array("http://".utf8)

    /// The absolute URL; one that is empty or begins with `/` is appended to the base.
    ///
    /// Leading spaces and control characters stay.
    package func url(of url: Template) -> String {
        var bytes = url.rendered(in: context)
        let start = bytes.firstIndex { $0 > 0x20 } ?? bytes.endIndex
        if start == bytes.endIndex || bytes[start] == UInt8(ascii: "/") {
            bytes.insert(contentsOf: context.base, at: start)
        }
        if let ownScheme, bytes[start...].prefix(Self.http.count).map(\.asciiLowercased) == Self.http {
            bytes.replaceSubrange(start..<(start + "http".utf8.count), with: ownScheme.utf8)
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The target of a reference (RFC 3986 §5.2); without a base URL, the reference as a URL.
    func target(of reference: Template, against base: Template?) -> String {
        guard let base else { return url(of: reference) }
        let target = URIReference(splitting: reference.rendered(in: context))
            .resolved(against: URIReference(splitting: Array(url(of: base).utf8)))
        return String(decoding: target.bytes, as: UTF8.self)
    }

    package func url(of program: ClientProgram) -> String {
        program.isURLVerbatim
            ? String(decoding: program.url.rendered(in: context), as: UTF8.self) : url(of: program.url)
    }
}

/// Why an assignment for a client program can't be made.
public struct AssignmentFailure: Error, Sendable, CustomStringConvertible {
    /// The error, and how to correct it.
    public let sentence: String
    /// The place where the body is named; nil when the file does not name it.
    public let location: SourceLocation?

    /// The sentence, after the place where it is known.
    public var description: String { location.map { "\($0): \(sentence)" } ?? sentence }
}

extension ByteSource {
    /// The most bytes of a body in an assignment; a longer body must be repeated text, written as its unit and a count.
    static let mostAssignedBytes = 32 << 20

    func assigned(in context: TemplateContext) throws(AssignmentFailure) -> Assignment.Bytes {
        switch self {
        case .literal(let bytes): return .encode(bytes)
        case .template(let template): return .encode(template.rendered(in: context))
        case .repeated(let unit, let byteCount):
            var bytes = Assignment.Bytes.encode(unit)
            bytes.count = byteCount
            return bytes
        case .pattern(let pattern, let byteCount):
            try Self.check(byteCount, nil)
            return .encode((0..<byteCount).map { pattern.byte(at: $0) })
        case .file(let file):
            try Self.check(file.byteCount, file.location)
            do throws(Diagnostic) {
                return .encode(try FileBytes.read(file.path, limit: Self.mostAssignedBytes))
            } catch {
                throw AssignmentFailure(sentence: error.description, location: file.location)
            }
        }
    }

    private static func check(_ byteCount: Int, _ location: SourceLocation?) throws(AssignmentFailure) {
        guard byteCount > mostAssignedBytes else { return }
        throw AssignmentFailure(
            sentence: "a body of \(byteCount) bytes is too long for a client program; at most \(mostAssignedBytes)",
            location: location)
    }
}

extension Assignment.Bytes {
    /// Text when the bytes are UTF-8 without NUL, else base64.
    package static func encode(_ bytes: [UInt8]) -> Assignment.Bytes {
        if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) { return .init(text: text) }
        return .init(base64: Base64Text.encode(bytes))
    }
}
