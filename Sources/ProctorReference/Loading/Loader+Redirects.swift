import ProctorHTTP

extension Loader {
    /// The final head decides: a redirect, a challenge, or the response.
    mutating func judge(_ response: LoadResponse) -> [LoadAction] {
        if let error = heed(response) { return end(error) }
        if let next = redirection(by: response) {
            guard redirectCount < policy.redirectLimit else {
                return end(
                    LoadError(
                        .tooManyRedirects,
                        "\(response.url) redirects to \(next.url), and \(policy.redirectLimit) redirects are the most"))
            }
            redirectCount += 1
            phase = .redirecting(response)
            return [.tell(.redirect(to: next, from: response))]
        }
        return challenge(by: response)
    }

    /// The request that follows (RFC 9110 §15.4); nil: the reply redirects nowhere that can be asked.
    private func redirection(by response: LoadResponse) -> ClientRequest? {
        guard RedirectRules.isRedirect(status: response.status) else { return nil }
        let decision = RedirectDecision(
            status: response.status, replyFields: [HTTPField](response.head.fields), method: request.method,
            url: request.url, fields: request.fields)
        guard case .follow(let next) = decision else { return nil }
        var following = request
        following.method = next.method
        following.url = next.url
        following.fields = next.fields
        if !next.keepsContent { following.body = .none }
        return following
    }

    mutating func redirectAnswered(_ next: ClientRequest?, of response: LoadResponse) -> [LoadAction] {
        guard let next else { return deliver(response) }
        if let fault = next.urlFault { return end(LoadError(fault)) }
        request = next
        return leave()
    }

    /// Gets the rest of the reply out of the way, then sends.
    mutating func leave() -> [LoadAction] {
        hasRetried = false
        phase = .leaving
        return [.drain]
    }
}
