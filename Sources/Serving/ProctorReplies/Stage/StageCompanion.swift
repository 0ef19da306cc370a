/// What others keep for a stage as long as it lives, and of which the stage knows nothing.
package protocol StageCompanion: AnyObject, Sendable {
    /// The stage begins anew, with an empty journal; under the stage's lock.
    func reset()
}
