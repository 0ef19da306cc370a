import ProctorProgram
import Testing

struct LaunchTests {
    private func assignment(launchesAt launches: Set<Int>, stepCount: Int = 5) -> Assignment {
        let steps = (0..<stepCount).map { index in
            var step = Assignment.Step(url: "http://127.0.0.1/\(index)")
            step.isLaunch = launches.contains(index)
            return step
        }
        var assignment = Assignment(scenario: "a/b", caseName: "c", base: "http://127.0.0.1", steps: steps)
        assignment.session.endAt = .afterResume
        assignment.session.cache = 7
        return assignment
    }

    @Test func `a program without a launch is one assignment, as it was`() {
        let whole = assignment(launchesAt: [])
        #expect(!whole.hasLaunches)
        #expect(whole.launches(storage: "/kept") == [whole])
    }

    @Test func `each process has the steps up to the next launch, one folder, and the number of steps before`() {
        let parts = assignment(launchesAt: [2, 4]).launches(storage: "/kept")
        #expect(parts.map { $0.steps.map(\.url.last) } == [["0", "1"], ["2", "3"], ["4"]])
        #expect(parts.map(\.storage) == ["/kept", "/kept", "/kept"])
        #expect(parts.map(\.earlierSteps) == [nil, 2, 4])
        #expect(parts.allSatisfy { !$0.hasLaunches && $0.session.cache == 7 })
        // The moment is one of the program's first step.
        #expect(parts.map(\.session.endAt) == [.afterResume, nil, nil])
    }

    @Test func `an assignment whose very first step is a launch is one process`() {
        let parts = assignment(launchesAt: [0], stepCount: 2).launches(storage: "/kept")
        #expect(parts.map(\.steps.count) == [2])
    }
}
