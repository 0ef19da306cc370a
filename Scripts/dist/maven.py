"""proctor-VERSION-ARCH.maven.tar: the helper for JUnit 5 (jar, sources, pom) and the program in a jar with a classifier, laid out
as a repository of Maven, whose URL can be that of the folder."""

import hashlib
import io
import pathlib
import shutil
import subprocess
import tarfile
import tempfile

import program
import shipped
import zips

FOLDER, GROUP, ARTIFACT = "helpers/java", "test.proctor", "proctor-http"
# What its sources are compiled against, from Debian's junit5; users have their own JUnit.
JARS = ("junit-jupiter-api", "junit-platform-commons", "opentest4j", "apiguardian-api")
JUNIT, JAVA = "5.8.2", 17
POM = """\
<?xml version="1.0" encoding="UTF-8"?>
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>{group}</groupId>
  <artifactId>{artifact}</artifactId>
  <version>{version}</version>
  <name>Proctor</name>
  <description>Tests of HTTP clients in JUnit 5, judged by a Proctor server</description>
  <dependencies>
    <dependency>
      <groupId>org.junit.jupiter</groupId>
      <artifactId>junit-jupiter-api</artifactId>
      <version>{junit}</version>
      <scope>provided</scope>
    </dependency>
  </dependencies>
</project>
"""
MANIFEST = "Manifest-Version: 1.0\r\nImplementation-Title: proctor-http\r\nImplementation-Version: {version}\r\n{more}\r\n"


def write(folder: pathlib.Path, built: program.Program) -> list[pathlib.Path]:
    files = program.helper(FOLDER)
    sources = [zips.Entry(path.removeprefix("src/"), text) for path, text in sorted(files.items()) if path.startswith("src/")]
    inside = f"proctor/program/{built.system.maven}"
    prefix = f"{ARTIFACT}-{built.version}"
    content = {
        f"{prefix}.pom": POM.format(group=GROUP, artifact=ARTIFACT, version=built.version, junit=JUNIT).encode(),
        f"{prefix}.jar": _jar(_compiled(sources), built, "Automatic-Module-Name: proctor\r\n"),
        f"{prefix}-sources.jar": _jar(sources, built),
        f"{prefix}-{built.system.maven}.jar": _jar([
            zips.Entry(f"{inside}/name", built.name.encode()),
            zips.Entry(f"{inside}/proctor.gz", built.packed, is_packed=True),
            *built.licences("META-INF/licences"),
        ], built),
    }
    place = f"{GROUP.replace('.', '/')}/{ARTIFACT}/{built.version}"
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for name, one in sorted(content.items()):
            shipped.add(archive, f"{place}/{name}", one, built.time)
            shipped.add(archive, f"{place}/{name}.sha1", hashlib.sha1(one).hexdigest().encode(), built.time)
    return [program.write(folder, f"proctor-{built.version}-{built.system.machine}.maven.tar", buffer.getvalue())]


def _jar(entries: list[zips.Entry], built: program.Program, more: str = "") -> bytes:
    manifest = MANIFEST.format(version=built.version, more=more).encode()
    return zips.archive([zips.Entry("META-INF/MANIFEST.MF", manifest), *entries], built.time)


def _compiled(sources: list[zips.Entry]) -> list[zips.Entry]:
    compiler = shutil.which("javac")
    jars = [pathlib.Path("/usr/share/java") / f"{jar}.jar" for jar in JARS]
    missing = ["javac"] * (compiler is None) + [str(jar) for jar in jars if not jar.exists()]
    if missing:
        raise SystemExit(f"dist: {', '.join(missing)} is missing; apt-get install default-jdk-headless junit5")
    with tempfile.TemporaryDirectory() as folder:
        root = pathlib.Path(folder)
        for entry in sources:
            path = root / "sources" / entry.name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(entry.content)
        words = ["-Xlint:all", "-Werror", "-g", "--release", str(JAVA), "-cp", ":".join(map(str, jars)), "-d", str(root / "classes")]
        subprocess.run([compiler, *words, *(str(root / "sources" / entry.name) for entry in sources)], check=True)
        classes = root / "classes"
        return [zips.Entry(str(path.relative_to(classes)), path.read_bytes()) for path in sorted(classes.rglob("*.class"))]
