import ProctorHTML

/// The style sheet of a site: rules for all pages, and rules for reports only.
enum SiteStyle {
    static let all: HTML = "\(PageStyle.base)\n\(PageStyle.tones)\n\(layout)\n\(tables)\n\(cases)\n\(drawing)\n"

    private static let layout: HTML = """
        body { max-width: none; padding: 0 0 4rem }
        main { margin: 0 auto; max-width: 72rem; padding: 0 1rem }
        main.wide { max-width: 110rem }
        header { padding: 0 1rem; display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 2rem;
          border-bottom: 1px solid var(--line) }
        header nav { margin: 0.5rem 0 }
        main a, header a { text-decoration: underline; text-underline-offset: 0.15em }
        :focus-visible { outline: 3px solid var(--link); outline-offset: 2px }
        .skip { position: absolute; left: -100vw; padding: 0.5rem 1rem; background: var(--page) }
        .skip:focus { left: 0; z-index: 3 }
        .trail { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; list-style: none; margin: 0; padding: 0 }
        .trail li { border: 0; padding: 0.2rem 0 }
        .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
          white-space: nowrap }
        .cause { border-bottom: 1px solid var(--line) }
        .cause summary { padding: 0.45rem 0 }
        .narrow { display: none }
        .signs dd { padding-bottom: 0.2rem }
        summary { cursor: pointer; padding: 0.25rem 0 }
        .legend { margin: 0.6rem 0 }
        form { display: flex; flex-wrap: wrap; gap: 0.6rem 1rem; align-items: end; margin: 1rem 0 }
        form[hidden] { display: none }
        form div { display: flex; flex-direction: column }
        form .check { flex-direction: row; gap: 0.5rem; align-items: center; min-height: 2.3rem }
        form label { font-size: 0.9rem; color: var(--soft) }
        input, select { font: inherit; color: var(--ink); background: var(--card); border: 1px solid var(--soft);
          border-radius: 0.4rem; padding: 0.3rem 0.5rem; max-width: 15rem; min-height: 2.3rem }
        input[type=checkbox] { min-height: 1.4rem; width: 1.4rem }
        @media (max-width: 40rem) { dl { grid-template-columns: 1fr; gap: 0 } dd { margin-bottom: 0.4rem } }
        /* Of more than eleven clients a table is wider than most windows; it never scrolls up and down by itself. */
        .scroll:has(thead th:nth-child(14)) { overflow-x: auto }
        @media (max-width: 50rem) {
          .scroll { overflow-x: auto }
          .clients :is(th, td):is(:nth-child(2), :nth-child(n+5)) { display: none }
          .clients td .soft { display: block }
          /* Reasons stand in the sections below, and the kind on the page of the case. */
          .marks :is(th, td):nth-child(3), .matrix:has(.scenario) tr:not(.scenario) > :nth-child(2) { display: none }
          .matrix:has(.scenario) tr:not(.scenario) > th:first-child { position: sticky; left: 0; z-index: 1; min-width: 0;
            max-width: 9rem }
          .found tr > :nth-child(2) { display: none }
          .matrix.found tbody th:first-child { min-width: 0; max-width: 11rem }
          .totals :is(th, td) { padding-inline: 0.2rem; font-size: 0.85rem }
          .scroll:has(> .families.matrix:has(thead th:nth-child(5))) { display: none }
          .narrow { display: block }
        }
        @media print { thead th { position: static } }
        """

