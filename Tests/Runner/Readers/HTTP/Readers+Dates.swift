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
                RegisteredMethods.isSafe(method) ? "safe" : "not safe",
                RegisteredMethods.isIdempotent(method) ? "idempotent" : "not idempotent",
                RegisteredMethods.expectsContent(method) ? "content" : "no content",
            ]
        },
        // A traceparent, field lines with CR LF behind each.
        "traceparent": .whole { input, _ in
            let head = Array("GET / HTTP/1.1\r\n".utf8) + input + Array("\r\n".utf8)
            var reader = RequestReader(RequestRules(RequestLimits()), acceptsAnything: true)
            var offset = 0
            guard case .head(let request)? = reader.next(head.span, at: &offset),
                let trace = TraceParent(of: request.fields)
            else { return ["none"] }
            return ["trace \(trace.traceID)", "span \(trace.parentID)", trace.isSampled ? "sampled" : "not sampled"]
        },
        // Whether it is a structured field: an item, a list or a dictionary.
        "structured": .whole { input, block in
            let type: StructuredField = block.has("item") ? .item : block.has("list") ? .list : .dictionary
            return [type.isValid(input.span) ? "valid" : "not valid"]
        },
        // Whether it matches the grammar of a field: `whole`, `malformed`, or `empty-element` of a list.
        "field-value": .whole { input, block in
            guard let field = RequestField.allCases.first(where: { block.has($0.rawValue) }) else {
                return ["no field of the table"]
            }
            return [field.reading(of: input.span).rawValue]
        },
        "status": .whole { input, block in [StatusPhrase.registered(try Parts.number(input, block)) ?? "-"] },
    ]
}

extension Block {
    /// The number behind a word; nil without both.
    func number(ofWord word: String) -> Int? { value(of: word).flatMap { Int($0) } }
}
