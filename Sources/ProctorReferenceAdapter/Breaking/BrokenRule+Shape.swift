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
        .calls(3, "tell of a redirect after the response it led to", keeping: SessionCall?.none) { call, held in
            switch call {
            case .redirect:
                held = call
                return []
            case .data:
                defer { held = nil }
                return held.map { .made($0, call) } ?? .made(call)
            default: return .made(call)
            }
        },
        .calls(4, "deliver the head of a redirect that is followed") { call in
            guard case .redirect(_, let response) = call else { return .made(call) }
            return .made(call, .response(response))
        },
        .failingInstead(
            5, "fail when a redirect is refused", of: Set(300..<400),
            with: LoadError(.cancelled, "the redirect was refused")),
        .calls(6, "deliver the redirect's response after a cancel in its callback", keeping: LoadResponse?.none) {
            call, redirect in
            switch call {
            case .redirect(_, let response): redirect = response
            // Nothing came between the redirect and the end: it was cancelled.
            case .metrics: return redirect.map { .made(.response($0), call) } ?? .made(call)
            default: redirect = nil
            }
            return .made(call)
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
            if case .redirect = call { .made(call, .data(Array("moved".utf8))) } else { .made(call) }
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
