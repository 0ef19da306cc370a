/// How the server of DNS of a scenario replies.
package protocol NameServerProgram: Sendable {
    /// The origins whose addresses it says of a name, in the order of the file.
    var addresses: [(name: String, origins: [Int])] { get }
}
