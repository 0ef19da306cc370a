/// A fixture file that was found, and where its sidecar files may be.
struct FixtureFile {
    let id: String
    /// As the user would name it.
    let path: String
    /// That the file is in, for sidecar files; nil for a scenario from memory.
    let folder: String?
    /// The real path of the fixture root, which sidecar files must not leave.
    let root: String?
}
