internal import ProctorDemands

extension Modules {
    static var demands: ModuleRows? {
        ModuleRows(faults: { scenarios, paths in
            DemandCatalogues.diagnostics(of: scenarios)
                + OwnerCheck.diagnostics(
                    of: scenarios, isWholeLibrary: paths.contains(where: DemandCatalogue.stands))
        })
    }
}
