/// What a record keeps at most; longer texts end in `…`, and longer lists say how many were left out.
package enum RecordBounds {
    /// Characters of a sentence, a reason or a curl line.
    package static let sentence = 4_000
    /// Characters of a line: a detail, a line of standard error, the text of an event.
    package static let line = 500
    /// Findings of a case.
    package static let findings = 100
    /// Lines below a finding.
    package static let details = 100
    /// Events of a timeline; of a longer one the beginning, the end and the marked places are kept.
    package static let events = 200
    /// Lines below an event.
    package static let fields = 40
    /// Last lines of standard error.
    package static let errorLines = 10
    /// Claims, sentences and names of one kind.
    package static let entries = 200
    /// Bytes of one line of a file of records; a longer one is refused.
    package static let lineBytes = 4 << 20
    /// Cases of all exams of a file.
    package static let cases = 1_000_000
}
