extension RuleTable {
    /// R34 to R58, and what Linux was recorded to do.
    static let secondHalf: [RuleRow] = downloadRows + endRows + threadRows + protocolRows + apiShapeRows + linuxRows
}
