import ProctorBase
import ProctorHTTP
import ProctorRules
import ProctorTestSupport
import Testing

/// `proctor explain`.
struct ExplainTests {
    @Test(arguments: ["R12", "r12", "12"])
    func `a rule is explained by its number`(word: String) async throws {
        let outcome = try await Child.run(["explain", word])
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        #expect(outcome.out.hasPrefix("R12  challenge instead of response\n\n  A challenge stands in the place of"))
        for name in ["Source", "Holds for", "Legal", "Illegal", "Limits"] {
            #expect(outcome.out.contains("\n  \(name)  "))
        }
        #expect(outcome.out.contains("sessionData (URLSession data and upload tasks)"))
        #expect(outcome.out.split(separator: "\n").allSatisfy { $0.count <= 100 })
    }

    @Test func `all rules are listed with their titles, and explained with what a trace can't decide`() async throws {
        let list = try await Child.run(["explain"])
        let all = try await Child.run(["explain", "--all"])
        #expect(list.status == 0 && all.status == 0)
        let lines = list.out.split(separator: "\n")
        #expect(lines.count == Rules.all.count + Departure.allCases.count)
        for (departure, line) in zip(Departure.allCases, lines.dropFirst(Rules.all.count)) {
            #expect(line.hasPrefix("\(departure.rawValue) ") && line.hasSuffix(departure.row.departure))
        }
        for (rule, line) in zip(Rules.all, lines) {
            #expect(line.hasPrefix("\(rule.number) ") && line.hasSuffix(rule.title))
            #expect(all.out.contains("\(rule.number)  \(rule.title)\n\n  "))
        }
        let pages = all.out.split(separator: /\n(?=R\d+  )/)
        #expect(pages.count == Rules.all.count)
        for (rule, page) in zip(Rules.all, pages) {
            let wanted = rule.limits?.split(whereSeparator: { $0 == " " || $0 == "\n" }).joined(separator: " ")
            let words = page.split(whereSeparator: { $0 == " " || $0 == "\n" }).joined(separator: " ")
            #expect(words.contains("Limits ") == (wanted != nil))
            if let wanted { #expect(words.contains("Limits \(wanted)")) }
        }
    }

    @Test func `several are explained one after the other`() async throws {
        let outcome = try await Child.run(["explain", "R1", "R58"])
        #expect(outcome.status == 0 && outcome.out.hasPrefix("R1  ") && outcome.out.contains("\n\nR58  "))
    }

    @Test(arguments: ["R99", "R0", "0", "R", "rule", "R-1", ""])
    func `a rule that is not there is told`(word: String) async throws {
        let outcome = try await Child.run(["explain", word])
        #expect(outcome.status == 2 && outcome.out.isEmpty)
        #expect(outcome.err == "proctor: there is no rule '\(word)'; rules are \(Rules.span), see 'proctor explain'\n")
    }

    @Test func `a tolerance is explained by its meaning and the cases about it`() async throws {
        let proctor = try Installation(fixtures: ["auth/digest/quotes-of-old-clients.yaml"])
        let outcome = try await proctor.run(["explain", "digest-quoting"])
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        let wanted = """
            digest-quoting  RFC 7616 §3.4

              Departure  algorithm, qop or nc stand in quotes, or another parameter stands
                         without
              Read as    a parameter has the same value with and without its quotes
              Cases      auth/digest/quotes-of-old-clients#exact

            """
        #expect(outcome.out == wanted)
    }

    @Test func `a case is explained by who must do what`() async throws {
        let folder = try TestFolder([
            "f/_demands/d.yaml":
                "RFC 1 §1:\n  keeps: { keyword: MUST NOT, subject: user agent, demand: change the method }\n",
            "f/a/b.yaml": """
            summary: A redirect
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              c: { spec: [RFC 1 §1, RFC 2 §2], client: { url: /a } }
              d: { kind: observes, client: { url: /a } }

            """,
        ])
        let outcome = try await Child.run(["explain", "a/b#c", "--fixtures", "f"], in: folder)
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        #expect(
            outcome.out == """
                a/b#c  must

                  A redirect

                  Sources    RFC 1 §1; RFC 2 §2
                  Demand     user agent, MUST NOT: change the method (RFC 1 §1, keeps)

                """)
        let all = try await Child.run(["explain", "a/b", "--fixtures", "f"], in: folder)
        #expect(all.out.hasPrefix(outcome.out) && all.out.contains("\na/b#d  observes\n"))
        let none = try await Child.run(["explain", "a/b#x", "--fixtures", "f"], in: folder)
        #expect(none.status == 2 && none.err.contains("a/b has no case 'x'"))
    }

    @Test func `check holds a library with a catalogue to it`() async throws {
        let folder = try TestFolder([
            "f/_demands/d.yaml": "RFC 1 §1:\n  may: { keyword: MAY, subject: client, demand: do as it likes }\n",
            "f/a.yaml": "summary: s\nspec: RFC 1 §1\nexchanges: [{ request: GET /a, reply: { status: 200 } }]\n"
                + "cases:\n  c: { client: { url: /a } }\n",
        ])
        let outcome = try await Child.run(["check", "f"], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.hasPrefix("f/a.yaml:5:3: error: the must \"c\" names no demand of a client: "))
        #expect(outcome.err.hasSuffix("proctor: 1 error in 1 file; 0 scenarios without\n"))
    }

    @Test func `all of them and some of them is one too many`() async throws {
        let outcome = try await Child.run(["explain", "--all", "R1"])
        #expect(outcome.status == 2 && outcome.err == "proctor: say either --all or rules, not both\n")
    }
}
