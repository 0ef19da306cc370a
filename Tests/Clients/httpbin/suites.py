"""The libraries whose own tests are run against httpbin and the pack: what to fetch, what to install, what to run."""

import dataclasses

COMMON = ("httpbin==0.10.4", "pytest-httpbin==2.1.0", "setuptools<81")


@dataclasses.dataclass
class Suite:
    name: str
    version: str
    # SHA-256 of the source distribution.
    sha256: str
    # Files and folders below its root.
    tests: tuple
    # Requirements besides those of the library itself.
    needs: tuple = ("pytest==8.4.2",)
    arguments: tuple = ()
    # Variables; {ca} is the file of the certificates that the server's one is signed by.
    environment: dict = dataclasses.field(default_factory=dict)


SUITES = (
    Suite(
        "requests",
        "2.34.2",
        "f288924cae4e29463698d6d60bc6a4da69c89185ad1e0bcc4104f584e960b9ed",
        ("tests",),
        needs=("pytest==8.4.2", "pysocks", "trustme"),
    ),
    Suite(
        "requests-futures",
        "1.1.0",
        "f839cf536e6638a6e0ca1cfd54ac761bf3bb2b5a7ecf9349557e53acc5244d36",
        ("tests",),
    ),
    Suite(
        "requests-cache",
        "1.3.3",
        "79b72d5ac5143992d1836ad78f4d8e65666061dd44e220548caab3723089826b",
        (
            "tests/integration/test_memory.py",
            "tests/integration/test_sqlite.py",
            "tests/integration/test_filesystem.py",
        ),
        needs=(
            *("pytest==8.4.2", "requests-mock==1.12.1", "responses", "tenacity==8.5.0", "time-machine==2.19.0"),
            *("psutil", "rich", "pyyaml", "itsdangerous", "orjson", "ujson", "pytest-rerunfailures"),
        ),
        environment={"USE_PYTEST_HTTPBIN": "true"},
    ),
    Suite(
        "httpie",
        "3.2.4",
        "302ad436c3dc14fd0d1b19d4572ef8d62b146bcd94b505f3c2521f701e2e7a2a",
        ("tests",),
        # Its tests reach into a requests of its time.
        needs=("pytest==8.4.2", "pytest-mock", "responses", "pyyaml", "requests==2.31.0", "urllib3<2"),
        # Two files run pip, and ask PyPI for news, in processes of their own; the tests by name measure 0.1 s.
        arguments=(
            *("--ignore=tests/test_plugins_cli.py", "--ignore=tests/test_update_warnings.py"),
            *("-k", "not stdin_read_warning"),
        ),
    ),
    Suite(
        "httpcore",
        "1.0.9",
        "6e34463af53fd2ab5d807f399a9b45ea31c3dfa2276f15a2c3f00afff6e176e8",
        # The others ask no httpbin, and some of them pass or are skipped by chance.
        ("tests/test_api.py", "tests/_async/test_integration.py", "tests/_sync/test_integration.py"),
        needs=("pytest==8.3.4", "trio==0.27.0", "anyio==4.8.0", "h2==4.1.0", "socksio==1.0.0", "pytest-trio==0.8.0"),
        arguments=("-W", "ignore"),
    ),
    Suite(
        "vcrpy",
        "9.4.2",
        "2ffc051adf50d9a83326c8d365c29929cd6788cef647326b55502b59276d443a",
        ("tests/integration",),
        needs=(
            *("pytest==8.4.2", "pytest-aiohttp", "pytest-asyncio", "aiohttp", "httplib2", "httpx", "requests"),
            *("tornado", "urllib3", "pysocks", "cryptography"),
        ),
        # As its own runtests.sh does.
        environment={"REQUESTS_CA_BUNDLE": "{ca}", "SSL_CERT_FILE": "{ca}"},
    ),
    Suite(
        "niquests",
        "3.9.1",
        "4e43d7e7c247340fdf3f61e04cbc68a8aa6eebca00c76cda168325ab8caa4ea1",
        ("tests",),
        needs=("pytest==7.4.4", "pytest-asyncio==0.23.8", "trustme", "pysocks", "werkzeug==3.0.2"),
    ),
)
