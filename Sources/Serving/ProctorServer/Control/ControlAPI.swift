internal import ProctorBase
internal import ProctorHTTP
package import ProctorJournal
internal import ProctorLoop
package import ProctorReplies
package import ProctorScenario
internal import ProctorServing

/// Answers control calls over HTTP: runs, their journals and verdicts; safe from any thread.
///
/// A new call is a row of ``ControlCall``, its handler in an extension of this type and, where our own clients make
/// it, a message in ProctorProgram.
package final class ControlAPI: Sendable {
    let stages: StandingStages
    let runs: RunFactory
    let journalFile: JournalFile?
    let gate: ControlGate
    let contexts: TLSContexts
    let judging = LongWork.judging()
    let searching = LongWork.searching()
    /// The journal of connections and requests of the shared port that belong to no scenario.
    package let sharedJournal: Journal
    let uses: ExchangeUses
    let packs: ServedPacks
    /// The calls of the modules beside the core.
    private let calls: AddedCalls
    /// The pages of the modules beside the core.
    let pages: [ServedPage]
    /// nil: the program has no pages for browsers.
    let html: (any HTMLPages)?
    package let numbers: ServerNumbers
    /// MonotonicClock nanoseconds.
    package let start = MonotonicClock.nanoseconds

    init(
        stages: StandingStages, runs: RunFactory, gate: ControlGate, contexts: TLSContexts, journalFile: JournalFile?,
        sharedJournal: Journal, uses: ExchangeUses, packs: ServedPacks, numbers: ServerNumbers,
        calls: [ControlCall], pages: [ServedPage], report: (any CatalogueMarks)?
    ) {
        (self.numbers, self.pages) = (numbers, pages)
        html = PageSettings.slot.part?(
            PageSettings(pages: pages, report: report, takesRecordings: calls.contains { $0.isNamed("import") }))
        self.calls = AddedCalls { [html] in
            calls + pages.flatMap(\.calls) + (html?.calls ?? []) + (ControlCall.examCalls.part?() ?? [])
        }
        (self.packs, self.uses, self.sharedJournal, self.stages, self.runs) = (packs, uses, sharedJournal, stages, runs)
        (self.gate, self.contexts, self.journalFile) = (gate, contexts, journalFile)
    }

    package var catalogue: Catalogue { stages.catalogue }

    /// What a search over all scenarios finds, once all of them are read.
    package func searchOfScenarios() async -> ScenarioSearch {
        await catalogue.readAll()
        return await WorkThreads.streaming.run(within: .ofInput) { [stages] _ in
            stages.catalogue.search(with: stages.added.entries().map(\.scenario))
        }
    }

    package var wantsToken: Bool { gate.token != nil }

    /// Answers a call that came to `place`; `loop` is the caller's, for waits.
    func handleCall(
        _ head: RequestHead, body: [UInt8], _ scheme: Scheme, at place: SocketAddress, to peer: LoopBound<WaitingPeer>
    ) async -> BuiltInReply {
        let loop = peer.loop
        let path = String(decoding: head.path ?? [], as: UTF8.self)
        let asked = Result { () throws(ControlError) in
            try ControlCall.find(method: head.method, path: path, beside: calls)
        }
        let access = try? asked.get().call.access
        var visitor: ControlGate.Visitor?
        do throws(ControlError) {
            if access != .everybody {
                visitor = try gate.visitor(head, scheme)
                if let visitor, let reply = visitor.preflight(head) { return reply }
                // That there is no such page may be said to every reader.
                let isOpen = access == .readers || access == nil && path.hasPrefix(PageAddress.prefix)
                if !isOpen { try gate.checkToken(head) }
            }
            let (call, id) = try asked.get()
            var request = ControlRequest(
                head, id: id, body: body, base: base(head, scheme, at: place), loop: loop, peer: peer)
            request.isOfStandingRun = call.isOfStandingRun
            let reply = try await call.handler(self)(request)
            return visitor?.shown(reply) ?? reply
        } catch {
            return page(of: error, head) ?? visitor?.shown(error.reply) ?? error.reply
        }
    }

    /// The URL by which the sender of a request reaches scenarios of the shared port, without a slash at its end.
    func base(_ head: RequestHead, _ scheme: Scheme, at place: SocketAddress) -> String {
        "\(scheme.rawValue)://\(gate.pages.authorityOfScenarios(head, at: place))"
    }

    /// A page of a module; throws where the program has none for browsers.
    package func page(_ content: PageContent) throws(ControlError) -> BuiltInReply {
        guard let html else { throw .withoutModule(PageSettings.slot.noun) }
        return html.page(content)
    }

    /// The page about an error; nil where no page was asked for.
    @inline(never)
    private func page(of error: ControlError, _ head: RequestHead) -> BuiltInReply? {
        guard head.wantsHTML, head.readsPages, head.path?.starts(with: PageAddress.prefix.utf8) == true else {
            return nil
        }
        return html?.textPage(error.text)
    }
}
