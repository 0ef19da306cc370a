/// The limits of a record; longer texts end in `…`, and longer lists say how many items were left out.
package enum RecordBounds {
    /// The most characters of a sentence, a reason or a curl line.
    package static let sentence = 4_000
    /// The most characters of a line: a detail, a line of standard error, the text of an event.
    package static let line = 500
    /// The most findings of a case.
    package static let findings = 100
    /// The most lines below a finding.
    package static let details = 100
    /// The most events of a timeline; a longer one keeps its beginning, its end and the marked places.
    package static let events = 200
    /// The most lines below an event.
    package static let fields = 40
    /// The number of first lines of standard error.
    package static let firstErrorLines = 5
    /// The number of last lines of standard error.
    package static let errorLines = 10
    /// The most claims, sentences or names in one list.
    package static let entries = 200
    /// The most bytes of one line in a file of records; a longer line is refused.
    package static let lineBytes = 4 << 20
    /// The most cases of all exams in a file.
    package static let cases = 1_000_000
}
