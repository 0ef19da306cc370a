internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension AtomicFile {
    /// Writes a file that a command begins for its user, and makes its folders; throws where there is one already, which stays as it is.
    static func createNew(_ path: String, with bytes: [UInt8]) throws(InputFailure) {
        do throws(CallFailure) {
            try create(path, with: bytes)
        } catch {
            throw InputFailure(
                error.code == EEXIST
                    ? "\(path) is there already, and was left alone" : "\(path) can't be written: \(error.text)")
        }
    }
}
