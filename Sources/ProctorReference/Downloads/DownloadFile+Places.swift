internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension DownloadFile {
    /// A new file at a path of the user's: what is there is replaced, or kept and the new one gets a number in its name.
    ///
    /// A link that has the name is never followed, unless it is to be replaced.
    static func create(at path: String, overwriting: Bool, limit: Int) throws(LoadError) -> DownloadFile {
        for number in 0...(overwriting ? 0 : mostNumbers) {
            let candidate = number == 0 ? path : numbered(path, number)
            let mode = overwriting ? O_TRUNC : O_EXCL
            let descriptor = unsafe open(candidate, O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0o644)
            if descriptor >= 0 {
                return DownloadFile(path: candidate, descriptor: descriptor, byteCount: 0, limit: limit)
            }
            let failure = CallFailure.system("open")
            guard failure.code == EEXIST else {
                throw LoadError(
                    .cannotCreateFile,
                    "\"\(candidate)\" can't be made: \(failure.text); name a file in a folder that can be written to")
            }
        }
        throw LoadError(
            .cannotCreateFile,
            "\"\(path)\" and the \(mostNumbers) numbered names after it are taken; name another file")
    }

    /// Names that are tried after the one that was wanted.
    private static let mostNumbers = 1_000

    /// `a.txt` becomes `a-1.txt`.
    private static func numbered(_ path: String, _ number: Int) -> String {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[start...].lastIndex(of: "."), dot != start else { return "\(path)-\(number)" }
        return "\(path[..<dot])-\(number)\(path[dot...])"
    }
}
