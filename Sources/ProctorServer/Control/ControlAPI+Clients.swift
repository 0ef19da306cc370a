internal import ProctorBase

extension ControlAPI {
    /// What a client of the run finds in its environment.
    func environment(of id: String, _ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let run = try find(id, request)
        let item = request.query["case"] == nil ? nil : try `case`(of: run, request)
        var json = JSONText()
        json.open("{")
        json.member("run", run.id)
        json.key("environment")
        json.open("{")
        for (name, value) in ClientEnvironment(of: run, for: item).variables { json.member(named: name, value) }
        json.close("}")
        json.close("}")
        return BuiltInReply(status: 200, json: json)
    }

    /// The proxy auto-config file of the run.
    func proxyConfiguration(of id: String, _ request: ControlRequest) throws(ControlError) -> BuiltInReply {
        let run = try find(id, request)
        let item = request.query["case"] == nil ? nil : try `case`(of: run, request)
        let text = ProxyConfigurationFile.text(ClientProxy(of: run, for: item))
        return BuiltInReply(
            status: 200, contentType: ProxyConfigurationFile.contentType, bytes: Array(text.utf8))
    }
}
