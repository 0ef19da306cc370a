internal import Foundation
internal import ProctorEvents
internal import ProctorProgram

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

struct ScriptedCall {
    private let call: Assignment.ProtocolCall
    private let object: URLProtocol
    private let player: ScriptPlayer

    struct Unplayable: Error {
        let reason: String
    }

    init(_ call: Assignment.ProtocolCall, of object: URLProtocol, player: ScriptPlayer) {
        (self.call, self.object, self.player) = (call, object, player)
    }

    /// nil for waits, which the player performs.
    func makeCall() throws(Unplayable) -> ProtocolClientCall {
        switch call.act {
        case .response(let status, let mime, let storage): return try response(status, mime: mime, storage: storage)
        case .data(let text): return .data(Data(text.utf8))
        case .finish: return .finish
        case .fail(let domain, let code): return .fail(NSError(domain: domain, code: code))
        case .redirect(let status, let target): return try redirect(status, to: target)
        case .challenge(let kind): return try challenge(kind)
        case .cancelChallenge:
            return .cancelChallenge(player.challenge ?? makeChallenge("NSURLAuthenticationMethodHTTPBasic"))
        case .cachedResponseIsValid: return try cached()
        case .unreadable(let reason): throw Unplayable(reason: reason)
        case .wait, .block, .blockOnMain, .awaitAnswer, .awaitStop:
            throw Unplayable(reason: "no protocol call \"\(call.name)\"")
        }
    }

    private func response(
        _ status: Int, mime: String?, storage: Assignment.ProtocolCall.Storage?
    ) throws(Unplayable) -> ProtocolClientCall {
        var fields = mime.map { ["Content-Type": $0] } ?? [:]
        // A dictionary has one value for several field lines of a name (RFC 9110 §5.3).
        for field in call.headers where field.count == 2 {
            fields[field[0]] = fields[field[0]].map { "\($0), \(field[1])" } ?? field[1]
        }
        let policy: URLCache.StoragePolicy =
            switch storage {
            case .allowed: .allowed
            case .memory: .allowedInMemoryOnly
            case .notAllowed, nil: .notAllowed
            }
        guard let url = object.request.url else {
            throw Unplayable(reason: "\"response \(call.argument ?? "")\" has no status of three digits")
        }
        guard let response = Self.response(url, status, fields: fields, version: call.version) else {
            throw Unplayable(reason: "no response can be made of \"response \(call.argument ?? "")\"")
        }
        return .response(response, policy)
    }

    private func redirect(_ status: Int, to location: String) throws(Unplayable) -> ProtocolClientCall {
        guard let url = object.request.url, let target = URL(string: location, relativeTo: url)?.absoluteURL,
            let response = Self.response(url, status, fields: ["Location": location])
        else { throw Unplayable(reason: Assignment.ProtocolCall.unreadableRedirect(call.argument ?? "")) }
        var request = URLRequest(url: target)
        if let rest = player.handOver(), let load = player.load {
            request = load.request(request, goingOnWith: rest)
        }
        return .redirect(request, response)
    }

    private func challenge(_ kind: String) throws(Unplayable) -> ProtocolClientCall {
        guard let method = ChallengeKind.authenticationMethod(named: kind) else {
            throw Unplayable(reason: "no challenge \"\(kind)\"")
        }
        let challenge = makeChallenge(method)
        player.open(challenge)
        return .challenge(challenge)
    }

    private func makeChallenge(_ method: String) -> URLAuthenticationChallenge {
        let url = object.request.url
        let space = URLProtectionSpace(
            host: url?.host ?? "", port: url?.port ?? (url?.scheme == "https" ? 443 : 80), protocol: url?.scheme,
            realm: "proctor", authenticationMethod: method)
        return URLAuthenticationChallenge(
            protectionSpace: space, proposedCredential: nil, previousFailureCount: player.challengeCount,
            failureResponse: nil, error: nil, sender: ScriptedSender(player))
    }

    /// The object's own cached response, or an empty one.
    private func cached() throws(Unplayable) -> ProtocolClientCall {
        if let cached = object.cachedResponse { return .cacheValidated(cached) }
        guard let url = object.request.url, let response = Self.response(url, 200, fields: [:]) else {
            throw Unplayable(reason: "no cached response can be made up for a request without a URL")
        }
        return .cacheValidated(CachedURLResponse(response: response, data: Data()))
    }

    private static func response(
        _ url: URL, _ status: Int, fields: [String: String], version: String? = nil
    ) -> HTTPURLResponse? {
        HTTPURLResponse(url: url, statusCode: status, httpVersion: version ?? "HTTP/1.1", headerFields: fields)
    }

    /// The error of a load whose script cannot be played.
    static func failure(_ reason: String) -> NSError {
        NSError(domain: "ProctorScript", code: 1, userInfo: [NSLocalizedDescriptionKey: reason])
    }
}
