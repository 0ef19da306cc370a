import ProctorBase

/// The methods of RFC 9110 §9.3 and RFC 5789 §2.
enum RegisteredMethods {
    private static let names = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"]

    /// The first of `methods` that is a registered one but for the case of its letters, where that one is not among them, and
    /// how it is registered.
    static func misspelt(_ methods: [[UInt8]]) -> (found: String, meant: String)? {
        // Nearly all are in capitals.
        for method in methods where method.contains(where: { $0.asciiLowercased == $0 }) {
            let folded = method.map(\.asciiLowercased)
            guard let meant = names.first(where: { $0.utf8.elementsEqual(folded, by: { $0.asciiLowercased == $1 }) }),
                !methods.contains(where: { $0.elementsEqual(meant.utf8) })
            else { continue }
            return (String(decoding: method, as: UTF8.self), meant)
        }
        return nil
    }
}
