internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario

extension Scenario {
    /// Whether any reply sets a cookie, or any case asks about them.
    ///
    /// A raw reply from a file is not looked into.
    var watchesCookies: Bool {
        cases.contains { $0.cookies != nil }
            || exchanges.contains { $0.replies.contains(where: \.setsCookies) }
            || guards.contains { $0.refusals.contains(where: \.setsCookies) || $0.end?.reply?.setsCookies == true }
    }
}

extension Reply {
    fileprivate var setsCookies: Bool {
        switch message {
        case .structured(let message): message.headers.contains { ReplyFields.isSetCookie($0.name) }
        case .raw(let source): source.literalText.map { ReplyFields.mentionsSetCookie($0) } ?? false
        case .forward, nil: false
        }
    }
}

extension ByteSource {
    /// What is known before text is bound; holes are left out.
    fileprivate var literalText: [UInt8]? {
        switch self {
        case .literal(let bytes): bytes
        case .template(let template):
            template.parts.reduce(into: []) { text, part in
                if case .literal(let bytes) = part { text += bytes }
            }
        case .file, .repeated, .pattern: nil
        }
    }
}
