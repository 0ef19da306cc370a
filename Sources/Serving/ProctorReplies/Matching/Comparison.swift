package import ProctorBase
internal import ProctorHTTP
package import ProctorScenario

/// Comparing one request with the exchanges of a stage: what it may cost, and what has come of it so far.
///
/// It begins on the request's loop with a small share, and goes on by a thread of ``WorkThreads/matching``, for which the
/// request's task waits; so one thread uses it at a time.
package final class Comparison {
    /// The most steps on the loop, about half a millisecond.
    static let loopStepLimit = 25_000
    /// The most steps in all, about 100 ms of a common processor; as many again for the nearest exchange of a miss.
    package static let stepLimit = 5_000_000
    /// Where a step takes longer than usual.
    package static let timeLimit = Duration.seconds(1)

    /// The most time that scripts of exchanges are asked about one request, on its loop, as one of them may take alone; the
    /// one that passes it is still asked to its end.
    static let scriptTimeLimit = Duration.seconds(1)

    /// The budget of the part that goes on; each search and comparison counts its steps there.
    package private(set) var budget: WorkBudget
    private let stepLimit: Int
    private let timeLimit: Duration
    /// Whether an exchange matches the head, and in `wholes` whether it matches all but its script; by exchange.
    private var heads: [Int: Bool] = [:]
    private var wholes: [Int: Bool] = [:]
    /// What the patterns of an exchange capture, by exchange that matches.
    private var captures: [Int: Captures] = [:]
    /// The bound that ended the comparison; nil while none has.
    package private(set) var spent: SpentBudget?
    /// An exchange that answers whatever those behind it match.
    private var last = Int.max
    /// Parsed at most once.
    private var queryPairs: [PairAssignment.Pair]?
    private var rawQueryPairs: [PairAssignment.Pair]?
    private var cookiePairs: [CookieField.Pair]?

    /// The most time for the scripts that are asked.
    let scriptTimeLimit: Duration

    package init(
        loopStepLimit: Int = Comparison.loopStepLimit, stepLimit: Int = Comparison.stepLimit,
        timeLimit: Duration = Comparison.timeLimit, scriptTimeLimit: Duration = Comparison.scriptTimeLimit
    ) {
        (self.timeLimit, self.scriptTimeLimit) = (timeLimit, scriptTimeLimit)
        budget = WorkBudget(stepLimit: loopStepLimit)
        self.stepLimit = stepLimit
    }

    /// Begins the part that is no loop's; `flag` ends it.
    package func startBudget(endedBy flag: CancelFlag) {
        budget = WorkBudget(stepLimit: stepLimit, time: timeLimit, flag: flag)
    }

    /// The budget of that part was spent.
    func noteSpent() {
        do throws(SpentBudget) { try budget.checkBounds() } catch { spent = error }
    }

    package func head(of exchange: Int) -> Bool? { heads[exchange] }
    func captures(of exchange: Int) -> Captures? { captures[exchange] }

    /// Undecided where the comparison ended before the exchange.
    package func verdict(of exchange: Int) -> Verdict { wholes[exchange].map { Verdict($0) } ?? .undecided }

    /// A script of the exchange does not want the request.
    package func refuse(_ exchange: Int) { wholes[exchange] = false }

    /// No script is asked from the exchange on, so that it is undecided.
    package func stop(at exchange: Int, _ bound: SpentBudget) {
        wholes[exchange] = nil
        spent = bound
    }

    /// Whether the exchange is not compared yet.
    func lacks(_ exchange: Int, headAlone: Bool) -> Bool {
        headAlone ? heads[exchange] == nil : exchange <= last && wholes[exchange] == nil
    }

    /// Notes an outcome; false where the budget was spent meanwhile, so that it means nothing.
    package func record(head: Bool, of exchange: Int) -> Bool {
        guard !budget.isSpent else { return false }
        heads[exchange] = head
        return true
    }

    /// Notes the outcome of the whole request; false where the budget was spent meanwhile, so that it means nothing.
    ///
    /// `captures` are those of an exchange that matches.
    package func record(whole: Bool, of exchange: Int, captures: () -> Captures, isLast: Bool) -> Bool {
        let captures = whole ? captures() : nil
        guard !budget.isSpent else { return false }
        wholes[exchange] = whole
        self.captures[exchange] = captures
        if whole, isLast { last = exchange }
        return true
    }

    func queryPairs(of query: ArraySlice<UInt8>?, isRaw: Bool) -> [PairAssignment.Pair] {
        let known = isRaw ? rawQueryPairs : queryPairs
        let pairs = known ?? RequestPattern.pairs(of: query, isRaw: isRaw)
        if isRaw { rawQueryPairs = pairs } else { queryPairs = pairs }
        return pairs
    }

    func cookiePairs(of head: RequestHead) -> [CookieField.Pair] {
        let pairs = cookiePairs ?? head.cookiePairs
        cookiePairs = pairs
        return pairs
    }
}

extension SpentBudget {
    /// In the journal and on the page of a miss.
    var sentenceOfMiss: String {
        "patterns: no answer from this exchange on, since the request is compared within a budget: \(self); "
            + "have fewer exchanges with long patterns or scripts, let expressions begin with plain text and leave out nested repeats "
            + "such as (a+)+, or give each path a scenario of its own"
    }
}
