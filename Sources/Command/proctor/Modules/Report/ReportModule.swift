internal import ProctorBase
internal import ProctorGrading
internal import ProctorReport
internal import ProctorScenario
internal import ProctorServer

extension ModuleRows {
    static let ofReport = ModuleRows(
        commands: [reportCommand],
        serveFlags: [
            Flag("--report", "DIR", help: "show the marks of a report beside the scenarios, and serve its pages")
        ],
        serve: { arguments, configuration throws(UsageError) in
            guard let folder = arguments["--report"] else { return }
            do throws(ServedReport.Fault) {
                configuration.examReport = try ServedReport(folder: folder)
            } catch {
                throw UsageError("--report: \(error)")
            }
        },
        examForms: [
            ExamForm(flag: Flag("--junit", "FILE", help: "also write JUnit XML"), isLive: true) { exams, _, faults in
                JUnitText.report(
                    exams, name: exams.map(\.header.clientTitle).joined(separator: ", "), ledgerFaults: faults)
            },
            ExamForm(flag: Flag("--tap", "FILE", help: "also write TAP 14")) { exams, kinds, _ in
                TAPText.report(exams, failingOn: kinds)
            },
            ExamForm(flag: Flag("--sarif", "FILE", help: "also write failures as SARIF 2.1.0")) { exams, kinds, _ in
                SARIFText.report(exams, failingOn: kinds)
            },
            ExamForm(
                flag: Flag("--markdown", "FILE", help: "also write tables of counts, causes and failures")
            ) { exams, _, _ in MarkdownText.report(exams) },
        ],
        examEndings: [
            ExamEnding(
                flag: Flag(
                    "--annotations", help: "also print failures as GitHub's runner shows them beside a change")
            ) { _, end in
                for line in AnnotationText.lines(end.files.exams, failingOn: end.kinds) { end.output.line(line) }
                return true
            },
            ExamEnding(
                flag: Flag("--html", "DIR", help: "with --json: also make a folder of pages of the records"),
                check: { arguments in
                    guard arguments["--json"] != nil else {
                        throw UsageError("--html makes pages of the records of --json FILE; name them")
                    }
                    // A folder that can't be used is refused before any client is run.
                    _ = try arguments["--html"].map { try ReportFolder($0) }
                }
            ) { arguments, end in
                try arguments["--html"].map {
                    ReportSite.write(try end.files.written(), to: $0, fixtures: end.fixtures, end.output)
                } ?? true
            },
        ])
}

extension ExamHeader {
    /// The client's own name, or else that of the exam, with its version.
    fileprivate var clientTitle: String {
        [clientName ?? client, clientVersion].compactMap(\.self).joined(separator: " ")
    }
}
