internal import ProctorHTTP

/// What the Connection fields of a reply say (RFC 9110 §7.6.1).
struct ConnectionField {
    private(set) var saysClose = false
    private(set) var saysKeepAlive = false

    mutating func read(_ value: [UInt8]) {
        let field = HTTPField(name: "Connection", bytes: value)
        if field.lists("close") { saysClose = true }
        if field.lists("keep-alive") { saysKeepAlive = true }
    }
}
