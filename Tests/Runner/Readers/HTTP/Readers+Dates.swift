import ProctorBase
import ProctorHTTP

extension ReaderRunner {
    static let dates: [String: DataReader] = [
        // A date of HTTP as seconds and as it is written, read on 1 January 2026 or at `now N`.
        "date": .whole { input, block in
            do throws(FieldViolation) {
                let now = block.number(ofWord: "now") ?? 1_767_225_600
                let seconds = try HTTPDate.unixSeconds(of: input, now: now)
                return ["\(seconds)", ByteText.inLine(HTTPDate.imfFixdate(unixSeconds: seconds))]
            } catch {
                return ["refused \(GrammarText.place(error, block))"]
            }
        },
        "written-date": .whole { input, block in
            [ByteText.inLine(HTTPDate.imfFixdate(unixSeconds: try Parts.number(input, block)))]
        },
        "cookie-date": .whole { input, _ in [CookieDate.unixSeconds(input).map(String.init) ?? "-"] },
        // What a method promises.
        "method": .whole { input, _ in
            let method = Parts.text(input)
            return [
                RequestWriter.isMethod(method.utf8) ? "a token" : "no token",
                IdempotentMethods.isSafe(method) ? "safe" : "not safe",
                IdempotentMethods.isIdempotent(method) ? "idempotent" : "not idempotent",
                IdempotentMethods.expectsContent(method) ? "content" : "no content",
            ]
        },
        "status": .whole { input, block in [StatusPhrase.registered(try Parts.number(input, block)) ?? "-"] },
    ]
}

extension Block {
    /// The number behind a word; nil without both.
    func number(ofWord word: String) -> Int? { value(of: word).flatMap { Int($0) } }
}
