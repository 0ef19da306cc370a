package import ProctorBase

/// A late-bound value that is not an address: of the request or the run, or a random value.
///
/// A value that is missing is empty text.
package enum LateValue: Sendable, Equatable {
    /// `{{request.method}}`
    case method
    /// `{{request.target}}`: the target, without the path of a mount.
    case target
    /// `{{request.path}}`: the target up to its query, not decoded.
    case path
    /// `{{request.query.NAME}}`: the first value of that name, decoded as in a form.
    case query(String)
    /// `{{request.header.NAME}}`: all lines of that name, joined with `, ` (RFC 9110 §5.3).
    case header(String)
    /// `{{request.cookie.NAME}}`: the first cookie of that name (RFC 6265 §5.4).
    case cookie(String)
    /// `{{request.body}}`: the bytes of the content, without its codings.
    case body
    /// `{{request.body.coded}}`: the bytes of the content as they came.
    case codedBody
    /// `{{request.form.NAME}}`: the first value of that name in a form, or the content of that part of
    /// multipart/form-data.
    case form(String)
    /// `{{request.json/items/0}}`: the value at a pointer in JSON content; the whole content for an empty pointer.
    case json(JSONPointer)
    /// `{{connection.number}}`: the connection's number in the journal, from 0.
    case connectionNumber
    /// `{{request.number}}`: the request's number in the journal, from 0.
    case requestNumber
    /// `{{uuid}}`: a random UUID (RFC 9562 §5.4), drawn by the seed of the run.
    case uuid(RandomPlace)
    /// `{{random 1-6}}`: a whole number of the range, drawn by the seed of the run.
    case random(ClosedRange<Int>, RandomPlace)
    /// `{{state.NAME}}`: the value after the changes of the reply; the name may have late-bound parts.
    case state(Template)
    /// `{{path.NAME}}` in a place where its bytes are escaped.
    case capture(String)
    /// `echo: request`: the request as it arrived.
    case message
    /// `echo: json`: a description of the request in JSON.
    case description

    /// The part of a request that must have arrived before the value is known.
    package enum Need: Int, Sendable, Comparable {
        /// The head, or the number.
        case head
        /// All of the content.
        case content

        package static func < (left: Need, right: Need) -> Bool { left.rawValue < right.rawValue }
    }

    package var need: Need {
        switch self {
        case .body, .codedBody, .form, .json, .message, .description: .content
        case .method, .target, .path, .query, .header, .cookie, .connectionNumber, .requestNumber, .uuid, .random,
            .capture:
            .head
        case .state(let name):
            name.use.need ?? .head
        }
    }

    /// Whether the value depends on the seed of the run.
    package var isRandom: Bool {
        switch self {
        case .uuid, .random: true
        case .state(let name): name.use.isRandom
        case .method, .target, .path, .query, .header, .cookie, .body, .codedBody, .form, .json, .connectionNumber,
            .requestNumber, .capture, .message, .description:
            false
        }
    }
}

/// How the bytes of a late-bound value are escaped, by the place where the value stands.
package enum LateEscape: Sendable, Equatable {
    case none
    /// CR, LF and NUL become spaces (RFC 9110 §5.5).
    case field
    /// As inside a JSON string (RFC 8259 §7).
    case jsonText
    /// Outside a JSON string: a value of the request's JSON as it arrived, `null` where there is none.
    case jsonValue
    /// As `jsonValue`, on one line: CR and LF, which stand between tokens alone, become spaces.
    case jsonLine
    /// As `data` of an event stream: each line end begins another line of the field (HTML §9.2.6).
    case eventData
}
