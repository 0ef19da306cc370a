package enum PageStyle {
    /// The look of all pages: for small screens first, dark and light; nothing is fetched from other hosts.
    ///
    /// Text has a contrast of at least 4.5 against what stands below it.
    package static let base: HTML = """
        :root { --ink: #1c2330; --soft: #5b6676; --line: #d9dee6; --page: #ffffff; --card: #f5f7fa; --link: #0b5fbe;
          --must: #8a1c3a; --should: #7a4b00; --observes: #2b5d34 }
        @media (prefers-color-scheme: dark) { :root { --ink: #e6e9ef; --soft: #9aa5b5; --line: #323a47; --page: #14181f;
          --card: #1d232c; --link: #7db4ff; --must: #ff9bb3; --should: #f3c277; --observes: #9bd3a6 } }
        * { box-sizing: border-box }
        body { margin: 0 auto; max-width: 56rem; padding: 1rem 1rem 4rem; background: var(--page); color: var(--ink);
          font: 1rem/1.5 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; overflow-wrap: anywhere }
        h1 { font-size: 1.6rem; line-height: 1.25; margin: 0.5rem 0 }
        h2 { font-size: 1.2rem; margin: 2.2rem 0 0.6rem; padding-bottom: 0.3rem; border-bottom: 1px solid var(--line) }
        h3 { font-size: 1rem; margin: 1.4rem 0 0.3rem }
        a { color: var(--link); text-decoration: none }
        a:hover, a:focus { text-decoration: underline }
        p { margin: 0.4rem 0 }
        .soft { color: var(--soft) }
        nav { display: flex; flex-wrap: wrap; gap: 0.4rem 1rem; margin: 1rem 0 }
        ul { list-style: none; margin: 0; padding: 0 }
        li { padding: 0.55rem 0; border-bottom: 1px solid var(--line) }
        li:last-child { border-bottom: 0 }
        li p { margin: 0.1rem 0 0 }
        .id { font-weight: 600 }
        .kind { font-size: 0.8rem; border: 1px solid currentColor; border-radius: 0.6rem; padding: 0 0.5rem;
          margin-left: 0.4rem; white-space: nowrap }
        .must { color: var(--must) } .should { color: var(--should) } .observes { color: var(--observes) }
        pre, code { font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; font-size: 0.9rem }
        pre { background: var(--card); border: 1px solid var(--line); border-radius: 0.4rem; padding: 0.6rem 0.8rem;
          margin: 0.4rem 0; white-space: pre-wrap }
        pre.copy { user-select: all; -webkit-user-select: all }
        button { font: inherit; color: var(--link); background: var(--card); border: 1px solid var(--line);
          border-radius: 0.4rem; padding: 0.3rem 0.8rem; cursor: pointer }
        dl { display: grid; grid-template-columns: max-content 1fr; gap: 0.2rem 1rem; margin: 0.4rem 0 }
        dt { color: var(--soft) } dd { margin: 0 }
        """
}
