internal import ProctorHTTP
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServer

/// The pages of servers for browsers.
package enum Pages {
    /// Hands them over, for every server that this process starts from then on.
    package static func register() {
        PageSettings.slot.register { ServerPages(frame: PageFrame(pages: $0.pages), settings: $0) }
    }
}

/// The pages of one server.
private struct ServerPages: HTMLPages {
    let frame: PageFrame
    let settings: PageSettings

    var calls: [ControlCall] {
        let overviews = RunOverviews()
        return RunPages.calls(in: frame) + JournalStream.calls + [
            ControlCall("GET", "overview") { api in { await overviews.reply($0, of: api) } },
            ControlCall("GET", "metrics") { api in { _ in api.metrics() } },
        ]
    }

    func page(_ content: PageContent) -> BuiltInReply { frame.page(content) }

    func textPage(_ text: BuiltInReply) -> BuiltInReply { frame.page(of: text) }

    func front(
        _ scenarios: [Scenario], at base: String, _ question: ScenarioSearch.Question, typed: String,
        in search: ScenarioSearch
    ) -> BuiltInReply {
        frame.page(catalogue(scenarios, base).front(question, typed: typed, in: search))
    }

    func family(_ family: String, of scenarios: [Scenario], at base: String) -> BuiltInReply? {
        catalogue(scenarios, base).family(family).map(frame.page)
    }

    func scenarioPage(_ scenario: Scenario, at place: PlaceOfScenario) -> BuiltInReply {
        frame.page(ScenarioPage(scenario, at: place).content)
    }

    func asset(_ head: RequestHead, at path: ArraySlice<UInt8>) -> BuiltInReply? {
        ServedAssets.reply(to: head, at: path)
    }

    private func catalogue(_ scenarios: [Scenario], _ base: String) -> CataloguePage {
        CataloguePage(
            scenarios: scenarios, base: base, report: settings.report, takesRecordings: settings.takesRecordings)
    }
}
