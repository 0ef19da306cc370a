internal import ProctorBase
package import ProctorHTTP

extension RequestHead {
    package var readsPages: Bool { hasMethod("GET") || hasMethod("HEAD") }

    /// Browsers name it in Accept; curl and libraries do not.
    package var wantsHTML: Bool {
        fields.values(named: "Accept").contains { String(decoding: $0, as: UTF8.self).contains(text: "text/html") }
    }

    /// The value of Host; nil where it is not valid in a URL.
    package var statedAuthority: [UInt8]? {
        guard let host = fields.first(named: "Host").map({ Array($0) }), StageAddresses.isAuthority(host) else {
            return nil
        }
        return host
    }
}
