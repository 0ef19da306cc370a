import ProctorTrace

extension SessionProgram {
    func setup(in context: TemplateContext) -> SessionSetup {
        var setup = SessionSetup()
        setup.delegates = delegates.rawValue
        setup.queue = queue.rawValue
        setup.end = end?.rawValue
        setup.endAt = endAt?.assigned
        setup.cookies = cookies.rawValue
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

extension Moment {
    var assigned: Assignment.Moment {
        switch self {
        case .beforeResume: Assignment.Moment("before-resume")
        case .afterResume: Assignment.Moment("after-resume")
        case .event(let name, let count): Assignment.Moment(name, count: count)
        }
    }
}

extension ProtocolCall {
    func assigned(in context: TemplateContext) -> Assignment.ProtocolCall {
        let (call, argument): (String, String?) =
            switch act {
            case .redirect(let status, let target):
                (
                    "redirect",
                    (status == Self.usualRedirect ? "" : "\(status) ") + AssignedURL(context: context).of(target)
                )
            case .response(let status, let mime, let storage):
                ("response", [String(status), mime, storage?.rawValue].compactMap { $0 }.joined(separator: " "))
            case .data(let text): ("data", text)
            case .finish: ("finish", nil)
            case .fail(let domain, let code):
                ("fail", domain == URLErrorName.domain ? String(code) : "\(domain)#\(code)")
            case .challenge(let kind): ("challenge", kind)
            case .cancelChallenge: ("cancel-challenge", nil)
            case .cachedResponseIsValid: ("cached-response-valid", nil)
            case .wait(let duration): ("wait", String(duration.wholeMilliseconds))
            case .block(let duration): ("block", String(duration.wholeMilliseconds))
            case .awaitAnswer: ("await-answer", nil)
            case .awaitStop: ("await-stop", nil)
            }
        return Assignment.ProtocolCall(call, argument, isOnOtherThread: isOnOtherThread)
    }

    /// The status of a redirect that says none.
    static let usualRedirect = 302
}

extension Duration {
    /// Rounded up, so that what is not 0 stays so.
    var wholeMilliseconds: Int {
        let parts = components
        return Int(parts.seconds) * 1000 + Int((parts.attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
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
