internal import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// A line of a script, made into what a client can be told.
struct ScriptedCall {
    private let call: Assignment.ProtocolCall
    private let object: URLProtocol
    private let player: ScriptPlayer

    enum Meaning {
        case call(ProtocolClientCall)
        case nonsense(String)
    }

    init(_ call: Assignment.ProtocolCall, of object: URLProtocol, player: ScriptPlayer) {
        self.call = call
        self.object = object
        self.player = player
    }

    private var words: [Substring] { (call.argument ?? "").split(separator: " ") }

    func meaning() -> Meaning {
        switch call.call {
        case "response": response()
        case "data": .call(.data(Data((call.argument ?? "").utf8)))
        case "finish": .call(.finish)
        case "fail": failure()
        case "redirect": redirect()
        case "challenge": challenge()
        case "cancel-challenge": .call(.cancelChallenge(player.challenge ?? made("NSURLAuthenticationMethodHTTPBasic")))
        case "cached-response-valid": cached()
        default:
            .nonsense("no protocol call \"\(call.call)\"")
        }
    }

    /// `200`, and behind it in any order a content type and what caches may do: `allowed`, `memory`, `not-allowed`.
    private func response() -> Meaning {
        guard let url = object.request.url, let first = words.first, let status = Int(first),
            (100...999).contains(status)
        else { return .nonsense("\"response \(call.argument ?? "")\" has no status of three digits") }
        var fields: [String: String] = [:]
        var policy = URLCache.StoragePolicy.notAllowed
        for word in words.dropFirst() {
            switch word {
            case "allowed": policy = .allowed
            case "memory": policy = .allowedInMemoryOnly
            case "not-allowed": policy = .notAllowed
            case _ where word.contains("/"): fields["Content-Type"] = String(word)
            default: return .nonsense("\"\(word)\" is no content type and no allowed, memory or not-allowed")
            }
        }
        guard let response = Self.response(url, status, fields) else {
            return .nonsense("no response can be made of \"response \(call.argument ?? "")\"")
        }
        return .call(.response(response, policy))
    }

    /// A code of URL errors, a short name, or `DOMAIN#CODE`.
    private func failure() -> Meaning {
        let text = call.argument ?? ""
        if let code = Int(text) {
            return .call(.fail(NSError(domain: NSURLErrorDomain, code: code)))
        }
        guard let (domain, code) = URLErrorName.code(named: text) else {
            return .nonsense("\"fail \(text)\": no code, no short name of an error and no DOMAIN#CODE")
        }
        return .call(.fail(NSError(domain: domain, code: code)))
    }

    /// A URL, after a status other than 302.
    private func redirect() -> Meaning {
        let status = words.count > 1 ? words.first.flatMap { Int($0) } : 302
        guard let url = object.request.url, let location = words.last, let status, (300...399).contains(status),
            let target = URL(string: String(location), relativeTo: url)?.absoluteURL,
            let response = Self.response(url, status, ["Location": String(location)])
        else { return .nonsense("\"redirect \(call.argument ?? "")\" has no URL, or a status that is not 300 to 399") }
        var request = URLRequest(url: target)
        if let rest = player.handOver(), let load = player.load {
            request = load.request(request, goingOnWith: rest)
        }
        return .call(.redirect(request, response))
    }

    private func challenge() -> Meaning {
        let kind = call.argument ?? "basic"
        guard let method = ChallengeKind.authenticationMethod(named: kind) else {
            return .nonsense("no challenge \"\(kind)\"; there are \(ChallengeKind.names.joined(separator: ", "))")
        }
        let challenge = made(method)
        player.open(challenge)
        return .call(.challenge(challenge))
    }

    private func made(_ method: String) -> URLAuthenticationChallenge {
        let url = object.request.url
        let space = URLProtectionSpace(
            host: url?.host ?? "", port: url?.port ?? (url?.scheme == "https" ? 443 : 80), protocol: url?.scheme,
            realm: "proctor", authenticationMethod: method)
        return URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: player.challengeCount,
            failureResponse: nil, error: nil, sender: ScriptedSender(player))
    }

    /// The one the object was made with, or an empty one of its own.
    private func cached() -> Meaning {
        if let cached = object.cachedResponse { return .call(.cacheValidated(cached)) }
        guard let url = object.request.url, let response = Self.response(url, 200, [:]) else {
            return .nonsense("no cached response can be made up for a request without a URL")
        }
        return .call(.cacheValidated(CachedURLResponse(response: response, data: Data())))
    }

    /// `50`, `50ms` or `2s`; nothing for anything else.
    var nanoseconds: UInt64 {
        let text = call.argument ?? ""
        let digits = text.prefix { $0.isNumber }
        let unit: UInt64 = text.dropFirst(digits.count) == "s" ? 1_000_000_000 : 1_000_000
        let (product, isTooLong) = (UInt64(digits) ?? 0).multipliedReportingOverflow(by: unit)
        return isTooLong ? UInt64(Int64.max) : product
    }

    private static func response(_ url: URL, _ status: Int, _ fields: [String: String]) -> HTTPURLResponse? {
        HTTPURLResponse(url: url, statusCode: status, httpVersion: "HTTP/1.1", headerFields: fields)
    }

    /// What a load fails with when its script cannot be played.
    static func failure(_ reason: String) -> NSError {
        NSError(domain: "ProctorScript", code: 1, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}
