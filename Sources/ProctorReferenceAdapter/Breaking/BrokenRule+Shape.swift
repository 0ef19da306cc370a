internal import ProctorReference
internal import ProctorTrace

/// R1 to R9: the three phases, and redirects.
extension BrokenRule {
    static let shape: [BrokenRule] = [
        .calls(1, "ask for the body's stream after the response", keeping: false) { call, hasAsked in
            guard case .data = call, !hasAsked else { return .made(call) }
            hasAsked = true
            return .made(.needBodyStream, call)
        },
        .calls(2, "keep the response to itself") { call in
            if case .response = call { [] } else { .made(call) }
        },
        .calls(3, "tell of a redirect after the response it led to", keeping: [SessionCall]()) { call, held in
            switch call {
            case .redirect:
                held.append(call)
                return []
            case .data, .metrics:
                defer { held = [] }
                return (held + [call]).map { PlacedCall($0) }
            default: return .made(call)
            }
        },
        .calls(4, "deliver the head of a redirect that is followed", keeping: LoadResponse?.none) { call, redirect in
            switch call {
            case .redirect(_, let response): redirect = response
            case .response(let response):
                defer { redirect = nil }
                // Of a redirect that is refused it is the response.
                guard let redirect, redirect != response else { break }
                return .made(.response(redirect), call)
            default: break
            }
            return .made(call)
        },
        .failingInstead(
            5, "fail when a redirect is refused", of: Set(300..<400),
            with: LoadError(.cancelled, "the redirect was refused")),
        .calls(6, "deliver the redirect's response after a cancel in its callback", keeping: CancelledRedirect()) {
            call, redirect in redirect.calls(inPlaceOf: call)
        },
        .connectionCalls(7, "announce the canonical request again after the response", keeping: ConnectionCall?.none) {
            call, announced in
            switch call {
            case .common(.willSend(_, redirectResponse: nil)): announced = call
            case .didReceiveData:
                defer { announced = nil }
                return announced.map { .made($0, call) } ?? .made(call)
            default: break
            }
            return .made(call)
        },
        .calls(8, "deliver data while a redirect is unanswered") { call in
            guard case .redirect = call else { return .made(call) }
            let question = OpenQuestion()
            return [.question(call, question), .during(question, .data(Array("moved".utf8)))]
        },
        followsThirty,
    ]

    private static let followsThirty = {
        var broken = BrokenRule(RuleNumber(9), "follow thirty redirects")
        broken.breakage.redirectLimit = 30
        return broken
    }()

    /// A response of such a status, with all that follows it, becomes an error.
    static func failingInstead(
        _ rule: Int, _ name: String, of statuses: Set<Int>, with error: LoadError
    ) -> BrokenRule {
        .calls(rule, name, keeping: false) { call, isSwallowing in
            switch call {
            case .response(let response) where statuses.contains(response.status):
                isSwallowing = true
                return []
            case .data where isSwallowing: return []
            case .complete(nil) where isSwallowing: return .made(.complete(error))
            default: return .made(call)
            }
        }
    }
}

/// The redirect of a task until something else than its end shows that it was not cancelled there.
private struct CancelledRedirect: Sendable {
    private var response: LoadResponse?
    /// They come before the end, which alone tells of a cancel.
    private var metrics: SessionCall?

    mutating func calls(inPlaceOf call: SessionCall) -> [PlacedCall<SessionCall>] {
        switch call {
        case .redirect(_, let response):
            self.response = response
            return .made(call)
        case .metrics where response != nil:
            metrics = call
            return []
        default:
            let isCancelled = if case .complete(let error?) = call { error.kind == .cancelled } else { false }
            let told = isCancelled ? response.map { SessionCall.response($0) } : nil
            defer { (response, metrics) = (nil, nil) }
            return PlacedCall.made(told, metrics, call)
        }
    }
}
