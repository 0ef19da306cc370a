internal import ProctorScenario

extension Reply {
    /// Whether it may set cookies: its fields do, or its raw bytes speak of it; found out once, for it is a search.
    var mentionsSetCookie: Bool {
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
