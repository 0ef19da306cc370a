/// Encodes the values of a step that the client must encode itself.
package protocol ValueEncoder: Sendable {
    /// A form in application/x-www-form-urlencoded (WHATWG URL §5); pairs are `[name, value]`, not encoded.
    func form(_ pairs: [[String]]) -> String
    /// The query of a URL, without its question mark.
    func query(_ pairs: [[String]]) -> String
}

extension Assignment {
    /// The assignment with the encoded `form` and `query` of each step in its body and its URL.
    package func encoded(by encoder: some ValueEncoder) -> Assignment {
        var assignment = self
        assignment.steps = steps.map { $0.encoded(by: encoder) }
        return assignment
    }
}

extension Assignment.Step {
    fileprivate func encoded(by encoder: some ValueEncoder) -> Assignment.Step {
        var step = self
        if let query {
            step.url += (url.contains("?") ? "&" : "?") + encoder.query(query)
            step.query = nil
        }
        if let form {
            step.body = Assignment.Bytes(text: encoder.form(form))
            if !headers.contains(where: { $0.first?.lowercased() == "content-type" }) {
                step.headers.append(["Content-Type", "application/x-www-form-urlencoded"])
            }
            step.form = nil
        }
        return step
    }
}
