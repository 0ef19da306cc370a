import ProctorHTML

/// The page of all cases, which the script filters; without the script, it links to the families.
struct FindPage {
    let report: Report

    var file: SiteFile {
        let page = SitePage(
            path: SitePath.find, title: "All cases", scripts: [SitePath.scriptData, SitePath.script], isWide: true)
        let html: HTML = """
            <h1>All cases</h1>
            <noscript><p>Filters need JavaScript. Without it every case is reached by the pages of
            \(HTML.link("families", to: "\(SitePath.index)#families")), and every failure by the
            \(HTML.link("causes", to: SitePath.causes)).</p></noscript>
            <form id="filters" hidden>
            <div><label for="q">text</label><input id="q" name="q" type="search" autocomplete="off"></div>
            <div><label for="family">family</label><select id="family" name="family"><option value="">all</option></select></div>
            <div><label for="kind">kind</label><select id="kind" name="kind"><option value="">all</option></select></div>
            <div><label for="a">client</label><select id="a" name="a"><option value="">all</option></select></div>
            <div><label for="b">beside</label><select id="b" name="b"><option value="">none</option></select></div>
            <div><label for="outcome">outcome</label><select id="outcome" name="outcome"><option value="">all</option></select></div>
            <div><label for="cause">cause</label><select id="cause" name="cause"><option value="">all</option></select></div>
            <div class="check"><input id="differ" name="differ" type="checkbox" value="1">\
            <label for="differ">only where marks differ</label></div>
            </form>
            <p id="count" role="status"></p>
            <div id="found" class="scroll" role="region" aria-label="Found cases" tabindex="0" hidden></div>
            <p><button id="more" type="button" hidden>Show more</button></p>
            \(HTML.legend())
            """
        return page.file(html)
    }
}
