extension CaseVerdict {
    /// One JSON object on one line, with a line feed: a ``CaseRecord`` made from the verdict alone.
    package var json: [UInt8] { json(text: nil) }

    /// The verdict as JSON; `text`, for a person, is written as the key `text`, and `report` as the key of that name.
    package func json(text: String?, report: VerdictReport? = nil) -> [UInt8] {
        CaseRecord(self).json(text: text, report: report)
    }
}
