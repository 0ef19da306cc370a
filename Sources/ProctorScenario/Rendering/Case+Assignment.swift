import ProctorBase
public import ProctorProgram

extension Case {
    /// The client's programs with everything late-bound filled in: what an adapter is told.
    ///
    /// `context` speaks of the run that serves the scenario. A sidecar file is read now. Throws when it cannot be, or
    /// when a body is longer than an assignment may carry.
    public func assignment(
        scenario: String, run: String? = nil, in context: TemplateContext
    ) throws(AssignmentFailure) -> Assignment {
        var steps: [Assignment.Step] = []
        let program = client.first?.session
        let urls = AssignedURL(context: context, ownScheme: program?.scheme)
        for (index, program) in client.enumerated() {
            var step = try program.step(in: context, urls)
            step.redirectCount = redirectCount(ofStep: index)
            step.challengeCount = challengeCount(ofStep: index)
            steps.append(step)
        }
        var session = program?.setup(in: context) ?? SessionSetup()
        if !context.names.isEmpty { session.names = context.names }
        session.namesProxy = context.namesProxy
        if program?.trust ?? .authority == .authority { session.trust = context.trust?.authority }
        return Assignment(
            scenario: scenario, caseName: name, base: String(decoding: context.base, as: UTF8.self), run: run,
            deadline: client.deadline, session: session, steps: steps)
    }
}

extension ClientProgram {
    fileprivate func step(
        in context: TemplateContext, _ urls: AssignedURL
    ) throws(AssignmentFailure) -> Assignment.Step {
        var step = Assignment.Step(method: method, url: urls.of(self))
        step.headers = headers.assigned(in: context)
        step.body = try body.map { source throws(AssignmentFailure) in try source.assigned(in: context) }
        step.bodyForm = bodyForm
        step.task = task
        step.onRedirect = onRedirect.map {
            $0.map {
                urls.of($0)
            } headers: {
                $0.assigned(in: context)
            }
        }
        step.onChallenge = onChallenge.map { $0.map { context.trust?.identities[$0] } }
        step.onResponse = onResponse
        step.onBodyStream = onBodyStream
        step.onWillCache = onWillCache
        step.answerAfter = answerAfter?.wholeMilliseconds
        step.cancelAt = cancelAt
        step.suspendAt = suspendAt
        step.suspendFor = suspendAt == nil ? 0 : suspendFor.wholeMilliseconds
        step.timeout = timeout?.wholeMilliseconds
        step.resume = resume
        step.producesResumeData = producesResumeData
        step.cachePolicy = cachePolicy
        step.protocolScript = protocolScript?.map { $0.map { AssignedURL(context: context).of($0) } }
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
    func setup(in context: TemplateContext) -> SessionSetup {
        var setup = SessionSetup()
        setup.delegates = delegates
        setup.queue = queue
        setup.end = end
        setup.endAt = endAt
        setup.cookies = cookies
        setup.cache = cache
        setup.requestTimeout = requestTimeout?.wholeMilliseconds
        setup.resourceTimeout = resourceTimeout?.wholeMilliseconds
        if let proxy, context.authorities.indices.contains(proxy) {
            setup.proxy = String(decoding: context.authorities[proxy], as: UTF8.self)
        }
        setup.ownScheme = scheme
        setup.identity = identity.flatMap { context.trust?.identities[$0] }
        return setup
    }
}

extension [ClientProgram] {
    /// Milliseconds after which an adapter gives up: the program's own waits, and what every load may take.
    var deadline: Int {
        var milliseconds = 5_000
        for program in self {
            milliseconds += 2_000 + (program.timeout?.wholeMilliseconds ?? 0)
            milliseconds += (program.answerAfter?.wholeMilliseconds ?? 0) + program.suspendFor.wholeMilliseconds
            for call in program.protocolScript ?? [] {
                if case .wait(let time) = call.act { milliseconds += time.wholeMilliseconds }
                if case .block(let time) = call.act { milliseconds += time.wholeMilliseconds }
            }
        }
        let session = first?.session
        milliseconds += session?.requestTimeout?.wholeMilliseconds ?? 0
        milliseconds += session?.resourceTimeout?.wholeMilliseconds ?? 0
        return Swift.min(milliseconds, 120_000)
    }
}

/// Makes a program's URL absolute, as a client is told it.
struct AssignedURL {
    let context: TemplateContext
    /// By which `http` is called; nil: as it is.
    var ownScheme: String?

    private static let http = Array("http://".utf8)

    /// One that begins with `/`, or is empty, lies below the base; blanks and controls before it stay before it.
    func of(_ url: Template) -> String {
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

    /// Of a program, which may want its text handed over as it is.
    func of(_ program: ClientProgram) -> String {
        program.isURLVerbatim
            ? String(decoding: program.url.rendered(in: context), as: UTF8.self) : of(program.url)
    }
}
