/// The names of things that stand in files of their own, as they are read.
///
/// A reference, because they are found in many places; for one thread at a time.
final class MentionList {
    private(set) var all: [Scenario.Mention] = []

    func add(_ mention: Scenario.Mention) {
        all.append(mention)
    }
}
