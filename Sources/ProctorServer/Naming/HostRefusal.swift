/// Why a run can't have the addresses that its origins ask for; no client is to be blamed.
public struct HostRefusal: Error, Sendable, Equatable, CustomStringConvertible {
    /// One sentence for a person.
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
