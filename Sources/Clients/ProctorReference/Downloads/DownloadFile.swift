internal import ProctorBase

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A new file for a download; removed when this object is released, unless ``retain()`` was called.
package final class DownloadFile: Sendable {
    /// The absolute path of the file, which only this user may read.
    package let path: String
    private let limit: Int
    private let state: Locked<State>

    private struct State {
        /// The descriptor; -1 when closed.
        var descriptor: Int32
        var byteCount = 0
        var isKept = false
    }

    /// Makes an empty file with a new name; `limit` is its greatest size in bytes.
    package convenience init(in folder: String, limit: Int) throws(LoadError) {
        do throws(CallFailure) {
            let (path, descriptor) = try NewFile.open(in: folder, named: "proctor-download-")
            self.init(path: path, descriptor: descriptor, byteCount: 0, limit: limit)
        } catch {
            throw LoadError(
                .cannotCreateFile,
                "no file can be made in \"\(folder)\": \(error.text); name a folder that can be written to")
        }
    }

    /// Takes ownership of an open descriptor whose offset is at the file's end.
    init(path: String, descriptor: Int32, byteCount: Int, limit: Int) {
        (self.path, self.limit) = (path, limit)
        state = Locked(State(descriptor: descriptor, byteCount: byteCount))
    }

    deinit {
        finish()
        if !isKept { remove() }
    }

    package var byteCount: Int { state.withLock { $0.byteCount } }

    package func append(_ bytes: [UInt8]) throws(LoadError) {
        try state.withLock { state throws(LoadError) in
            guard limit - state.byteCount >= bytes.count else {
                throw LoadError(
                    .dataLengthExceedsMaximum, "the download is longer than the \(limit) bytes that a file may have")
            }
            let (count, failure) = FullWrite.write(bytes, to: state.descriptor)
            state.byteCount += count
            if let failure { throw LoadError(.cannotWriteToFile, "\"\(path)\" can't be written: \(failure.text)") }
        }
    }

    func empty() throws(LoadError) {
        try state.withLock { state throws(LoadError) in
            guard ftruncate(state.descriptor, 0) == 0, lseek(state.descriptor, 0, SEEK_SET) == 0 else {
                let failure = CallFailure.system("ftruncate")
                throw LoadError(.cannotWriteToFile, "\"\(path)\" can't be emptied: \(failure.text)")
            }
            state.byteCount = 0
        }
    }

    /// Closes the file for writing; the file is not removed.
    func finish() {
        let descriptor = state.withLock { state in
            defer { state.descriptor = -1 }
            return state.descriptor
        }
        if descriptor >= 0 { _ = close(descriptor) }
    }

    func retain() { state.withLock { $0.isKept = true } }

    /// Removes the file after its callback has returned, unless it is kept or was moved.
    func expire() {
        let isKept = state.withLock { state in
            defer { state.isKept = true }
            return state.isKept
        }
        if !isKept { remove() }
    }

    /// Removes the file; does nothing when it was moved.
    func remove() { _ = unsafe unlink(path) }

    private var isKept: Bool { state.withLock { $0.isKept } }
}

/// A deliberate fault with the files of downloads, by the label of its breakage; `faults.tsv` says what each does.
package enum DownloadFault: String, Sendable, CaseIterable {
    case keepsFailedFile = "file-of-a-failure-stays"
    case overwrites = "file-is-overwritten"
    case resumesWhatWasDecoded = "decoded-file-is-resumed"
    case losesResumeData = "no-resume-data"
    case keepsTemporaryFile = "temporary-file-stays"
    /// Treats a cancel in the callback of a redirect as a refusal of the redirect.
    case goesOnAfterCancel = "R6b"
}

extension DownloadFile: Equatable {
    package static func == (left: DownloadFile, right: DownloadFile) -> Bool { left === right }
}

extension DownloadFile {
    /// Makes a new file at a path of the user; replaces an existing file, or keeps it and adds a number to the new
    /// name.
    static func create(at path: String, overwriting: Bool, limit: Int) throws(LoadError) -> DownloadFile {
        for number in 0...(overwriting ? 0 : mostNumbers) {
            let candidate = number == 0 ? path : numbered(path, number)
            let mode = overwriting ? O_TRUNC : O_EXCL
            let descriptor = FileCalls.open(candidate, O_WRONLY | O_CREAT | O_CLOEXEC | mode, 0o644)
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

    private static let mostNumbers = 1_000

    /// `a.txt` becomes `a-1.txt`.
    private static func numbered(_ path: String, _ number: Int) -> String {
        let start = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        guard let dot = path[start...].lastIndex(of: "."), dot != start else { return "\(path)-\(number)" }
        return "\(path[..<dot])-\(number)\(path[dot...])"
    }
}
