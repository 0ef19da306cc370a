package import ProctorBase
internal import ProctorImport

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Contents of replies that are too long for a journal, each in a file of a temporary folder, within a bound.
///
/// The folder and its files go with this value.
package final class ContentFiles: Sendable {
    private let folder: String
    /// Bytes of all files together.
    package let byteLimit: Int
    private let state = Locked((byteCount: 0, names: Set<Int>()))

    package init(byteLimit: Int) throws(CallFailure) {
        self.byteLimit = byteLimit
        folder = try TemporaryFolder.make("\(TemporaryFolder.path)/proctor-record-")
    }

    /// Takes room for more bytes; false where the bound does not permit them.
    fileprivate func takeRoom(_ byteCount: Int) -> Bool {
        state.withLock { state in
            guard byteCount <= byteLimit - state.byteCount else { return false }
            state.byteCount += byteCount
            return true
        }
    }

    fileprivate func path(ofRequest number: Int) -> String {
        state.withLock { _ = $0.names.insert(number) }
        return "\(folder)/\(number)"
    }

    /// Removes the file of a request, and gives its room back.
    func remove(_ stored: StoredContent, ofRequest number: Int) { remove(number, byteCount: stored.byteCount) }

    fileprivate func remove(_ number: Int, byteCount: Int) {
        state.withLock { state in
            guard state.names.remove(number) != nil else { return }
            state.byteCount -= byteCount
            unsafe unlink("\(folder)/\(number)")
        }
    }

    deinit {
        for name in state.withLock({ $0.names }) { unsafe unlink("\(folder)/\(name)") }
        unsafe rmdir(folder)
    }
}

/// The content of one reply as it comes: in memory up to what a journal keeps, then in a file; on one thread.
struct ContentSpool: ~Copyable {
    private let files: ContentFiles
    private let number: Int
    private var kept: [UInt8] = []
    private var descriptor: Int32 = -1
    private var path = ""
    private var byteCount = 0
    private var isFinished = false
    /// Why the content is in no file, as the rest of a sentence; nil where it is, or where a journal has it.
    private(set) var loss: String?

    init(of number: Int, in files: ContentFiles) {
        (self.files, self.number) = (files, number)
    }

    /// Without ``finish()`` the file goes with this value.
    deinit {
        guard descriptor >= 0 else { return }
        closeDescriptor(descriptor)
        if !isFinished { files.remove(number, byteCount: byteCount) }
    }

    mutating func append(_ bytes: [UInt8], keepingFirst keptByteLimit: Int) {
        guard loss == nil else { return }
        guard descriptor >= 0 || kept.count + bytes.count > keptByteLimit else {
            kept += bytes
            return
        }
        let more = descriptor >= 0 ? bytes : kept + bytes
        kept = []
        guard files.takeRoom(more.count) else {
            return lose(
                "all contents together are more than \(files.byteLimit) bytes, which --disk may raise")
        }
        byteCount += more.count
        do throws(CallFailure) {
            if descriptor < 0 { try open() }
            if let failure = FullWrite.write(more, to: descriptor).failure { throw failure }
        } catch {
            lose("it can't be written to \(TemporaryFolder.path): \(error.text)")
        }
    }

    private mutating func open() throws(CallFailure) {
        path = files.path(ofRequest: number)
        descriptor = FileCalls.open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw .system("open \(path)") }
    }

    private mutating func lose(_ reason: String) {
        loss = reason
        files.remove(number, byteCount: byteCount)
        if descriptor >= 0 { closeDescriptor(descriptor) }
        descriptor = -1
        byteCount = 0
    }

    /// The file with all that came; nil where a journal has it, and after a loss.
    mutating func finish() -> StoredContent? {
        isFinished = true
        return descriptor >= 0 ? StoredContent(path: path, byteCount: byteCount) : nil
    }
}
