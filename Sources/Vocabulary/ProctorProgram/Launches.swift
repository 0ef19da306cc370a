/// A program with launches is performed by several processes of the client, one after the other.
extension Assignment {
    /// Whether the client's process ends within the program, and is started again.
    package var hasLaunches: Bool { steps.contains(where: \.isLaunch) }

    /// One assignment for each process, in their order; the assignment alone where the program has no launch.
    ///
    /// All have the same `storage`, the path of a folder. The session is set up anew in each process, and ends at
    /// `endAt` in the first one alone, whose first step is meant. Each process has the whole deadline.
    package func launches(storage: String) -> [Assignment] {
        guard hasLaunches else { return [self] }
        let starts = [0] + steps.indices.dropFirst().filter { steps[$0].isLaunch }
        let ends = starts.dropFirst() + [steps.count]
        return zip(starts, ends).map { start, end in
            var part = self
            part.steps = Array(steps[start..<end])
            part.steps[0].isLaunch = false
            part.storage = storage
            part.earlierSteps = start == 0 ? nil : start
            if start > 0 { part.session.endAt = nil }
            return part
        }
    }
}