    private static let tables: HTML = """
        .scroll { position: relative; border: 1px solid var(--line);
          border-radius: 0.4rem; margin: 0.6rem 0 }
        table { border-collapse: separate; border-spacing: 0; width: 100% }
        caption { text-align: left; color: var(--soft); padding: 0.4rem 0.6rem; font-size: 0.9rem }
        th, td { padding: 0.3rem 0.6rem; border-bottom: 1px solid var(--line); text-align: left; vertical-align: top;
          background: var(--page) }
        th, td { overflow-wrap: break-word }
        thead th { position: sticky; top: 0; z-index: 2; background: var(--card) }
        tbody th { font-weight: 600 }
        tbody th .soft { font-weight: 400; font-size: 0.9rem }
        .matrix td, .matrix thead th, .totals td, .clients td { white-space: nowrap; overflow-wrap: normal }
        .matrix thead th { font-size: 0.9rem }
        .matrix tbody th[scope=row] { min-width: 12rem }
        .matrix.families tbody th[scope=row] { min-width: 0 }
        /* Of more than six clients the names stand upright, and the totals below the failures. */
        .matrix:has(thead th:nth-child(9)) :is(td, thead th:nth-child(n+3)) { padding: 0.3rem 0.2rem }
        .matrix:has(thead th:nth-child(9)) thead th:nth-child(n+3) { vertical-align: bottom }
        .matrix:has(thead th:nth-child(9)) thead th:nth-child(n+3) a { writing-mode: vertical-rl; transform: rotate(180deg) }
        .matrix:has(thead th:nth-child(9)) td .soft { display: block; font-size: 0.8rem }
        .scenario th { background: var(--card) }
        .clients thead th { white-space: nowrap }
        @media (min-width: 50rem) {
          .matrix thead th:first-child { left: 0; z-index: 3 }
          .matrix:not(.families) tbody th:first-child, .families th[scope=rowgroup] { position: sticky; left: 0; z-index: 1 }
        }
        .matrix td a { text-decoration: none; display: inline-block; min-width: 24px; min-height: 24px }
        tr:target th { outline: 2px solid var(--link); outline-offset: -2px }
        .marks td:last-child { min-width: 16rem }
        .cases li { padding: 0.35rem 0 }
        .causes { padding-left: 1.6rem; list-style: decimal }
        .by-client dd { display: flex; flex-wrap: wrap; gap: 0.1rem 1rem }
        """

    private static let cases: HTML = """
        section.client { border-top: 1px solid var(--line); margin-top: 1.6rem }
        .client h2 { border: 0; margin-top: 1rem }
        details.client { border-top: 1px solid var(--line) }
        details.client summary h2 { display: inline; font-size: 1rem; margin: 0 }
        details.client section.client { border: 0; margin: 0 0 1.6rem }
        #clients.pair { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 1.5rem }
        main:has(.pair) { max-width: 110rem }
        @media (max-width: 50rem) { #clients.pair { grid-template-columns: minmax(0, 1fr) } }
        .finding { border-left: 4px solid var(--line); padding: 0.1rem 0 0.1rem 0.8rem; margin: 0.8rem 0 }
        .finding.failure { border-color: var(--marked) }
        .weight { font-size: 0.85rem; border: 1px solid currentColor; border-radius: 0.6rem; padding: 0 0.5rem;
          margin-right: 0.3rem }
        .finding.failure .weight { color: var(--marked) }
        .fixture { white-space: pre; overflow-x: auto; line-height: 1.4; padding: 0.6rem 0 }
        .fixture span { display: block; padding: 0 0.8rem }
        .fixture .own { background: var(--good); color: var(--good-ink) }
        .fixture .broken { background: var(--bad); color: var(--bad-ink); font-weight: 600 }
        .fixture span:target, pre:target { outline: 3px solid var(--link) }
        .bytes { margin: 0.15rem 0 }
        dd code { white-space: pre-wrap }
        """

    private static let drawing: HTML = """
        .drawing { overflow-x: auto; border: 1px solid var(--line); border-radius: 0.4rem; background: var(--card);
          margin: 0.4rem 0 }
        .drawing svg { display: block; font: 12px ui-monospace, SFMono-Regular, Menlo, Consolas, monospace }
        .drawing text { fill: var(--ink) }
        .drawing .lane { font-weight: 700 }
        .drawing .bar text { font-size: 11px; text-anchor: middle }
        .drawing .time { text-anchor: end; fill: var(--soft); font-size: 11px }
        .drawing .folded { font-style: italic }
        .drawing path { fill: none; stroke: var(--line); stroke-width: 1 }
        .drawing .axis { stroke: var(--soft) }
        .drawing .fold { stroke: var(--soft) }
        .drawing .lead { stroke: var(--soft); stroke-width: 0.7 }
        .drawing .bar rect { fill: var(--wire); opacity: 0.35 }
        .drawing .bar.stream rect { width: 4px; opacity: 0.25 }
        .drawing .bar path { stroke: var(--wire); stroke-width: 2 }
        .drawing circle { fill: var(--wire) }
        .drawing .callbacks circle { fill: var(--callbacks) }
        .drawing .harness circle { fill: var(--harness) }
        .drawing a text { fill: var(--link); text-decoration: underline }
        .drawing .marked rect { fill: var(--page); stroke: var(--marked); stroke-width: 1.5 }
        .drawing .marked circle { fill: var(--marked) }
        .drawing .marked text { font-weight: 700 }
        .drawing .wanted { fill: var(--marked) }
        """
}
