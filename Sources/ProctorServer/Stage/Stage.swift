internal import ProctorBase
internal import ProctorHTTP
internal import ProctorScenario
internal import ProctorTrace

/// One isolated life of a scenario: its turns and its journal, wherever it is served.
///
/// A run has a stage of its own; in the standing mount each scenario has one for good. Safe from any thread: requests
/// that come in parallel take their turns one after the other.
final class Stage: Sendable {
    let compiled: CompiledScenario
    let journal: Journal
    let addresses: AddressBook
    /// Standing mounts start over when their replies are used up, so that the second curl behaves like the first.
    let startsOver: Bool
    private let progress: Locked<StageProgress>

    init(compiled: CompiledScenario, addresses: AddressBook, journal: Journal, startsOver: Bool) {
        self.compiled = compiled
        self.addresses = addresses
        self.journal = journal
        self.startsOver = startsOver
        progress = Locked(StageProgress(compiled))
    }

    var scenario: Scenario { compiled.scenario }

    /// The number of a connection that this stage sees for the first time.
    func admitConnection(origin: Int) -> ConnectionNumbers {
        progress.withLock { progress in
            defer {
                progress.connectionCount += 1
                progress.connectionCountOfOrigin[origin] += 1
            }
            return ConnectionNumbers(
                epoch: progress.epoch, inStage: progress.connectionCount,
                inOrigin: progress.connectionCountOfOrigin[origin])
        }
    }

    struct ConnectionNumbers {
        let epoch: Int
        let inStage: Int
        let inOrigin: Int
    }

    /// Changes with every ``reset()``; numbers of an earlier one are void.
    var epoch: Int { progress.withLock { $0.epoch } }

    /// The number of a request on a connection that was admitted in `epoch`.
    func admitRequest(epoch: Int) -> Int {
        progress.withLock { progress in
            guard epoch == progress.epoch else { return 0 }
            defer { progress.requestCount += 1 }
            return progress.requestCount
        }
    }

    /// Takes the turn that answers the request, or tells what was nearest.
    func choose(_ request: RequestView, origin: Int) -> Choice {
        progress.withLock { choose(request, origin, &$0) }
    }

    /// Numbers a request and takes its turn in one step; for requests that need not be read further before.
    func admitAndChoose(_ request: RequestView, origin: Int, epoch: Int) -> (number: Int, choice: Choice) {
        progress.withLock { progress in
            var number = 0
            if epoch == progress.epoch {
                number = progress.requestCount
                progress.requestCount += 1
            }
            return (number, choose(request, origin, &progress))
        }
    }

    private func choose(_ request: RequestView, _ origin: Int, _ progress: inout StageProgress) -> Choice {
        if let choice = progress.choose(request, origin: origin, in: compiled, wraps: startsOver) { return choice }
        if startsOver {
            // Only for a request that then has an answer: a wrong one must not disturb a sequence.
            var fresh = progress
            if fresh.restart(), let choice = fresh.choose(request, origin: origin, in: compiled, wraps: true) {
                progress = fresh
                return choice
            }
        }
        let nearest = NearestExchange(request: request, origin: origin)
        return .missed(
            nearest.miss(
                in: compiled, isUsedUp: { progress.isUsedUp($0, in: compiled) },
                next: scenario.sequence == .strict ? progress.next : nil))
    }

    enum Choice {
        /// Exchange and reply, both 0-based.
        case exchange(Int, turn: Int)
        case missed(Miss)
    }

    /// The plan of a reply, made at its first use and kept while nothing in it depends on the request.
    func plan(exchange index: Int, turn: Int, for request: RequestView) -> ReplyPlan {
        let omitsContent = request.head.hasMethod("HEAD")
        let slot = (compiled.firstReplyNumber[index] + turn) * 2 + (omitsContent ? 1 : 0)
        let kept = progress.withLock { $0.plans[slot] }
        if let kept, kept.authority == nil { return kept.plan }
        let bound = addresses.bound(for: request.head)
        if let kept, kept.authority == bound.authorityKey { return kept.plan }
        let exchange = compiled.exchanges[index].exchange
        let planner = ReplyPlanner(
            addresses: bound, servingOrigin: exchange.origin, pattern: exchange.request, request: request,
            omitsContent: omitsContent)
        let plan = planner.plan(exchange.replies[turn])
        if plan.isReusable {
            let kept = KeptPlan(authority: plan.namesAddresses ? bound.authorityKey : nil, plan: plan)
            progress.withLock { $0.plans[slot] = kept }
        }
        return plan
    }

    /// The client says that something came; kept for the judge.
    func noteReached(_ event: String, task: Int) {
        journal.append(epoch: epoch, connection: nil, .clientReached(event: event, task: task))
    }

    /// Back to the start: turns, numbers and journal; a connection that lives on is a new one then.
    func reset() {
        progress.withLock { progress in
            // Under the lock, so that no number of one epoch gets into the journal of another.
            progress = StageProgress(compiled, epoch: journal.removeAll())
        }
    }
}
