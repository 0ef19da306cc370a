package enum PageStyle {
    /// The look of all pages: for small screens first, dark and light; nothing is fetched from other hosts.
    ///
    /// Text has a contrast of at least 4.5 against what stands below it.
    package static let base = HTML(markup: PackageResources.base_css)

    /// Blue and orange differ for all kinds of colour blindness; each mark has a sign besides.
    package static let tones = HTML(markup: PackageResources.tones_css)
}
