import ProctorHTTP

extension Template {
    /// Appends the text with everything late-bound filled in; an origin the context does not know adds nothing.
    public func render(in context: TemplateContext, into bytes: inout [UInt8]) {
        for part in parts {
            switch part {
            case .literal(let literal): bytes += literal
            case .base: bytes += context.base
            case .origin(let index):
                bytes += Array(context.scheme(index).rawValue.utf8)
                bytes += Array("://".utf8)
                bytes += context.authority(index)
            case .authority(let index): bytes += context.authority(index)
            case .host(let index): bytes += context.hostAndPort(index).host
            case .port(let index): bytes += context.hostAndPort(index).port
            case .now(let offset):
                bytes += HTTPDate.imfFixdate(
                    unixSeconds: context.unixSeconds.addingReportingOverflow(offset).partialValue)
            case .capture(let name): bytes += context.captures[name] ?? []
            }
        }
    }

    /// The text with everything late-bound filled in.
    public func rendered(in context: TemplateContext) -> [UInt8] {
        if parts.count == 1, case .literal(let bytes) = parts[0] { return bytes }
        var bytes: [UInt8] = []
        render(in: context, into: &bytes)
        return bytes
    }
}

extension TemplateContext {
    fileprivate func authority(_ index: Int?) -> [UInt8] {
        let index = index ?? originIndex
        return authorities.indices.contains(index) ? authorities[index] : []
    }

    /// The authority taken apart (RFC 3986 §3.2); colons within brackets belong to an address of IPv6.
    fileprivate func hostAndPort(_ index: Int?) -> (host: [UInt8], port: [UInt8]) {
        let authority = authority(index)
        guard !authority.isEmpty else { return ([], []) }
        let colon = authority.lastIndex { $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: "]") }
        guard let colon, authority[colon] == UInt8(ascii: ":") else {
            return (authority, Array(String(scheme(index).defaultPort).utf8))
        }
        return (Array(authority[..<colon]), Array(authority[(colon + 1)...]))
    }

    fileprivate func scheme(_ index: Int?) -> Origin.Scheme {
        let index = index ?? originIndex
        return schemes.indices.contains(index) ? schemes[index] : .http
    }
}
