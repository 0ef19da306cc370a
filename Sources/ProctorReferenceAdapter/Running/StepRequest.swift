internal import ProctorHTTP
package import ProctorReference
package import ProctorTrace

/// A step as a request.
package enum StepRequest {
    /// `body` comes from ``StepBody``; the URL is read as what a person typed, and is that of the main document.
    ///
    /// Where it is none, whoever loads the request says so.
    package static func make(
        _ step: Assignment.Step, body: ProctorReference.RequestBody, in setup: SessionSetup = SessionSetup()
    ) -> ClientRequest {
        let fields = step.headers.filter { $0.count == 2 }.map { HTTPField($0[0], $0[1]) }
        var request = ClientRequest(
            method: step.method, typed: step.url, ownSchemes: setup.ownSchemes, fields: fields, body: body)
        request.cachePolicy = cachePolicy(of: step) ?? .byProtocol
        if setup.cookiePolicy == .mainDocument { request.mainDocument = request.url }
        return request
    }

    /// nil where the step names none that there is.
    static func cachePolicy(of step: Assignment.Step) -> CachePolicy? {
        switch step.cachePolicy {
        case nil, "protocol": .byProtocol
        case "reload": .reload
        case "cache-else-load": .cacheElseLoad
        case "cache-only": .cacheOnly
        default: nil
        }
    }
}
