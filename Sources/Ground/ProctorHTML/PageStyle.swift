import ProctorBase

package enum PageStyle {
    /// The style of all pages: for small screens first, dark and light; it loads nothing from other hosts.
    ///
    /// Text has a contrast of at least 4.5 to its background.
    package static let base = HTML(markup: ContainedFile.bytes(of: "Pages/base.css"))

    /// Blue and orange differ for all kinds of colour blindness; each mark also has a sign.
    package static let tones = HTML(markup: ContainedFile.bytes(of: "Pages/tones.css"))

    /// The style sheet of a report: rules for all pages, and rules for reports only.
    package static let ofReports: HTML =
        "\(base)\n\(tones)\n\(HTML(markup: ContainedFile.bytes(of: "Pages/report.css")))"

    /// The style sheet of a matrix.
    package static let ofMatrix: HTML = "\(ofReports)\n\(HTML(markup: ContainedFile.bytes(of: "Pages/matrix.css")))"
}
