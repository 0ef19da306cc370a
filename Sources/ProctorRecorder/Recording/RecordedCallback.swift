package import ProctorTrace

/// A callback that was written down when it began, to be written down again when it returns.
package struct RecordedCallback: Sendable {
    /// As it was recorded, with its number, time and thread.
    package let begin: TraceEvent
    private let recorder: TraceRecorder

    /// Writes the beginning.
    package init(_ event: TraceEvent, recordedBy recorder: TraceRecorder) {
        self.recorder = recorder
        begin = recorder.record(event)
    }

    /// Writes the return, without the facts.
    package func returns() { recorder.recordReturn(of: begin) }
}

extension TraceRecorder {
    /// Writes down that the callback of an event returned.
    package func recordReturn(of event: TraceEvent) {
        var end = event
        end.phase = .exit
        end.facts = []
        record(end)
    }
}
