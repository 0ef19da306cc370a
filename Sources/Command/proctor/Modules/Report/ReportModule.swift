internal import ProctorBase
internal import ProctorGrading
internal import ProctorReport
internal import ProctorScenario
internal import ProctorServer

extension Modules {
    static let report: ModuleRows? = ModuleRows(
        commands: [reportCommand],
        serve: { arguments, configuration throws(UsageError) in
            guard let folder = arguments["--report"] else { return }
            do throws(ServedReport.Fault) {
                configuration.examReport = try ServedReport(folder: folder)
            } catch {
                throw UsageError("--report: \(error)")
            }
        },
        examForms: [
            ExamForm(flag: "--junit", isLive: true) { results in
                let name = results.exams.map(\.header.clientTitle).joined(separator: ", ")
                return JUnitText.report(results, name: name)
            },
            ExamForm(flag: "--tap") { TAPText.report($0) },
            ExamForm(flag: "--sarif") { SARIFText.report($0) },
            ExamForm(flag: "--markdown") { ReportMarkdown.report($0.exams) },
        ],
        examEndings: [
            ExamEnding(flag: "--annotations") { _, end in
                for line in AnnotationText.lines(end.files.results) { end.output.line(line) }
                return true
            },
            ExamEnding(
                flag: "--html",
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
