import ProctorScenario

/// A file or folder of scenarios, and the prefix of their ids.
package struct FixturePath: Sendable {
    package let path: String
    /// Empty, or words of an id with a slash at the end: the id of `a.yaml` in the folder is then `prefix` + `a`.
    package let prefix: String
    /// A scenario from a path with a lower rank replaces scenarios here with the same id, or with ids that would have
    /// the same URLs.
    package let rank: Int

    package init(_ path: String, prefix: String = "", rank: Int = 0) {
        (self.path, self.prefix, self.rank) = (path, prefix, rank)
    }
}
