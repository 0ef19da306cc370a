internal import ProctorBase
internal import ProctorHTTP

/// A cookie as a file keeps it: the Set-Cookie field that makes it again, where it came from, and when.
///
/// So a file is held to the same rules as a reply of a server.
struct CookieLine: Equatable {
    let field: [UInt8]
    /// Over a secure connection, which may set what any connection may.
    let place: CookieURL
    /// In Unix seconds.
    let time: Int

    init(_ cookie: Cookie, fault: StorageFault?) {
        var path = fault == .pathLost ? [UInt8(ascii: "/")] : cookie.path
        // Cookies of the file are made again in its order, so that the time is only the beginning of their life.
        time = max(0, cookie.creation)
        var field = (cookie.name.isEmpty ? [UInt8(ascii: "=")] + cookie.value : cookie.pair)
        if let expiry = cookie.expiry { field += "; Max-Age=\(max(0, expiry - min(time, expiry)))".utf8 }
        // The path of a URL may have a semicolon, which would end the attribute.
        if path.contains(UInt8(ascii: ";")) {
            path += "/".utf8
        } else {
            field += "; Path=".utf8 + path
            path = [UInt8(ascii: "/")]
        }
        if !cookie.isHostOnly || fault == .hostOnlyLost { field += "; Domain=\(cookie.domain)".utf8 }
        if cookie.isSecure, fault != .secureLost { field += "; Secure".utf8 }
        if cookie.isHTTPOnly, fault != .httpOnlyLost { field += "; HttpOnly".utf8 }
        if let sameSite = cookie.sameSite { field += "; SameSite=\(sameSite.rawValue)".utf8 }
        self.field = field
        place = CookieURL(isSecure: true, host: cookie.domain, path: path)
    }

    init(_ object: StoredObject) throws(StorageProblem) {
        field = try object.bytes("field")
        time = try object.number("time")
        place = CookieURL(isSecure: true, host: try object.text("host"), path: try object.bytes("path"))
    }

    func write(to line: inout JSONText) {
        line.member("time", time)
        line.member("host", place.host)
        line.member("path", orBase64: "pathBase64", place.path[...])
        line.member("field", orBase64: "fieldBase64", field[...])
    }
}
