package import ProctorBase

/// A late-bound value that is not an address: of the request, of the run, or a random one.
///
/// A value that is not there is empty text.
package enum LateValue: Sendable, Equatable {
    /// `{{request.method}}`
    case method
    /// `{{request.target}}`: as the scenario sees it, without the path of a mount.
    case target
    /// `{{request.path}}`: the target up to its query, not decoded.
    case path
    /// `{{request.query.NAME}}`: the first value of that name, decoded as a form is.
    case query(String)
    /// `{{request.header.NAME}}`: all lines of that name, joined with `, ` (RFC 9110 §5.3).
    case header(String)
    /// `{{request.cookie.NAME}}`: the first cookie of that name (RFC 6265 §5.4).
    case cookie(String)
    /// `{{request.body}}`: the content with its bytes.
    case body
    /// `{{request.form.NAME}}`: the first value of that name in a form, or the content of that part of multipart/form-data.
    case form(String)
    /// `{{request.json/items/0}}`: the value at a pointer in JSON content; the whole content for an empty pointer.
    case json(JSONPointer)
    /// `{{connection.number}}`: as in the journal, from 0.
    case connectionNumber
    /// `{{request.number}}`: as in the journal, from 0.
    case requestNumber
    /// `{{uuid}}`: a random UUID (RFC 9562 §5.4) by the seed of the run.
    case uuid(RandomPlace)
    /// `{{random 1-6}}`: a whole number of the range by the seed of the run.
    case random(ClosedRange<Int>, RandomPlace)
    /// `{{state.NAME}}`: the value behind the changes of the reply; the name may have late-bound parts.
    case state(Template)
    /// `{{path.NAME}}` where its bytes are escaped.
    case capture(String)
    /// `echo: request`: the message as it came.
    case message
    /// `echo: json`: the message described as JSON.
    case description

    /// The part of a request that must be known before the value is.
    package enum Need: Int, Sendable, Comparable {
        /// The head, or the number.
        case head
        /// All of the content.
        case content

        package static func < (left: Need, right: Need) -> Bool { left.rawValue < right.rawValue }
    }

    package var need: Need {
        switch self {
        case .body, .form, .json, .message, .description: .content
        case .method, .target, .path, .query, .header, .cookie, .connectionNumber, .requestNumber, .uuid, .random,
            .capture:
            .head
        case .state(let name):
            name.use.need ?? .head
        }
    }

    /// Whether the seed of the run decides it.
    package var isRandom: Bool {
        switch self {
        case .uuid, .random: true
        case .state(let name): name.use.isRandom
        case .method, .target, .path, .query, .header, .cookie, .body, .form, .json, .connectionNumber,
            .requestNumber, .capture, .message, .description:
            false
        }
    }
}

/// How the bytes of a late-bound value are written, which depends on where it stands.
package enum LateEscape: Sendable, Equatable {
    case none
    /// CR, LF and NUL become spaces (RFC 9110 §5.5).
    case field
    /// As the inside of a JSON string (RFC 8259 §7).
    case jsonText
    /// Outside a string of JSON: a value of the request's JSON as it came, `null` where there is none.
    case jsonValue
}
