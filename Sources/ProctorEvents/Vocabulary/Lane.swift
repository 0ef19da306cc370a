/// An observer whose events have an order among themselves; between lanes there is none.
public enum Lane: String, Sendable, Hashable, CaseIterable {
    /// What delegates are told of one task, connection or download.
    case task
    /// Delegate callbacks that name no task.
    case session
    /// What the loading system calls on a URLProtocol object.
    case proto
    /// What a URLProtocol calls on its client.
    case protocolClient
    /// What completion handlers and `await` gave back.
    case handler
    /// What the test itself did.
    case harness
    /// What the server saw.
    case wire

    /// The lane a fixture key speaks for: `task`, `task[2]` and `download` are all lane `task`;
    /// nil for no lane's key.
    public init?(fixtureKey key: String) {
        var name = Array(key.utf8)
        if name.last == UInt8(ascii: "]"), let bracket = name.firstIndex(of: UInt8(ascii: "[")) {
            let index = name[(bracket + 1)..<(name.count - 1)]
            guard !index.isEmpty, index.count <= 6, index.allSatisfy({ 0x30...0x39 ~= $0 }) else { return nil }
            name.removeSubrange(bracket...)
            guard ["task", "download", "handler"].contains(where: { name == Array($0.utf8) }) else { return nil }
        }
        if name == Array("download".utf8) {
            self = .task
        } else if let lane = Lane(rawValue: String(decoding: name, as: UTF8.self)) {
            self = lane
        } else {
            return nil
        }
    }
}
