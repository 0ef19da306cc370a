internal import ProctorHTTP
internal import ProctorScenario

/// A request as patterns see it.
struct RequestView {
    let head: RequestHead
    /// The request-target below the scenario's base, in origin-form where it has one.
    let target: [UInt8]
    /// The request-target as it came, when it was in absolute-form.
    let absoluteTarget: [UInt8]?
    /// The content, complete when the scenario looks at bodies; nil when it was not read or was too long to keep.
    let body: [UInt8]?
    /// Why there is no body, as what was there in its place: `content that was not read`.
    let bodyGap: String?
    /// What the content says as a form, and what it may be compared with; nil where nobody will ask.
    let decoded: DecodedBody?
    /// Of the connection that it came by.
    let scheme: Scheme

    /// `decoding` is for requests of a scenario that looks at bodies.
    init(
        head: RequestHead, target: [UInt8], body: [UInt8]?, bodyGap: String? = nil, decoding: DecodedBody? = nil,
        scheme: Scheme = .http
    ) {
        self.scheme = scheme
        self.head = head
        self.body = body
        self.bodyGap = bodyGap
        decoded = decoding
        // An origin server must understand both forms (RFC 9112 §3.2.2), so patterns may be written in either.
        if head.form == .absolute, target.first != UInt8(ascii: "/") {
            self.target = AbsoluteTarget.originForm(of: target)
            absoluteTarget = target
        } else {
            self.target = target
            absoluteTarget = nil
        }
    }

    /// The target without its query.
    var path: ArraySlice<UInt8> {
        target.firstIndex(of: UInt8(ascii: "?")).map { target[..<$0] } ?? target[...]
    }

    /// What stands after the first `?`, or nil without one.
    var query: ArraySlice<UInt8>? {
        target.firstIndex(of: UInt8(ascii: "?")).map { target[($0 + 1)...] }
    }

    func hasMethod(in methods: [[UInt8]]?) -> Bool {
        guard let methods else { return true }
        let method = head.bytes[head.methodRange]
        return methods.contains { $0.elementsEqual(method) }
    }
}
