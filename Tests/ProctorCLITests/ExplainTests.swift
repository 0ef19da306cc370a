import ProctorBase
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
        #expect(lines.count == Rules.all.count)
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

    @Test func `all of them and some of them is one too many`() async throws {
        let outcome = try await Child.run(["explain", "--all", "R1"])
        #expect(outcome.status == 2 && outcome.err == "proctor: say either --all or rules, not both\n")
    }
}
