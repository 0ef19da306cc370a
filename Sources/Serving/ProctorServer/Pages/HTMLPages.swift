package import ProctorHTTP
package import ProctorReplies
package import ProctorScenario

/// The pages of one server for browsers, which a module makes; without it browsers get the text that other clients get.
package protocol HTMLPages: Sendable {
    /// The pages about runs, and what their scripts ask.
    var calls: [ControlCall] { get }

    /// A page of a module.
    func page(_ content: PageContent) -> BuiltInReply

    /// A text as a page: its first line is the heading.
    func textPage(_ text: BuiltInReply) -> BuiltInReply

    /// The page at `/`: the families of the scenarios, or what `question` finds; `base` is that of the shared port.
    func front(
        _ scenarios: [Scenario], at base: String, _ question: ScenarioSearch.Question, typed: String,
        in search: ScenarioSearch
    ) -> BuiltInReply

    /// The scenarios below `family`, which is a folder of ids; nil where there are none.
    func family(_ family: String, of scenarios: [Scenario], at base: String) -> BuiltInReply?

    /// The page of one scenario; blocks while its file is read.
    func scenarioPage(_ scenario: Scenario, at place: PlaceOfScenario) -> BuiltInReply

    /// The reply to a request for a style sheet or a script; nil for other paths.
    func asset(_ head: RequestHead, at path: ArraySlice<UInt8>) -> BuiltInReply?
}

/// What the pages of a server are made with.
package struct PageSettings: Sendable {
    /// The pages of modules, to which every page leads.
    package let pages: [ServedPage]
    /// The report of an exam; nil: none.
    package let report: (any CatalogueMarks)?
    /// Whether a recording can be dropped on the first page, which needs the call `import`.
    package let takesRecordings: Bool

    /// What makes the pages of a server.
    package static let slot = PartSlot<@Sendable (PageSettings) -> any HTMLPages>("the part for pages and metrics")
}
