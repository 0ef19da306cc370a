import ProctorBase

extension URIReference {
    /// Throws the departure with the smallest offset.
    func check() throws(URIViolation) {
        if let userinfo = ranges.userinfo { try check(userinfo) { $0.isPathByte && $0 != UInt8(ascii: "@") } }
        if let host = ranges.host, !HostSyntax.isHost(bytes.span.extracting(host)) {
            throw URIViolation(kind: .badHost, offset: host.lowerBound, detail: Array(bytes[host]))
        }
        if let port = ranges.port, !port.isEmpty, portNumber == nil {
            throw URIViolation(kind: .badPort, offset: port.lowerBound, detail: Array(bytes[port]))
        }
        if ranges.scheme == nil, ranges.authority == nil {
            let segment = path.prefix { $0 != UInt8(ascii: "/") }
            if let colon = segment.firstIndex(of: UInt8(ascii: ":")) {
                throw URIViolation(kind: .colonInFirstSegment, offset: colon, detail: Array(segment[..<colon]))
            }
        }
        try check(ranges.path) { $0.isPathByte || $0 == UInt8(ascii: "/") }
        if let query = ranges.query { try check(query) { $0.isPathOrQueryByte } }
        if let fragment = ranges.fragment { try check(fragment) { $0.isPathOrQueryByte } }
    }

    private func check(_ range: Range<Int>, isLegal: (UInt8) -> Bool) throws(URIViolation) {
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if isLegal(byte) {
                index += 1
            } else if byte == UInt8(ascii: "%") {
                guard HostSyntax.isEscape(bytes.span.extracting(index..<range.upperBound), at: 0) else {
                    let end = min(index + 3, range.upperBound)
                    throw URIViolation(kind: .badPercentEscape, offset: index, detail: Array(bytes[index..<end]))
                }
                index += 3
            } else {
                throw URIViolation(kind: .illegalCharacter, offset: index, detail: [byte])
            }
        }
    }
}
