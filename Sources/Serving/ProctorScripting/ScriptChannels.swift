internal import ProctorBase
internal import ProctorScript

/// The channels of a run, over which scripts send messages to the WebSockets of other scripts; safe from any thread.
///
/// A message goes to all others that have joined its channel. One for a channel that nobody has joined is kept for the
/// first that joins.
final class ScriptChannels: Sendable {
    private let state = Locked(State())

    /// A message and the name of its channel.
    struct Arrival: Sendable {
        let channel: [UInt8]
        let message: ScriptMessage

        fileprivate var byteCount: Int { message.content.count }
    }

    fileprivate struct Member {
        var channels: Set<[UInt8]> = []
        var inbox = Inbox()
        let wake: @Sendable () -> Void
    }

    /// What waits for a member, in the order in which it came.
    fileprivate struct Inbox {
        /// Nil where it was taken.
        private var arrivals: [Arrival?] = []
        private var start = 0

        var count: Int { arrivals.count - start }
        var byteCount: Int { arrivals[start...].reduce(0) { $0 + ($1?.byteCount ?? 0) } }

        mutating func append(_ more: [Arrival]) { arrivals += more }

        mutating func takeFirst() -> Arrival? {
            guard start < arrivals.count else { return nil }
            let first = arrivals[start].take()
            start += 1
            if 2 * start >= arrivals.count {
                arrivals.removeFirst(start)
                start = 0
            }
            return first
        }
    }

    fileprivate struct State {
        var members: [Int: Member] = [:]
        var nextMember = 0
        /// The messages that wait for the first member of a channel, by the channel's name; no list is empty.
        var kept: [[UInt8]: [Arrival]] = [:]
        /// The bytes of all messages that wait.
        var byteCount = 0
    }

    /// The most messages that wait for one member, or for the first member of a channel.
    fileprivate static let messageLimit = 100_000
    /// The most bytes of messages that wait in all channels of a run.
    fileprivate static let byteLimit = 16 << 20
    /// The most channels for which messages are kept, and which one member has joined.
    fileprivate static let channelLimit = 256
    private static let nameByteLimit = 1_024

    /// `wake` is called from any thread when something has come for the member, also where the member waits for nothing.
    func addMember(_ wake: @escaping @Sendable () -> Void) -> Int {
        state.withLock { state in
            defer { state.nextMember += 1 }
            state.members[state.nextMember] = Member(wake: wake)
            return state.nextMember
        }
    }

    /// Drops what still waits for the member.
    func removeMember(_ number: Int) {
        state.withLock { state in
            state.byteCount -= state.members.removeValue(forKey: number)?.inbox.byteCount ?? 0
        }
    }

    /// Returns why the member can't join, or nil after success; it gets what was kept for the channel.
    func join(_ name: [UInt8], _ number: Int) -> String? {
        Self.refusal(of: name) ?? state.withLock { $0.join(name, number) }
    }

    /// Returns how many members get the message; `sender` is none of them.
    func send(_ message: ScriptMessage, to name: [UInt8], by sender: Int?) -> Result<Int64, ScriptFailure> {
        if let refusal = Self.refusal(of: name) { return .failure(ScriptFailure(refusal)) }
        let outcome = state.withLock { $0.send(Arrival(channel: name, message: message), by: sender) }
        return outcome.map { wakes in
            // Not under the lock: a member calls its loop.
            for wake in wakes { wake() }
            return Int64(wakes.count)
        }
    }

    /// The next message for the member; nil where none waits.
    func takeArrival(for number: Int) -> Arrival? {
        state.withLock { state in
            guard let arrival = state.members[number]?.inbox.takeFirst() else { return nil }
            state.byteCount -= arrival.byteCount
            return arrival
        }
    }

    /// Drops all messages; members stay.
    func reset() {
        state.withLock { state in
            state.kept = [:]
            for number in state.members.keys { state.members[number]?.inbox = Inbox() }
            state.byteCount = 0
        }
    }

    private static func refusal(of name: [UInt8]) -> String? {
        1...nameByteLimit ~= name.count
            ? nil : "the name of a channel has 1 to \(nameByteLimit) bytes, found \(name.count)"
    }
}

extension ScriptChannels.State {
    fileprivate mutating func join(_ name: [UInt8], _ number: Int) -> String? {
        guard var member = members[number], !member.channels.contains(name) else { return nil }
        guard member.channels.count < ScriptChannels.channelLimit else {
            return "a script joins \(ScriptChannels.channelLimit) channels at most"
        }
        member.channels.insert(name)
        member.inbox.append(kept.removeValue(forKey: name) ?? [])
        members[number] = member
        return nil
    }

    /// What wakes those that get it.
    fileprivate mutating func send(
        _ arrival: ScriptChannels.Arrival, by sender: Int?
    ) -> Result<[@Sendable () -> Void], ScriptFailure> {
        let joined = members.filter { $0.value.channels.contains(arrival.channel) }
        let others = joined.filter { $0.key != sender }
        if let refusal = refusal(of: arrival, for: joined.isEmpty ? nil : others.values.map(\.inbox.count)) {
            return .failure(ScriptFailure(refusal))
        }
        if joined.isEmpty { kept[arrival.channel, default: []].append(arrival) }
        for number in others.keys { members[number]?.inbox.append([arrival]) }
        byteCount += arrival.byteCount * (joined.isEmpty ? 1 : others.count)
        return .success(others.values.map(\.wake))
    }

    /// `counts`: the messages that wait for each of those that get it; nil: nobody has joined.
    private func refusal(of arrival: ScriptChannels.Arrival, for counts: [Int]?) -> String? {
        let most = ScriptChannels.messageLimit
        guard byteCount + arrival.byteCount * (counts?.count ?? 1) <= ScriptChannels.byteLimit else {
            return "the channels of the run hold \(byteCount) bytes that no script has received; "
                + "at most \(ScriptChannels.byteLimit) are permitted"
        }
        if let counts {
            return counts.contains { $0 >= most } ? "a script that has joined has not received \(most) messages" : nil
        }
        guard let waiting = kept[arrival.channel] else {
            return kept.count < ScriptChannels.channelLimit
                ? nil : "messages wait in \(ScriptChannels.channelLimit) channels that no script has joined"
        }
        return waiting.count < most ? nil : "\(most) messages wait for the first script that joins"
    }
}
