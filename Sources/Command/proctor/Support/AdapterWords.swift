internal import ProctorExam
internal import ProctorExamClients

/// The command of an adapter where it stands in one argument.
enum AdapterWords {
    /// Parted at blanks, with quotation marks and backslashes as in a POSIX shell; `option` names the argument in the error.
    static func split(_ line: String, option: String) throws(UsageError) -> [String] {
        do throws(CommandTemplate.Mistake) {
            return try CommandTemplate.plainWords(of: line)
        } catch {
            throw UsageError("\(option): \(error)")
        }
    }
}
