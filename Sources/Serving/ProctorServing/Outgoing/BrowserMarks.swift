internal import ProctorBase
package import ProctorHTTP

/// What a browser says about the page that a request comes from, by fields that no script can set or leave out.
package struct BrowserMarks {
    /// The values of Origin, which every request of a page has that may change something or wants to read elsewhere.
    package let origins: [String]
    /// The values of `Sec-Fetch-Site` (Fetch Metadata §2.4), which browsers since 2023 send to addresses of loopback.
    package let sites: [String]
    private let head: RequestHead

    package init(_ head: RequestHead) {
        self.head = head
        origins = head.fields.values(named: "Origin").map { String(decoding: $0, as: UTF8.self) }
        sites = head.fields.values(named: "Sec-Fetch-Site").map { String(decoding: $0, as: UTF8.self) }
    }

    package var isEmpty: Bool { origins.isEmpty && sites.isEmpty }

    /// Whether a page of another origin asks, or a person was led here by one.
    package var isFromElsewhere: Bool { !sites.allSatisfy { $0 == "same-origin" || $0 == "none" } }

    /// Whether Referer is a page of this origin, which is in lower case.
    package func isReferred(by origin: String) -> Bool {
        let referer = head.fields.values(named: "Referer").map { String(decoding: $0, as: UTF8.self) }
        return referer.count == 1 && referer[0].lowercased().hasPrefix(origin + "/")
    }

    /// Whether the request looks like one of a browser that marks nothing: Firefox before 90, Safari before 16.4, and
    /// every browser where the name is not one of loopback.
    ///
    /// Their scripts can set User-Agent and leave out Referer, so those say nothing. Accept-Language is sent always, and
    /// Accept-Encoding is the browser's own: `gzip, deflate` comes first. Programs send one of both, or other codings;
    /// CFNetwork's are the same, and only Darwin has it. Node's fetch is known by Sec-Fetch-Mode, which no script sets.
    package var isOfUnmarkedBrowser: Bool {
        guard isEmpty, head.fields.contains(named: "Accept-Language"), !head.fields.contains(named: "Sec-Fetch-Mode"),
            let codings = head.fields.first(named: "Accept-Encoding")
        else { return false }
        #if canImport(Darwin)
            let agent = head.fields.first(named: "User-Agent").map { String(decoding: $0, as: UTF8.self) } ?? ""
            if agent.contains(text: "CFNetwork/") { return false }
        #endif
        return codings.filter { $0 != UInt8(ascii: " ") }.starts(with: "gzip,deflate".utf8)
    }
}

extension RequestHead {
    /// The authority that a request is for: that of a target in absolute-form (RFC 9112 §3.2.2), otherwise Host's.
    package var askedAuthority: [UInt8]? {
        guard form == .absolute else { return fields.first(named: "Host").map { Array($0) } }
        let target = target
        return AbsoluteTarget(target.span, in: target.indices).map { Array(target[$0.authority]) }
    }
}
