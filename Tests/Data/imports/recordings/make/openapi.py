"""Descriptions in OpenAPI 3.1 by FastAPI, as JSON and as YAML: openapi.py FOLDER (pip: fastapi pyyaml)."""

import json
import sys
from typing import Optional

import fastapi
import pydantic
import yaml


class Pet(pydantic.BaseModel):
    id: int = pydantic.Field(examples=[7])
    name: str
    born: Optional[str] = pydantic.Field(None, json_schema_extra={"format": "date"})
    tags: list[str] = []


app = fastapi.FastAPI(title="Pets", version="1.0")


@app.get("/pets", response_model=list[Pet])
def pets(limit: int, after: Optional[str] = None):
    return []


@app.post("/pets", response_model=Pet, status_code=201)
def add(pet: Pet):
    return pet


@app.get("/pets/mine", response_model=Pet)
def mine():
    return None


@app.get("/pets/{pet_id}", response_model=Pet)
def pet(pet_id: int):
    return None


@app.delete("/pets/{pet_id}", status_code=204)
def remove(pet_id: int):
    return None


description = app.openapi()
with open(f"{sys.argv[1]}/fastapi.json", "w") as file:
    json.dump(description, file, indent=1)
    file.write("\n")
with open(f"{sys.argv[1]}/fastapi.yaml", "w") as file:
    yaml.safe_dump(description, file, sort_keys=False)
