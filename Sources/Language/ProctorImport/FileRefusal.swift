/// Why a file that a source names is not read, as the rest of a sentence that begins with its name.
package struct FileRefusal: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
