/// A file or folder of scenarios, and what stands before their ids.
package struct FixturePath: Sendable {
    package let path: String
    /// Empty, or words of an id with a slash at the end: the scenario `a.yaml` of the folder is then `prefix` + `a`.
    package let prefix: String
    /// A scenario of a path with a lower rank takes the place of one with the same id here, and of those that would share addresses.
    package let rank: Int

    package init(_ path: String, prefix: String = "", rank: Int = 0) {
        self.path = path
        self.prefix = prefix
        self.rank = rank
    }
}
