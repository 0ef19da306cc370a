import ProctorBase
import Testing

@testable import ProctorServer

struct MountTableTests {
    @Test func `an id is found as the target itself, before a slash and before a query`() {
        let table = MountTable(ids: ["plain/get", "redirect/relative/up", "top"])
        func find(_ target: String) -> String? {
            table.find(Array(target.utf8).span).map { "\($0.position) \(target.dropFirst($0.end))" }
        }
        #expect(find("/plain/get") == "0 ")
        #expect(find("/plain/get/") == "0 /")
        #expect(find("/plain/get/a/b?c") == "0 /a/b?c")
        #expect(find("/plain/get?c") == "0 ?c")
        #expect(find("/redirect/relative/up/x") == "1 /x")
        #expect(find("/top?") == "2 ?")
        for target in [
            "", "/", "//", "plain/get", "/plain", "/plain/", "/plain/get2", "/Plain/get", "/?plain/get", "*",
        ] {
            #expect(find(target) == nil, "\(target)")
        }
    }

    @Test func `ten thousand ids are all found, each as itself`() {
        let ids = (0..<10_000).map { "family\($0 % 97)/scenario-\($0)" }
        let table = MountTable(ids: ids)
        for (position, id) in ids.enumerated() {
            let found = table.find(Array("/\(id)/x".utf8).span)
            #expect(found?.position == position && found?.end == id.utf8.count + 1)
        }
        #expect(table.find(Array("/family1/scenario-2".utf8).span) == nil)
    }
}
