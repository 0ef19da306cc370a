#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Where files go that nobody is to find again.
package enum TemporaryFolder {
    /// `TMPDIR`, or `/tmp` where that is missing or empty: an empty path would mean the root.
    package static var path: String { path(ofVariable: unsafe getenv("TMPDIR").map { unsafe String(cString: $0) }) }

    /// The same of a value that is at hand.
    static func path(ofVariable value: String?) -> String {
        if let value, !value.isEmpty { value } else { "/tmp" }
    }
}
