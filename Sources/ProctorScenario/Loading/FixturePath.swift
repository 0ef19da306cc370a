/// A file or folder of scenarios, and what stands before their ids.
package struct FixturePath: Sendable {
    package let path: String
    /// Empty, or words of an id with a slash at the end: the scenario `a.yaml` of the folder is then `prefix` + `a`.
    package let prefix: String

    package init(_ path: String, prefix: String = "") {
        self.path = path
        self.prefix = prefix
    }
}
