internal import ProctorTrace

/// Where the trace of one load stands within that of a whole program.
package struct TracePlace: Sendable {
    /// Takes the events of other loads too, one after the other.
    package var recorder: TraceRecorder
    /// The number of the step; nothing is recorded of it behind its `result`.
    package var task: Int
    /// The number of the first object; objects count through all steps, because rules know them by it.
    package var firstObject: Int

    /// A trace of its own, where nothing else is said.
    package init(recorder: TraceRecorder = TraceRecorder(), task: Int = 0, firstObject: Int = 0) {
        self.recorder = recorder
        self.task = task
        self.firstObject = firstObject
    }

    /// The place of the step that follows on this one, whose objects are numbered behind all so far.
    package var next: TracePlace {
        let last = recorder.events.lazy.compactMap(\.object).max()
        return TracePlace(recorder: recorder, task: task + 1, firstObject: last.map { $0 + 1 } ?? firstObject)
    }
}
