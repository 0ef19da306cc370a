/// Where a scenario can be reached for good.
struct PlaceOfScenario: Sendable {
    /// Without a slash at its end.
    let base: String
    /// Host and port of every origin, in the order of the scenario.
    let authorities: [String]
}
