/// Where the trace of one load stands within that of a whole program.
struct TracePlace {
    /// Takes the events of this load and of nothing else.
    var recorder = TraceRecorder()
    /// The number of the step.
    var task = 0
    /// The number of the first object; objects count through all steps, because rules know them by it.
    var firstObject = 0
}
