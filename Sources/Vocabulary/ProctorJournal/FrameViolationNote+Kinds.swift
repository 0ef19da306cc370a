import ProctorBase

extension FrameViolationNote {
    /// Every ``kind`` that the server notes, in the order of its list, which a test compares; fixtures and facts name
    /// them.
    package static let kinds = TableCells.kinds(of: "http2-violations")
}
