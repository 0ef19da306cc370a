/// An observer whose events have an order among themselves; events of different lanes have none.
public enum Lane: String, Sendable, Hashable, CaseIterable {
    /// Delegate callbacks for one task, connection or download.
    case task
    /// Delegate callbacks that name no task.
    case session
    /// Calls of the loading system on a URLProtocol object.
    case proto
    /// Calls of a URLProtocol on its client.
    case protocolClient
    /// Results of completion handlers and of `await`.
    case handler
    /// Acts of the test itself.
    case harness
    /// Requests and replies that the server saw.
    case wire

    /// The lane of a fixture key: `task`, `task[2]` and `download` are all lane `task`; nil for a key without a lane.
    package init?(fixtureKey key: String) {
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
