/// The fields by which browsers hold pages of the server to what the server itself sends.
enum PageSecurity {
    /// Pages load scripts and styles of the server alone, call the server alone, and stand in no frame.
    ///
    /// Neither scripts nor styles stand in a page itself. Fixtures and clients write what pages show: markup in it that
    /// is not escaped by mistake runs nothing.
    static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; "
        + "frame-ancestors 'none'; base-uri 'none'; form-action 'self'"

    /// The fields of a reply of the server itself.
    static func fields(of contentType: String) -> [(name: String, value: String)] {
        contentType.hasPrefix("text/html") ? ofPages : ofAll
    }

    private static let ofAll = [(name: "X-Content-Type-Options", value: "nosniff")]

    /// Without a referrer for ourselves, browsers would send forms with `Origin: null`, which the gate refuses.
    private static let ofPages =
        ofAll + [
            ("Content-Security-Policy", policy), ("Referrer-Policy", "same-origin"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
        ]
}
