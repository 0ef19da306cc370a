internal import ProctorHTTP
internal import ProctorReference

/// R25 to R33: responses and their content.
extension BrokenRule {
    static let response: [BrokenRule] = [
        .calls(25, "data before response", keeping: SessionCall?.none) { call, response in
            switch call {
            case .response:
                response = call
                return []
            case .data:
                defer { response = nil }
                return response.map { .made(call, $0) } ?? .made(call)
            // There is no data.
            default:
                defer { response = nil }
                return response.map { .made($0, call) } ?? .made(call)
            }
        },
        .calls(26, "deliver all parts under one response", keeping: false) { call, hasResponse in
            guard case .response(var response) = call else { return .made(call) }
            guard !hasResponse else { return [] }
            hasResponse = true
            response.partFields = nil
            return .made(.response(response))
        },
        .actions(27, "take an interim response for the final one") { action, loader in
            guard case .tell(.informational(let head)) = action else { return [action] }
            return [.tell(.response(LoadResponse(url: loader.request.url, head: head)))]
        },
        .calls(28, "deliver data before the disposition is given", keeping: OpenQuestion?.none) { call, question in
            switch call {
            // Where there can be none it would break R31, too.
            case .response(let response) where !response.hasNoContent:
                let asked = OpenQuestion()
                question = asked
                return [.question(call, asked), .during(asked, .data([0x20]))]
            case .data where question?.wasUsed == true: return []
            default: return .made(call)
            }
        },
        .calls(29, "end well although the disposition was to cancel", keeping: false) { call, hasResponse in
            switch call {
            case .response: hasResponse = true
            case .complete(let error?) where hasResponse && error.kind == .cancelled: return .made(.complete(nil))
            default: break
            }
            return .made(call)
        },
        .calls(30, "deliver everything twice") { call in
            if case .data = call { .made(call, call) } else { .made(call) }
        },
        .calls(31, "deliver data where there can be none", keeping: false) { call, isEmpty in
            switch call {
            case .response(let response): isEmpty = response.hasNoContent
            // What is offered for storing has had its data.
            case .data, .willCache: isEmpty = false
            case .metrics where isEmpty: return .made(.data([0x20]), call)
            default: break
            }
            return .made(call)
        },
        .calls(32, "offer a response for storing before its data", keeping: LoadResponse?.none) { call, response in
            switch call {
            case .response(let received): response = received
            case .data:
                defer { response = nil }
                return response.map { .made(.willCache($0, byteCount: 0), call) } ?? .made(call)
            default: break
            }
            return .made(call)
        },
        .protocolCalls(33, "say that the cached response holds, after another one") { call in
            call == .finish ? .made(.cacheValidated, call) : .made(call)
        },
    ]
}

extension LoadResponse {
    /// By its status, or by a length of 0.
    fileprivate var hasNoContent: Bool {
        let lengths = head.fields.values(named: "Content-Length").map { Array($0) }
        return [204, 205, 304].contains(status) || lengths == [Array("0".utf8)]
    }
}
