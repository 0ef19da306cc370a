/// What a client does with a reply as far as redirects go; its user may still decide otherwise.
public enum RedirectDecision: Sendable, Equatable {
    /// An ordinary reply: another status, or no Location.
    case none
    /// A redirect that leads nowhere, so that the reply is delivered as it is.
    case unusable(RedirectRefusal)
    /// Send this next.
    case follow(RedirectedRequest)

    /// Judges the final reply to a request.
    ///
    /// `url`, `method` and `fields` are those of the request that was answered, not of the first of the chain: a
    /// relative Location belongs to it (RFC 9110 §10.2.2), and what it lost on the way does not come back.
    public init(
        status: Int, replyFields: [HTTPField], method: String, url: ClientURL, fields: [HTTPField]
    ) {
        guard RedirectRules.isRedirect(status: status) else {
            self = .none
            return
        }
        switch RedirectRules.location(in: replyFields) {
        case .none: self = .none
        case .several: self = .unusable(.severalLocations)
        case .one(let location):
            do throws(ClientURLError) {
                let target = try url.resolving(location: location)
                let next = RedirectRules.next(method: method, status: status)
                self = .follow(
                    RedirectedRequest(
                        method: next.method, url: target,
                        fields: RedirectFields.next(
                            fields, keepsContent: next.keepsContent, isSameOrigin: target.origin == url.origin),
                        keepsContent: next.keepsContent))
            } catch {
                self = .unusable(.location(error))
            }
        }
    }
}

/// The request that a redirect asks for.
public struct RedirectedRequest: Sendable, Equatable {
    /// In the case of the request before, or `GET`.
    public let method: String
    /// With the fragment of the request before where Location has none.
    public let url: ClientURL
    /// Of the caller's, those that may go there; Host and framing are the sender's business.
    public let fields: [HTTPField]
    /// The content of the request before is sent again.
    public let keepsContent: Bool
}

/// Why a reply with the status of a redirect is not followed.
public enum RedirectRefusal: Sendable, Equatable, CustomStringConvertible {
    /// Location fields that disagree.
    case severalLocations
    /// No http or https URL, however it is mended; `file:`, `data:`, `javascript:` and `ftp:` are of this kind.
    case location(ClientURLError)

    /// For a person.
    public var description: String {
        switch self {
        case .severalLocations: "the reply has several Location fields that differ; expected one (RFC 9110 §10.2.2)"
        case .location(let error): "the Location can't be followed: \(error)"
        }
    }
}
