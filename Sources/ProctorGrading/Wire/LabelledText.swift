/// Lines below a finding, in the form in which a diagnosis of an expression prints its own.
enum LabelledText {
    /// `  label   : text`, and further lines below the first.
    static func lines(_ label: String, _ lines: [String]) -> [String] {
        lines.enumerated().map { index, line in
            let head = index == 0 ? label : ""
            let gap = String(repeating: " ", count: max(0, 8 - head.count))
            return "  \(head)\(gap)\(index == 0 ? ": " : "  ")\(line)"
        }
    }
}
