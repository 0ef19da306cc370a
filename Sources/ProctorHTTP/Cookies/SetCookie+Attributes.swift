import ProctorBase

/// What the attributes mean; of several of one name the last counts (RFC 6265 §5.3, its revision §5.7).
extension SetCookie {
    /// In Unix seconds, as the last Expires with a readable date says; the revision caps it where it is stored.
    public var expires: Int? { last("expires") { CookieDate.unixSeconds($0) } }

    /// In seconds, as the last Max-Age that is a number says; beyond the range of `Int` its ends.
    ///
    /// A `-` alone is no number, which RFC 6265 leaves open and its revision spells out (§5.6.2).
    public var maxAge: Int? {
        last("max-age") { text in
            guard text.first == UInt8(ascii: "-") else { return text.saturatedNumber }
            return text.dropFirst().saturatedNumber.map { -$0 }
        }
    }

    /// In lower case and without one leading dot; empty: as if there were none.
    ///
    /// RFC 6265 passes over an empty Domain (§5.2.3), by its revision it hides one before it (§5.6.3).
    public var domain: [UInt8]? {
        last("domain") { text in
            if edition == .rfc6265, text.isEmpty { return nil }
            return (text.first == UInt8(ascii: ".") ? text.dropFirst() : text[...]).cookieLowercased
        }
    }

    /// The last Path; nil: the default-path, which also stands for one that does not begin with a slash (§5.2.4).
    public var path: [UInt8]? {
        guard let path = last("path", { $0 }), path.first == UInt8(ascii: "/") else { return nil }
        return path
    }

    /// A Path attribute is there, whatever it says.
    public var hasPath: Bool { last("path") { $0 } != nil }

    /// Whatever value it has.
    public var isSecure: Bool { last("secure") { $0 } != nil }

    /// Whatever value it has.
    public var isHTTPOnly: Bool { last("httponly") { $0 } != nil }

    /// Nil: the default, also where the last SameSite is none of the three words.
    public var sameSite: SameSite? {
        guard let text = last("samesite", { $0 }) else { return nil }
        return SameSite.allCases.first { $0.rawValue.utf8.elementsEqual(text.cookieLowercased) }
    }

    /// The last one of that name that `read` makes something of.
    private func last<Value>(_ name: StaticString, _ read: ([UInt8]) -> Value?) -> Value? {
        for attribute in attributes.reversed()
        where attribute.name.isCookieWord(name) && (edition == .rfc6265 || attribute.isShort) {
            if let value = read(attribute.value) { return value }
        }
        return nil
    }
}
