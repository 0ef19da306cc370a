import Foundation

/// The words behind `proctor-data`.
struct Arguments {
    static let help = """
        usage: proctor-data [PATH …] [--filter TEXT] [--record] [--times] [--width N] [--client-programs FOLDER]
               proctor-data --language [--record]

        Runs the tests under Tests/Data. PATH is a page or a folder of pages, such as readers/request; without one all run.
          --filter TEXT  only rows whose name contains TEXT
          --record       write what came into the pages, for you to read as a diff; refused on CI
          --times        list the slowest rows
          --width N      rows at a time (8)
          --client-programs FOLDER
                         also the pages of clients, with proctor-client-reference of that folder; where such a page is
                         named, it stands beside this program
          --language     compares the JSON Schema of fixtures and the tables of Docs/format with what the language makes
        """

    var paths: [String] = []
    var filter: String?
    var isRecording = false
    var showsTimes = false
    var width = 8
    var wantsHelp = false
    var isOfLanguage = false
    var clientPrograms: String?

    init(_ words: [String]) throws {
        var rest = words[...]
        while let word = rest.popFirst() {
            switch word {
            case "--filter":
                guard let text = rest.popFirst() else { throw UsageError("--filter needs a text behind it") }
                filter = text
            case "--width":
                guard let number = rest.popFirst().flatMap({ Int($0) }), (1...64).contains(number) else {
                    throw UsageError("--width needs a number from 1 to 64 behind it")
                }
                width = number
            case "--client-programs":
                guard let folder = rest.popFirst() else {
                    throw UsageError("--client-programs needs a folder behind it")
                }
                clientPrograms = folder
            case "--record": isRecording = true
            case "--language": isOfLanguage = true
            case "--times": showsTimes = true
            case "--help", "-h": wantsHelp = true
            // As `make test ARGS="--data PATH"` writes it.
            case "--data": break
            case _ where word.hasPrefix("-"): throw UsageError("unknown option \(word)\n\(Self.help)")
            default: paths.append(word)
            }
        }
        if isRecording, ProcessInfo.processInfo.environment["CI"] != nil {
            throw UsageError("--record writes pages for a person to read, so it is refused where CI is set")
        }
    }
}
