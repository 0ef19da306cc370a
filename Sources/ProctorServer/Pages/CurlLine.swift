internal import ProctorBase
internal import ProctorScenario

/// A case as a command line for curl, as near as curl can come.
struct CurlLine: Sendable {
    private let steps: [CurlStep]

    /// One transfer for each step, all in one curl, so that connections live on from one to the next.
    init(steps programs: [ClientProgram], scenario: Scenario, place: PlaceOfScenario) {
        var steps: [CurlStep] = []
        for program in programs {
            steps.append(
                CurlStep(
                    program: program, session: programs.first?.session, before: steps.last, scenario: scenario,
                    place: place))
        }
        self.steps = steps
    }

    /// What the case asks for that curl can't do; nil when the line does all of it.
    var shortfall: String? { steps.lazy.compactMap(\.shortfall).first }

    /// One line that can be pasted into a POSIX shell.
    var text: String {
        "curl " + steps.map { $0.words.map(Self.quoted).joined(separator: " ") }.joined(separator: " --next ")
    }

    private static func quoted(_ word: String) -> String {
        let plain = word.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_./:=@%+,".utf8.contains($0) }
        return plain && !word.isEmpty
            ? word
            : "'"
                + word.split(separator: "'", omittingEmptySubsequences: false)
                .joined(separator: "'\\''") + "'"
    }
}
