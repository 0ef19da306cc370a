/// The WebSocket of a script as channels know it; on its loop's thread only.
final class ScriptedSocket {
    private let channels: ScriptChannels
    private let wake: @Sendable () -> Void
    /// Nil until a channel is joined.
    private(set) var member: Int?

    /// `wake` is called from any thread when a message of a channel has come.
    init(_ channels: ScriptChannels, wake: @escaping @Sendable () -> Void) {
        (self.channels, self.wake) = (channels, wake)
    }

    /// Returns why it can't join, or nil after success.
    func join(_ name: [UInt8]) -> String? {
        let member = member ?? channels.addMember(wake)
        self.member = member
        return channels.join(name, member)
    }

    /// The next message of a channel that it has joined.
    func takeArrival() -> ScriptChannels.Arrival? { member.flatMap { channels.takeArrival(for: $0) } }

    /// Leaves all channels.
    func leaveChannels() {
        if let member { channels.removeMember(member) }
        member = nil
    }
}
