import ProctorBase
import Testing

@Suite struct WorkBudgetTests {
    @Test func `steps up to the limit are free, and the next one names the limit`() throws {
        let budget = WorkBudget(stepLimit: 3)
        for _ in 1...3 { try budget.spend() }
        #expect(throws: SpentBudget.steps(limit: 3)) { try budget.spend() }
        #expect(budget.stepCount == 4)
    }

    @Test(arguments: [0, 1, 1_023, 1_024, 1_025, 5_000])
    func `the limit is met exactly, wherever the looks lie`(limit: Int) throws {
        let budget = WorkBudget(stepLimit: limit)
        for _ in 0..<limit { try budget.spend() }
        #expect(throws: SpentBudget.steps(limit: limit)) { try budget.spend() }
    }

    @Test func `many steps at once count in full, and more than a number holds are no trap`() {
        let budget = WorkBudget(stepLimit: 10)
        #expect(throws: SpentBudget.steps(limit: 10)) { try budget.spend(11) }
        #expect(throws: SpentBudget.steps(limit: 10)) { try budget.spend(.max) }
        #expect(budget.stepCount == .max)
    }

    @Test func `a budget without bounds is never spent`() throws {
        let budget = WorkBudget()
        for _ in 1...3 { try budget.spend(.max) }
        try budget.checkBounds()
    }

    @Test func `a flag that another thread sets ends the work`() throws {
        let flag = CancelFlag()
        let budget = WorkBudget(flag: flag)
        try budget.checkBounds()
        let thread = try #require(WorkerThread { flag.set() })
        thread.join()
        #expect(throws: SpentBudget.cancelled) { for _ in 0..<5_000 { try budget.spend() } }
        #expect(budget.stepCount <= 5_000)
    }

    @Test func `time that is over ends the work at the next look, and for good`() {
        let budget = WorkBudget(time: .zero)
        #expect(throws: SpentBudget.time(limit: .zero)) { try budget.checkBounds() }
        #expect(throws: SpentBudget.time(limit: .zero)) { try budget.spend() }
    }

    @Test func `each bound says its number`() {
        #expect("\(SpentBudget.steps(limit: 50))" == "it takes more than 50 steps, which is the bound")
        #expect(
            "\(SpentBudget.time(limit: .milliseconds(100)))" == "it takes longer than 0.1 seconds, which is the bound")
    }
}
