/// The forms of other tools in which a scenario can be written.
package enum ExportKind: String, Sendable, CaseIterable {
    case wiremock, har, curl

    /// What is written, for help.
    package var sentence: String {
        switch self {
        case .wiremock: "mappings of WireMock, for /__admin/mappings/import"
        case .har: "an HTTP Archive with an entry for each reply"
        case .curl: "a line of curl for each exchange"
        }
    }
}

/// A scenario in another tool's form, and what that can't say.
package struct Exported: Sendable {
    package let text: String
    package let remarks: ImportRemarks
}
