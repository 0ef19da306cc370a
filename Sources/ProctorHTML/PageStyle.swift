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

    /// Blue and orange differ for all kinds of colour blindness; each mark has a sign besides.
    package static let tones: HTML = """
        :root { --good: #d7e9fa; --good-ink: #0b3c63; --bad: #fcdcc6; --bad-ink: #6b2500; --broken: #f2d7e8;
          --broken-ink: #5a1342; --listed: #faf0bd; --listed-ink: #4c4100; --half: #dcefeb; --half-ink: #12463c;
          --none: #eaedf1; --none-ink: #475060; --wire: #0b5fbe; --callbacks: #8a4b00; --harness: #5b6676;
          --marked: #b3261e }
        @media (prefers-color-scheme: dark) { :root { --good: #11334f; --good-ink: #cfe6fb; --bad: #5b260a;
          --bad-ink: #ffdcc7; --broken: #4d173a; --broken-ink: #ffd6ec; --listed: #453c00; --listed-ink: #fff0a8;
          --half: #123e36; --half-ink: #c8efe6; --none: #262d37; --none-ink: #bcc5d1; --wire: #7db4ff;
          --callbacks: #f3b877; --harness: #9aa5b5; --marked: #ff9a92 } }
        .mark { display: inline-block; min-width: 1.7em; padding: 0 0.4em; border-radius: 0.35em; text-align: center;
          white-space: nowrap }
        .good { background: var(--good); color: var(--good-ink) }
        .bad { background: var(--bad); color: var(--bad-ink); font-weight: 600 }
        .broken { background: var(--broken); color: var(--broken-ink); font-weight: 600 }
        .listed { background: var(--listed); color: var(--listed-ink) }
        .half { background: var(--half); color: var(--half-ink) }
        .none { background: var(--none); color: var(--none-ink) }
        """
}
