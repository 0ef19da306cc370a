import ProctorHTTP
import ProctorTrace

/// What a guard said, as timelines and findings write it.
enum GuardText {
    /// One sentence; what was wrong follows in ``details(of:)``.
    static func sentence(_ verdict: GuardVerdict) -> String {
        let name = "guard \(text(GuardVerdict.shown(verdict.guardName)))"
        switch verdict.outcome {
        case .admitted:
            return verdict.isOfCredential
                ? "\(name) admits \(credential(verdict))"
                : "\(name) admits the request: its connection was admitted before"
        case .challenged: return "\(name) asks for \(text(verdict.field))"
        case .refused: return "\(name) refuses \(credential(verdict))\(kinds(verdict))"
        case .stale: return "\(name) gives a fresh nonce: only that of \(credential(verdict)) is too old"
        case .continued: return "\(name) answers \(credential(verdict)) with its own"
        case .gaveUp:
            guard verdict.isOfCredential else { return "\(name) asks no more" }
            return "\(name) refuses \(credential(verdict)) and asks no more\(kinds(verdict))"
        }
    }

    /// Each fault and remark with its sentence and section, one a line; nothing that came is cut short within reason.
    static func details(of verdict: GuardVerdict) -> [String] {
        verdict.faults.map { text($0.description, limit: 1_000) }
            + verdict.remarks.map { "remark: \(text($0.description, limit: 1_000))" }
    }

    /// `Digest credential 2 of "user", nc 1`.
    static func credential(_ verdict: GuardVerdict) -> String {
        let scheme = verdict.scheme.map { "\(text($0)) " } ?? ""
        let kind = verdict.outcome == .continued ? "message" : "credential"
        let user = verdict.user.map { " of \(WireText.quoted($0.utf8))" } ?? ""
        let count = verdict.nonceCount.map { ", nc \($0)" } ?? ""
        return "\(scheme)\(kind) \(verdict.attempt)\(user)\(count)"
    }

    private static func kinds(_ verdict: GuardVerdict) -> String {
        let kinds = verdict.faults.map(\.kind.rawValue)
        return kinds.isEmpty ? "" : ": \(kinds.joined(separator: ", "))"
    }

    private static func text(_ text: String, limit: Int = 200) -> String { EventText.printable(text, limit: limit) }
}
