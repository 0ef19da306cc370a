/// A file or folder of scenarios, and what stands before their ids.
package struct FixturePath: Sendable {
    package let path: String
    /// Empty, or words of an id with a slash at the end: the scenario `a.yaml` of the folder is then `prefix` + `a`.
    package let prefix: String
    /// Whether a scenario of another path takes the place of one with the same id here.
    package let isReplaceable: Bool

    package init(_ path: String, prefix: String = "", isReplaceable: Bool = false) {
        self.path = path
        self.prefix = prefix
        self.isReplaceable = isReplaceable
    }
}
