internal import ProctorBase
internal import ProctorDocument
import ProctorFixtures
internal import ProctorScenario

let searchCommand = Command(name: "search") { arguments, context in
    let question = ScenarioSearch.Question(arguments.operands.joined(separator: " "))
    guard !question.isEmpty else { throw UsageError("'search' needs a word: proctor search timeout") }
    let files = try FixtureLocation(environment: context.environment).library(of: arguments).find()
    let loaded = files.load { _ in true }
    if !loaded.isClean {
        FixtureReport.print(loaded.diagnostics, context.output)
        context.output.message("what has errors is not searched")
    }
    let search = ScenarioSearch(loaded.scenarios)
    let hits = search.find(question)
    guard !hits.isEmpty else {
        let advice = search.advice(on: question)
        context.output.message(
            "no scenario has all of it: \(advice.countWords) of \(Plural.count(loaded.scenarios.count, "scenario"))")
        if let meant = advice.meant { context.output.message("did you mean '\(meant)'?") }
        if let without = advice.without {
            context.output.message("without '\(without)': \(advice.most.joined(separator: ", "))")
        }
        let words = arguments.operands.joined(separator: " ")
        for line in try Modules.present.flatMap({ try $0.search(words) }) { context.output.message(line) }
        return .failure
    }
    let shown = Array(arguments.has("--all") ? hits[...] : hits.prefix(SearchLimit.shown))
    if arguments.has("--ids") {
        for scenario in arguments.has("--all") ? hits : shown { context.output.line(scenario.id) }
    } else {
        ScenarioLines(output: context.output).write(shown)
    }
    if shown.count < hits.count {
        context.output.message("and \(hits.count - shown.count) more: --all, or another word")
    }
    return loaded.diagnostics.contains(where: \.isTransient) ? .failure : .success
}

private enum SearchLimit {
    static let shown = 20
}
