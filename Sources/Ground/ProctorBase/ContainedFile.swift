internal import CFiles

/// A file of the folder `CFiles` that the program contains.
package enum ContainedFile {
    /// The whole file with that path below `CFiles`; a name that stands nowhere is an error of the caller's.
    package static func bytes(of name: String) -> [UInt8] {
        guard let file = unsafe proctor_file_named(name) else { preconditionFailure("no file \(name) in CFiles") }
        return unsafe Array(UnsafeBufferPointer(start: file.pointee.bytes, count: file.pointee.count))
    }
}
