import ProctorBase
import ProctorHTTP

/// A method whose letters are not those under which it is registered.
enum MisspeltMethod {
    /// The first of `methods` that is a registered one but for the case of its letters, where that one is not among them, and
    /// how it is registered.
    static func find(in methods: [[UInt8]]) -> (found: String, meant: String)? {
        // Nearly all are in capitals.
        for method in methods where method.contains(where: { $0.asciiLowercased == $0 && $0.isASCIILetter }) {
            let folded = method.map(\.asciiLowercased)
            guard
                let meant = RegisteredMethods.names.first(where: {
                    $0.utf8.elementsEqual(folded, by: { $0.asciiLowercased == $1 })
                }), !methods.contains(where: { $0.elementsEqual(meant.utf8) })
            else { continue }
            return (String(decoding: method, as: UTF8.self), meant)
        }
        return nil
    }
}
