internal import ProctorBase
internal import ProctorJournal

extension Output {
    /// The file of `--journal`; what can't be written later is printed.
    func openJournal(_ path: String, byteLimit: Int = JournalFile.usualByteLimit) throws(InputFailure) -> JournalFile {
        do throws(CallFailure) {
            return try JournalFile(path: path, byteLimit: byteLimit) { message($0) }
        } catch {
            throw InputFailure("--journal \(path) can't be written: \(error.obstacle(to: path))")
        }
    }

    /// Whether the journal file of a command that ends, if it has one, has all lines; prints what it has not.
    ///
    /// Of a file that is at its bound of bytes nothing is lost, and what is left out is told.
    func isWhole(_ file: JournalFile?, byteLimit: Int = JournalFile.usualByteLimit) -> Bool {
        guard let file else { return true }
        file.flush()
        let condition = file.condition
        if condition.leftOutLineCount > 0 {
            message(
                "\(Plural.count(condition.leftOutLineCount, "line")) of the journal \(file.path) left out, for it has its "
                    + "bound of \(byteLimit >> 20) MiB (--journal-limit)")
        }
        guard condition.lostLineCount > 0 else { return true }
        let reason = condition.failure.map { ": \($0)" } ?? ""
        message(
            "\(Plural.count(condition.lostLineCount, "line")) of the journal \(file.path) could not be written\(reason)"
        )
        return false
    }
}
