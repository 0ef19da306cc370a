internal import ProctorBase
package import ProctorEvents
internal import ProctorProgram

/// An object that only a delegate owns, so that its release shows the delegate's: it records `delegateReleased` (R65).
package final class DelegateToken: Sendable {
    private let recorder: TraceRecorder
    private let owner: Owner

    /// The session or load that holds the delegate.
    package struct Owner: Sendable, Equatable {
        let number: Int
        /// nil for a session.
        let family: CallbackFamily?

        package static func session(_ number: Int) -> Owner { Owner(number: number, family: nil) }

        /// The connection or download of a step.
        package static func load(_ number: Int, _ family: CallbackFamily) -> Owner {
            Owner(number: number, family: family)
        }

        fileprivate func event(_ argument: String? = nil, facts: EventFacts = []) -> TraceEvent {
            TraceEvent(
                lane: .harness, task: number, name: .delegateReleased, argument: argument, family: family, facts: facts)
        }
    }

    package init(of owner: Owner, recordingTo recorder: TraceRecorder) {
        (self.owner, self.recorder) = (owner, recorder)
    }

    deinit { recorder.record(owner.event()) }

    /// How long a delegate may be held after the end.
    package static let patience = Duration.seconds(1)

    /// Waits until the owner releases its delegate, at most until `end`, an instant of ``MonotonicClock``.
    ///
    /// Records `delegateReleased(not-in-time)` when it is still held after ``patience``.
    package static func waitForRelease(
        by owner: Owner, before end: UInt64, recordingTo recorder: TraceRecorder
    ) async {
        let event = await recorder.event(within: min(.left(until: end), patience)) {
            $0.name == .delegateReleased && $0.task == owner.number && $0.family == owner.family
        }
        guard event == nil else { return }
        recorder.record(
            owner.event(EventVocabulary.notInTime, facts: [EventFact(.ms, .integer(patience.wholeMilliseconds))]))
    }
}
