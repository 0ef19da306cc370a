package import ProctorHTTP
package import ProctorJournal

extension FrameViolationNote {
    /// `isReadOver`: the origin accepts anything, so that nothing ends.
    package init<Kind>(_ violation: StreamViolation<Kind>, frame: String, isReadOver: Bool) {
        self.init(
            violation.kind.rawValue, section: violation.section, sentence: violation.sentence, at: violation.offset,
            stream: UInt32(clamping: violation.stream), frame: frame, scope: violation.scope,
            code: violation.code?.description, isReadOver: isReadOver && violation.scope != .none)
    }
}
