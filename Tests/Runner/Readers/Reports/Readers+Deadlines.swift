import ProctorBase
import ProctorGrading
import ProctorServer

extension ReaderRunner {
    static let deadlines: [String: DataReader] = [
        // Milliseconds of an assignment, by `delay FACTOR`, `limit N` and `hangs`: a ledger says that the client hangs there.
        "deadline": .whole { input, block in
            let id = CaseID(scenario: "redirect/loop", name: block.has("other") ? "other" : "ends")
            let text = "client: c\ndeviations:\n  redirect/loop#ends:\n    because: so it is\n    outcome: hang\n"
            let ledger = block.has("hangs") ? Ledger.parse(Array(text.utf8), file: "ledger").0 : nil
            let longest = CaseTimes.deadline(
                Int(Parts.text(input)) ?? 0, of: id, knownIn: ledger,
                delay: block.value(of: "delay").flatMap { Double($0) } ?? 1,
                limit: try block.number(of: "limit") ?? CaseTimes.longestDeadline)
            return ["\(longest)"]
        }
    ]
}
