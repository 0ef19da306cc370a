import ProctorHTTP

@testable import ProctorServer

extension RequestView {
    /// A request from its bytes; a body is what follows the head.
    init(parsing text: String) throws {
        var reader = RequestReader()
        var offset = 0
        let bytes = Array(text.utf8)
        guard case .head(let head)? = reader.next(bytes.span, at: &offset) else {
            throw FixtureFailure(description: "no request head: \(text)")
        }
        self.init(head: head, target: head.target, body: Array(bytes[offset...]))
    }
}
