/// A C library that the program uses, and its version at run time; each module that uses a library lists it.
package struct LibraryVersion: Sendable {
    package let name: StaticString
    /// The version in the library's own form, such as `3.0.17`.
    package let version: String

    package init(_ name: StaticString, _ version: String) {
        (self.name, self.version) = (name, version)
    }

    /// `version` must be nil or end with a NUL.
    @unsafe package init(_ name: StaticString, _ version: UnsafePointer<CChar>?) {
        self.init(name, unsafe version.map { unsafe String(cString: $0) } ?? "unknown")
    }
}
