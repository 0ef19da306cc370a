internal import ProctorBase

/// What failures share, as a sentence; ``CaseRecord/cause`` has it in the words of programs.
enum CauseWords {
    static func sentence(_ cause: String) -> String {
        let mark = cause.firstRange(ofText: " · ")
        let words = words(mark.map { String(cause[..<$0.lowerBound]) } ?? cause)
        let sentence = words.prefix(1).uppercased() + words.dropFirst()
        return mark.map { "\(sentence) (\(cause[$0.upperBound...]))" } ?? sentence
    }

    private static func words(_ cause: String) -> String {
        switch cause {
        case "requests: ended without request": return "a request that was wanted never came"
        case "requests: got request, wanted the end": return "a request came behind the last one that was wanted"
        case "requests: got request, wanted request": return "another request came than the one that was wanted"
        case "hang": return "the client did not come to its end"
        case "a load without an end": return "a load did not come to its end"
        default: break
        }
        if let lane = rest(of: cause, behind: "lane ") {
            let parts = lane.split(separator: ":", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { return cause }
            return "callbacks of \(parts[0]):\(parts[1])"
        }
        if let fact = rest(of: cause, behind: "fact ") { return "\(fact) has not the value that was wanted" }
        if let fault = rest(of: cause, behind: "credential: ") { return "a credential was refused: \(fault)" }
        if let kind = rest(of: cause, behind: "cookies: ") {
            return "the cookies are not those that were wanted: \(kind)"
        }
        if let kind = rest(of: cause, behind: "violation ") {
            return "a request breaks the syntax or a rule of HTTP: \(kind)"
        }
        if let field = rest(of: cause, behind: "callback fact ") {
            return "a callback tells another \(field) than was served"
        }
        if let signal = rest(of: cause, behind: "crash by ") { return "the client crashed by \(signal)" }
        return cause
    }

    private static func rest(of text: String, behind prefix: String) -> String? {
        text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : nil
    }
}
