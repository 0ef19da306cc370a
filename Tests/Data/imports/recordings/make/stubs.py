"""Mappings of WireMock by the models of its Python client: stubs.py FOLDER (pip: wiremock)."""

import json
import os
import sys

from wiremock.client import HttpMethods, Mapping, MappingRequest, MappingResponse

folder = sys.argv[1]
os.makedirs(f"{folder}/mappings", exist_ok=True)
os.makedirs(f"{folder}/__files", exist_ok=True)

MAPPINGS = {
    "hello": Mapping(
        priority=5,
        request=MappingRequest(method=HttpMethods.GET, url="/hello?name=ann"),
        response=MappingResponse(status=200, body="Hello, ann\n", headers={"Content-Type": "text/plain"}),
    ),
    "file": Mapping(
        request=MappingRequest(method=HttpMethods.GET, url_path="/file"),
        response=MappingResponse(status=200, body_file_name="data.json", headers={"Content-Type": "application/json"}),
    ),
    "item": Mapping(
        request=MappingRequest(method=HttpMethods.GET, url_path_pattern="/items/[0-9]+"),
        response=MappingResponse(status=200, json_body={"id": 1, "tags": ["a"]}, fixed_delay_milliseconds=5),
    ),
    "order": Mapping(
        request=MappingRequest(
            method=HttpMethods.POST,
            url_path="/orders",
            headers={"Content-Type": {"contains": "json"}},
            body_patterns=[{"equalToJson": '{"item": 1}', "ignoreExtraElements": True}],
        ),
        response=MappingResponse(status=201, status_message="Made", headers={"Location": "/orders/1"}),
    ),
    "empty": Mapping(
        scenario_name="Cart of Ann",
        required_scenario_state="Started",
        new_scenario_state="filled",
        request=MappingRequest(method=HttpMethods.POST, url="/cart"),
        response=MappingResponse(status=204),
    ),
    "filled": Mapping(
        scenario_name="Cart of Ann",
        required_scenario_state="filled",
        request=MappingRequest(method=HttpMethods.GET, url="/cart"),
        response=MappingResponse(status=200, body="one thing\n"),
    ),
    "fault": Mapping(
        request=MappingRequest(method=HttpMethods.GET, url="/broken"),
        response=MappingResponse(fault="EMPTY_RESPONSE"),
    ),
    "rest": Mapping(
        priority=10,
        request=MappingRequest(method=HttpMethods.ANY, url_pattern="/.*"),
        response=MappingResponse(status=404, body="no such stub\n"),
    ),
}
for name, mapping in MAPPINGS.items():
    with open(f"{folder}/mappings/{name}.json", "w") as file:
        json.dump(mapping.get_json_data(), file, indent=1)
        file.write("\n")
with open(f"{folder}/__files/data.json", "w") as file:
    file.write('{"from": "a file"}\n')
