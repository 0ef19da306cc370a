#!/usr/bin/env python3
"""Has real clients use the packs of APIs, and says what they did otherwise than the pages of the packs tell.

    packs.py NAME BASE            asks the pack NAME at BASE; exits 1 where something is wrong
    packs.py NAME BASE --least N  exits 1 too where fewer than N clients are there

Clients that are not installed are left out, and named. Programs are those of PATH, libraries those of the Python that runs this.
"""
import argparse
import contextlib
import hashlib
import http.client
import importlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import urllib.parse

from plain_http import Connection

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
PATIENCE = 120


class Wrong(Exception):
    pass


class Missing(Exception):
    pass


def want(isRight, *seen):
    if not isRight:
        raise Wrong(" ".join(str(one) for one in seen)[:2000])


def library(name):
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise Missing(name) from error


def program(name):
    if not shutil.which(name):
        raise Missing(name)
    return name


def run(*words, code=0, **more):
    """The output of a program, both streams; its home is empty."""
    with tempfile.TemporaryDirectory() as home:
        more["env"] = {**{name: value for name, value in os.environ.items() if not name.startswith("AWS_")}, "HOME": home, "XDG_CONFIG_HOME": home, "XDG_CACHE_HOME": home, "NO_PROXY": "*", **more.get("env", {})}
        done = subprocess.run([str(word) for word in words], capture_output=True, text=True, timeout=PATIENCE, **more)
    want(code is None or done.returncode == code, "exit", done.returncode, "of", words[0], done.stdout, done.stderr)
    return done.stdout + done.stderr


def ask(base, method="GET", path="", body=None, **fields):
    """Status, fields and content by Python's own client, which follows no redirect."""
    parts = urllib.parse.urlsplit(base + path)
    connection = Connection(parts.hostname, parts.port, timeout=PATIENCE)
    try:
        target = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        connection.request(method, target, body, {name.replace("_", "-"): value for name, value in fields.items()})
        reply = connection.getresponse()
        return reply.status, reply.headers, reply.read()
    finally:
        connection.close()


@contextlib.contextmanager
def fault(base, name, times=1):
    want(ask(base, "POST", f"/_fault/{name}?times={times}", b"")[0] == 204, "the fault", name)
    try:
        yield
    finally:
        ask(base, "DELETE", "/_fault")


# The feed pack.

def feed_feedparser(base):
    """feedparser reads all three forms, keeps the validators, and sees 304, 301 and 410."""
    feedparser = library("feedparser")
    for form in ("rss", "atom"):
        found = feedparser.parse(f"{base}/{form}")
        want(found.status == 200 and not found.bozo and len(found.entries) == 2, form, found)
        want(found.entries[0].title == "Entry 2", found.entries)
        again = feedparser.parse(f"{base}/{form}", etag=found.etag, modified=found.modified)
        want(again.status == 304 and not again.entries, again)
    ask(base, "POST", "/entries", b"")
    want(len(feedparser.parse(f"{base}/rss", etag=found.etag).entries) == 3, "a new entry")
    want(feedparser.parse(f"{base}/moved/rss").status == 301, "moved")
    want(feedparser.parse(f"{base}/gone/rss").status == 410, "gone")
    with fault(base, "no-feed"):
        want(feedparser.parse(f"{base}/atom").bozo, "no-feed")
    with fault(base, "too-many"):
        want(feedparser.parse(f"{base}/atom").status == 429, "too-many")


def feed_newsboat(base):
    """newsboat reads entries, and asks with its validators the second time."""
    program("newsboat")
    with tempfile.TemporaryDirectory() as folder:
        urls = pathlib.Path(folder, "urls")
        urls.write_text(f"{base}/rss\n{base}/atom\n")
        words = ["newsboat", "-u", urls, "-c", f"{folder}/cache.db", "-x"]
        run(*words, "reload")
        seen = run(*words, "print-unread")
        want(int(seen.split()[0]) >= 2, seen)
        run(*words, "reload")
        want(run(*words, "print-unread") == seen, "the second time")


def feed_faults(base):
    """Each fault by its name, over HTTP."""
    with fault(base, "wrong-length"):
        status, fields, body = ask(base, path="/atom")
        want(status == 200 and int(fields["Content-Length"]) == len(body) and not body.rstrip().endswith(b"</feed>\n"), fields, body[-20:])
    with fault(base, "error-page"):
        want(b"Something went wrong" in ask(base, path="/rss")[2], "error-page")
    want(ask(base, path="/limited/rss")[0] == 200 and ask(base, path="/limited/rss")[0] == 429, "limited")
    want(ask(base, path="/private/rss")[0] == 401, "private")
    want(json.loads(ask(base, path="/json")[2])["version"].endswith("1.1"), "json")
    want(ask(base, "POST", "/_fault/none", b"")[0] == 404, "an unknown fault")


# The tus pack.

def tus_tuspy(base):
    """tuspy uploads in pieces, and goes on where an upload stands."""
    library("tusclient")
    from tusclient import client
    content = os.urandom(100_000)
    tus = client.TusClient(f"{base}/files/")
    with contextlib.redirect_stderr(io.StringIO()):
        uploader = tus.uploader(file_stream=io.BytesIO(content), chunk_size=30_000, metadata={"filename": "a"}, retries=2, retry_delay=0.1)
        uploader.upload()
        want(ask(uploader.url)[2] == content, "the content")
        for name in ("busy", "lost", "half"):
            uploader = tus.uploader(file_stream=io.BytesIO(content), chunk_size=30_000, retries=2, retry_delay=1 if name == "busy" else 0.1)
            uploader.upload_chunk()
            with fault(base, name):
                uploader.upload()
            want(ask(uploader.url)[2] == content, name)


def tus_protocol(base):
    """A client of ours keeps to each rule of tus 1.0, and meets each refusal."""
    tus = {"Tus_Resumable": "1.0.0"}
    want(ask(base, "OPTIONS", "/files/")[1]["Tus-Version"] == "1.0.0", "OPTIONS")
    status, fields, _ = ask(base, "POST", "/files/", b"", **tus, Upload_Length="6")
    want(status == 201 and fields["Location"], status)
    url = fields["Location"]
    patch = {**tus, "Content_Type": "application/offset+octet-stream"}
    status, fields, _ = ask(url, "PATCH", body=b"abc", **patch, Upload_Offset="0")
    want(status == 204 and fields["Upload-Offset"] == "3", status)
    want(ask(url, "PATCH", body=b"def", **patch, Upload_Offset="0")[0] == 409, "a wrong offset")
    want(ask(url, "PATCH", body=b"def", **tus, Content_Type="text/plain", Upload_Offset="3")[0] == 415, "a wrong type")
    want(ask(url, "PATCH", body=b"def", **patch, Upload_Offset="3", Upload_Checksum="sha1 AAAA")[0] == 460, "a wrong checksum")
    want(ask(url, "PATCH", body=b"defg", **patch, Upload_Offset="3")[0] == 413, "too much")
    want(ask(url, "HEAD", **tus)[1]["Upload-Offset"] == "3", "HEAD")
    want(ask(url, "HEAD", Tus_Resumable="0.2")[0] == 412, "another version")
    want(ask(url, "PATCH", body=b"def", **patch, Upload_Offset="3")[0] == 204 and ask(url)[2] == b"abcdef", "the whole")
    want(ask(url, "DELETE", **tus)[0] == 204 and ask(url, "HEAD", **tus)[0] == 404, "DELETE")
    for name, code in (("gone", 410), ("conflict", 409)):
        url = ask(base, "POST", "/files/", b"", **tus, Upload_Length="3")[1]["Location"]
        with fault(base, name):
            want(ask(url, "PATCH", body=b"abc", **patch, Upload_Offset="0")[0] == code, name)
    with fault(base, "no-location"):
        want(ask(base, "POST", "/files/", b"", **tus, Upload_Length="3")[1]["Location"] is None, "no-location")


def tus_draft(base):
    """The IETF's draft: a POST that is not complete, and PATCHes behind it."""
    status, fields, _ = ask(base, "POST", "/files/", b"abc", Upload_Complete="?0", Upload_Length="6")
    want(status == 201 and fields["Upload-Complete"] == "?0", status)
    url = fields["Location"]
    head = ask(url, "HEAD")
    want(head[0] == 204 and head[1]["Upload-Offset"] == "3" and head[1]["Upload-Complete"] == "?0", head[1])
    status, fields, _ = ask(url, "PATCH", body=b"def", Content_Type="application/partial-upload", Upload_Offset="3", Upload_Complete="?1")
    want(status == 204 and fields["Upload-Complete"] == "?1" and ask(url)[2] == b"abcdef", status)


# The pypi pack.

def with_account(base, path):
    return base.replace("http://", "http://user:password@") + path


def pypi_pip(base):
    """pip takes the newest release that fits its Python, with what it depends on, and refuses other bytes."""
    run(sys.executable, "-m", "pip", "--version")
    words = [sys.executable, "-m", "pip", "--isolated", "--no-cache-dir", "--disable-pip-version-check", "download", "--no-input", "-d"]
    with tempfile.TemporaryDirectory() as folder:
        run(*words, folder, "-i", f"{base}/simple/", "Proctor_Hello")
        want(sorted(os.listdir(folder)) == ["proctor_base-1.1-py3-none-any.whl", "proctor_hello-2.0-py3-none-any.whl"], os.listdir(folder))
        run(*words, folder, "-i", with_account(base, "/private/simple/"), "proctor-base==1.0")
        run(*words, folder, "-i", f"{base}/simple/", "proctor-hello==3.0")
        for name in ("busy", "other-bytes", "error-page"):
            for file in os.listdir(folder):
                os.remove(os.path.join(folder, file))
            with fault(base, name):
                seen = run(*words, folder, "-i", f"{base}/simple/", "proctor-base", code=0 if name == "busy" else 1)
            want(("HASHES" in seen) == (name == "other-bytes"), name, seen)


def pypi_uv(base):
    """uv resolves by the metadata beside the wheels, and refuses other bytes."""
    program("uv")
    words = ["uv", "pip", "install", "--no-config", "--no-cache", "--python", sys.executable]
    for words_of_index, needs in ((["--index-url", f"{base}/simple/"], ["proctor-hello"]), (["--index-url", with_account(base, "/private/simple/")], ["proctor-base"])):
        with tempfile.TemporaryDirectory() as folder:
            run(*words, "--target", folder, *words_of_index, *needs)
            want("proctor_base.py" in os.listdir(folder), os.listdir(folder))
    with tempfile.TemporaryDirectory() as folder, fault(base, "no-ranges"), fault(base, "no-json"):
        run(*words, "--target", folder, "--index-url", f"{base}/simple/", "proctor-large")
    with tempfile.TemporaryDirectory() as folder, fault(base, "busy"):
        run(*words, "--target", folder, "--index-url", f"{base}/simple/", "proctor-base")


def pypi_protocol(base):
    """The page in both forms, ranges, validators, metadata and each redirect."""
    status, fields, body = ask(base, path="/simple/proctor-hello/", Accept="application/vnd.pypi.simple.v1+json")
    files = json.loads(body)["files"]
    want(fields["Content-Type"].endswith("json") and len(files) == 4 and files[3]["yanked"] == "it says goodbye", body)
    wheel = ask(files[1]["url"])[2]
    want(hashlib.sha256(wheel).hexdigest() == files[1]["hashes"]["sha256"], "the hash")
    meta = ask(files[1]["url"] + ".metadata")[2]
    want(hashlib.sha256(meta).hexdigest() == files[1]["core-metadata"]["sha256"] and b"Requires-Dist: proctor-base>=1" in meta, meta)
    want(ask(files[1]["url"], Range="bytes=-22")[0] == 206 and ask(files[1]["url"], Range="bytes=-22")[2] == wheel[-22:], "a range")
    tag = ask(base, path="/simple/")[1]["ETag"]
    want(ask(base, path="/simple/", If_None_Match=tag)[0] == 304, "304")
    want(ask(base, path="/simple/Proctor.Hello/")[1]["Location"] == f"{base}/simple/proctor-hello/", "a name")
    want(ask(base, path="/private/simple/")[0] == 401, "401")
    want(ask(base, path="/simple/", Accept="image/png")[0] == 406, "406")
    with fault(base, "other-metadata"):
        changed = json.loads(ask(base, path="/simple/proctor-base/", Accept="application/vnd.pypi.simple.v1+json")[2])["files"][0]
        want(hashlib.sha256(ask(changed["url"] + ".metadata")[2]).hexdigest() != changed["core-metadata"]["sha256"], "other-metadata")


# The oci pack.

IMAGE = "application/vnd.oci.image.manifest.v1+json"


def sha256(content):
    return "sha256:" + hashlib.sha256(content).hexdigest()


def token(base, *scopes):
    query = urllib.parse.urlencode([("service", "registry"), *(("scope", one) for one in scopes)])
    return {"Authorization": "Bearer " + json.loads(ask(base, path=f"/token?{query}")[2])["token"]}


def oci_skopeo(base):
    """skopeo copies an image out of the registry and into it, lists, inspects and deletes it."""
    program("skopeo")
    at = base.replace("http://", "docker://")
    with tempfile.TemporaryDirectory() as folder:
        copy = ["skopeo", "copy", "--src-tls-verify=false", "--dest-tls-verify=false", "--insecure-policy"]
        run(*copy, f"{at}/library/hello:latest", f"dir:{folder}/image")
        run(*copy, f"dir:{folder}/image", f"{at}/mine/app:1")
        seen = json.loads(run("skopeo", "inspect", "--tls-verify=false", "--config", f"{at}/mine/app:1"))
        want(seen["os"] == "linux", seen)
        run(*copy, f"{at}/library/hello:1.0", f"{at}/mine/app:2")
        want(json.loads(run("skopeo", "list-tags", "--tls-verify=false", f"{at}/mine/app"))["Tags"] == ["1", "2"], "tags")
        run(*copy, "--dest-creds", "user:password", f"dir:{folder}/image", f"{at}/private/app:1")
        run("skopeo", "inspect", "--tls-verify=false", "--creds", "user:wrong", f"{at}/private/app:1", code=1)
        for name, code in (("token-expired", None), ("no-redirect", 0), ("other-bytes", 1), ("other-digest", None), ("cut", None), ("upload-gone", 1)):
            with fault(base, name):
                target = f"{at}/mine/{name}:1" if name == "upload-gone" else f"dir:{folder}/{name}"
                run(*copy, f"dir:{folder}/image" if name == "upload-gone" else f"{at}/library/hello:latest", target, code=code)
        run("skopeo", "delete", "--tls-verify=false", f"{at}/mine/app:1")


def oci_oras(base):
    """The library oras pulls an image by a token."""
    library("oras")
    from oras.client import OrasClient
    with tempfile.TemporaryDirectory() as folder:
        host = base.removeprefix("http://")
        client = OrasClient(hostname=host, insecure=True, auth_backend="token")
        want(client.get_tags(f"{host}/library/hello") == ["1.0", "latest"], "tags")
        files = client.pull(target=f"{host}/library/hello:latest", outdir=folder)
        want(b"Hello from Proctor" in pathlib.Path(files[0]).read_bytes(), files)


def oci_protocol(base):
    """Chunks in order alone, digests, mounts, referrers, pages of tags, and each refusal."""
    want('realm="' + base + '/token"' in ask(base, path="/v2/")[1]["WWW-Authenticate"], "the challenge")
    auth = token(base, "repository:mine/own:pull,push,delete", "repository:library/hello:pull")
    want(ask(base, path="/v2/mine/other/tags/list", **auth)[0] == 401, "another scope")
    content = b"0123456789"
    url = ask(base, "POST", "/v2/mine/own/blobs/uploads/", b"", **auth)[1]["Location"]
    chunk = {**auth, "Content_Type": "application/octet-stream"}
    want(ask(url, "PATCH", body=content[5:], **chunk, Content_Range="5-9")[0] == 416, "a chunk too far")
    want(ask(url, "PATCH", body=content[:5], **chunk, Content_Range="0-4")[1]["Range"] == "0-4", "the first chunk")
    want(ask(url, path=f"?digest={sha256(b'other')}", method="PUT", body=content[5:], **chunk)[0] == 400, "another digest")
    want(ask(url, path=f"?digest={sha256(content)}", method="PUT", body=content[5:], **chunk)[0] == 201, "the last chunk")
    status, fields, _ = ask(base, path=f"/v2/mine/own/blobs/{sha256(content)}", **auth)
    want(status == 307 and ask(fields["Location"], Range="bytes=2-4")[2] == b"234", status)
    with fault(base, "strict-storage"):
        want(ask(fields["Location"], **auth)[0] == 400, "strict-storage")
    hello = json.loads(ask(base, path="/v2/library/hello/manifests/latest", **auth, Accept=IMAGE)[2])
    for one in (hello["config"], *hello["layers"]):
        want(ask(base, "POST", f"/v2/mine/own/blobs/uploads/?mount={one['digest']}&from=library/hello", b"", **auth)[0] == 201, "mount")
    put = {**auth, "Content_Type": IMAGE}
    whole = json.dumps(hello).encode()
    status, fields, _ = ask(base, "PUT", "/v2/mine/own/manifests/a", whole, **put)
    want(status == 201 and fields["Docker-Content-Digest"] == sha256(whole), status)
    lost = json.dumps({**hello, "layers": [{**hello["layers"][0], "digest": sha256(b"none")}]}).encode()
    want(b"MANIFEST_BLOB_UNKNOWN" in ask(base, "PUT", "/v2/mine/own/manifests/b", lost, **put)[2], "a blob that is not there")
    signed = json.dumps({**hello, "artifactType": "text/signature", "subject": {"mediaType": IMAGE, "digest": sha256(whole), "size": len(whole)}}).encode()
    want(ask(base, "PUT", "/v2/mine/own/manifests/b", signed, **put)[1]["OCI-Subject"] == sha256(whole), "a subject")
    status, fields, body = ask(base, path=f"/v2/mine/own/referrers/{sha256(whole)}?artifactType=text/signature", **auth)
    want(fields["OCI-Filters-Applied"] == "artifactType" and json.loads(body)["manifests"][0]["digest"] == sha256(signed), body)
    want(json.loads(ask(base, path=f"/v2/mine/own/referrers/{sha256(b'none')}", **auth)[2])["manifests"] == [], "no referrers")
    status, fields, body = ask(base, path="/v2/mine/own/tags/list?n=1", **auth)
    want(json.loads(body)["tags"] == ["a"] and "last=a" in fields["Link"], fields)
    with fault(base, "no-referrers"):
        want(ask(base, path=f"/v2/mine/own/referrers/{sha256(whole)}", **auth)[0] == 404, "no-referrers")
    want(ask(base, "DELETE", f"/v2/mine/own/manifests/{sha256(whole)}", **auth)[0] == 202, "DELETE")
    want(ask(base, path="/v2/mine/own/manifests/a", **auth, Accept=IMAGE)[0] == 404, "what was deleted")


# The s3 pack.

ACCOUNT = {"aws_access_key_id": "PROCTOR", "aws_secret_access_key": "proctor-secret", "region_name": "us-east-1"}


def refused(error, code, call, **words):
    try:
        call(**words)
    except error as failure:
        want(failure.response["Error"]["Code"] == code, failure)
        return failure
    raise Wrong(f"{code} was wanted, and the call worked")


def s3_boto3(base):
    """boto3 keeps, reads, lists, copies and deletes, in parts too, and meets each refusal."""
    library("boto3")
    import boto3
    from botocore.config import Config
    from botocore.exceptions import ClientError
    os.environ.update(AWS_EC2_METADATA_DISABLED="true", AWS_CONFIG_FILE=os.devnull, AWS_SHARED_CREDENTIALS_FILE=os.devnull)

    def client(**more):
        return boto3.client("s3", endpoint_url=base, config=Config(**{"retries": {"max_attempts": 0}, "signature_version": "s3v4", **more.pop("config", {})}), **{**ACCOUNT, **more})

    s3 = client()
    s3.create_bucket(Bucket="one")
    want([one["Name"] for one in s3.list_buckets()["Buckets"]] == ["one"], "buckets")
    tag = s3.put_object(Bucket="one", Key="a/b c+d", Body=b"0123456789", Metadata={"of": "x"}, ContentType="text/plain")["ETag"]
    got = s3.get_object(Bucket="one", Key="a/b c+d")
    want(got["Body"].read() == b"0123456789" and got["ETag"] == tag and got["Metadata"] == {"of": "x"} and got["ContentType"] == "text/plain", got)
    want(s3.get_object(Bucket="one", Key="a/b c+d", Range="bytes=2-4")["Body"].read() == b"234", "a range")
    refused(ClientError, "304", s3.get_object, Bucket="one", Key="a/b c+d", IfNoneMatch=tag)
    refused(ClientError, "PreconditionFailed", s3.put_object, Bucket="one", Key="a/b c+d", Body=b"", IfNoneMatch="*")
    refused(ClientError, "PreconditionFailed", s3.put_object, Bucket="one", Key="a/b c+d", Body=b"", IfMatch='"0"')
    refused(ClientError, "NoSuchKey", s3.get_object, Bucket="one", Key="none")
    refused(ClientError, "NoSuchBucket", s3.list_objects_v2, Bucket="none")
    refused(ClientError, "BucketNotEmpty", s3.delete_bucket, Bucket="one")
    for number in range(5):
        s3.put_object(Bucket="one", Key=f"list/{number}", Body=b"x")
    pages = list(s3.get_paginator("list_objects_v2").paginate(Bucket="one", Prefix="list/", PaginationConfig={"PageSize": 2}))
    want(len(pages) == 3 and [one["Key"] for page in pages for one in page["Contents"]] == [f"list/{number}" for number in range(5)], pages)
    found = s3.list_objects_v2(Bucket="one", Delimiter="/")
    want([one["Prefix"] for one in found["CommonPrefixes"]] == ["a/", "list/"], found)
    s3.copy_object(Bucket="one", Key="copy", CopySource={"Bucket": "one", "Key": "a/b c+d"})
    want(s3.head_object(Bucket="one", Key="copy")["Metadata"] == {"of": "x"}, "a copy")
    upload = s3.create_multipart_upload(Bucket="one", Key="parts")["UploadId"]
    parts = [{"PartNumber": number, "ETag": s3.upload_part(Bucket="one", Key="parts", UploadId=upload, PartNumber=number, Body=b"p" * 70_000)["ETag"]} for number in (1, 2)]
    refused(ClientError, "InvalidPartOrder", s3.complete_multipart_upload, Bucket="one", Key="parts", UploadId=upload, MultipartUpload={"Parts": parts[::-1]})
    with fault(base, "late-error", 5):
        refused(ClientError, "InternalError", s3.complete_multipart_upload, Bucket="one", Key="parts", UploadId=upload, MultipartUpload={"Parts": parts})
    want(s3.complete_multipart_upload(Bucket="one", Key="parts", UploadId=upload, MultipartUpload={"Parts": parts})["ETag"].endswith('-2"'), "parts")
    want(s3.get_object(Bucket="one", Key="parts")["Body"].read() == b"p" * 140_000, "the parts together")
    url = s3.generate_presigned_url("get_object", Params={"Bucket": "one", "Key": "copy"}, ExpiresIn=60)
    want(ask(url)[2] == b"0123456789" and ask(url[:-1] + ("0" if url[-1] != "0" else "1"))[0] == 403, "a URL that is signed")
    refused(ClientError, "SignatureDoesNotMatch", client(aws_secret_access_key="another").list_buckets)
    refused(ClientError, "InvalidAccessKeyId", client(aws_access_key_id="ANOTHER").list_buckets)
    with fault(base, "slow-down"):
        refused(ClientError, "SlowDown", s3.list_buckets)
    with fault(base, "slow-down"):
        want(client(config={"retries": {"max_attempts": 3}}).list_buckets()["Buckets"], "a further try")
    with fault(base, "other-etag"):
        want(s3.put_object(Bucket="one", Key="etag", Body=b"x")["ETag"] != '"9dd4e461268c8034f5c8564e155c67a6"', "other-etag")
    with fault(base, "skewed"):
        refused(ClientError, "RequestTimeTooSkewed", client().list_objects_v2, Bucket="one")
    with fault(base, "other-region"):
        want(s3.head_object(Bucket="one", Key="copy")["ContentLength"] == 10, "other-region")
    want(len(s3.delete_objects(Bucket="one", Delete={"Objects": [{"Key": f"list/{number}"} for number in range(5)]})["Deleted"]) == 5, "delete")


def s3_minio(base):
    """minio keeps and reads by its own signatures, which it makes of each chunk."""
    library("minio")
    from minio import Minio
    client = Minio(base.removeprefix("http://"), access_key="PROCTOR", secret_key="proctor-secret", secure=False, region="us-east-1")
    client.make_bucket("two")
    content = os.urandom(100_000)
    client.put_object("two", "a", io.BytesIO(content), len(content))
    reply = client.get_object("two", "a")
    want(reply.read() == content, "the content")
    reply.close()
    want([one.object_name for one in client.list_objects("two")] == ["a"], "a list")
    client.remove_object("two", "a")
    client.remove_bucket("two")


def s3_rclone(base):
    """rclone copies a folder there and back, and behind a fault too."""
    program("rclone")
    words = ["rclone", "--config", os.devnull, "--s3-provider", "Other", "--s3-endpoint", base, "--s3-access-key-id", "PROCTOR", "--s3-secret-access-key", "proctor-secret",
             "--s3-region", "us-east-1", "--low-level-retries", "3"]
    with tempfile.TemporaryDirectory() as folder:
        for name in ("a.txt", "b.txt"):
            pathlib.Path(folder, "in").mkdir(exist_ok=True)
            pathlib.Path(folder, "in", name).write_text(name * 1000)
        run(*words, "mkdir", ":s3:three")
        run(*words, "copy", f"{folder}/in", ":s3:three")
        with fault(base, "slow-down"):
            run(*words, "copy", ":s3:three", f"{folder}/out")
        want(pathlib.Path(folder, "out", "b.txt").read_text() == "b.txt" * 1000, "the content")
        with fault(base, "other-bytes", 10):
            want("corrupted" in run(*words, "copy", "--retries", "1", ":s3:three", f"{folder}/wrong", code=None), "other-bytes")


# The otlp pack.

def received(base, name):
    return json.loads(ask(base, path="/received")[2])[name]


def otlp_exporters(base):
    """The exporters of OpenTelemetry's SDK send traces, metrics and logs, coded and not, and try again behind a 503."""
    library("opentelemetry.exporter.otlp.proto.http")
    from opentelemetry.exporter.otlp.proto.http import Compression
    from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.metrics import MeterProvider
    from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

    class Noted(SpanExporter):
        """The exporter, and the result of each of its exports."""

        def __init__(self, compression):
            self.own, self.results = OTLPSpanExporter(f"{base}/v1/traces", compression=compression, timeout=20), []

        def export(self, spans):
            self.results.append(self.own.export(spans))
            return self.results[-1]

        def shutdown(self):
            self.own.shutdown()

    def spans(compression, count):
        from opentelemetry.sdk.trace.export import SimpleSpanProcessor
        exporter, provider = Noted(compression), TracerProvider()
        provider.add_span_processor(SimpleSpanProcessor(exporter))
        for number in range(count):
            with provider.get_tracer("packs").start_as_current_span(f"span {number}"):
                pass
        provider.shutdown()
        return [one is SpanExportResult.SUCCESS for one in exporter.results]

    want(all(spans(Compression.NoCompression, 2) + spans(Compression.Gzip, 2)) and received(base, "traces") == {"requests": 4, "items": 4}, received(base, "traces"))
    with fault(base, "busy"):
        want(spans(Compression.NoCompression, 1) == [True] and received(base, "traces")["items"] == 5, "busy")
    with fault(base, "bad-data"):
        want(spans(Compression.NoCompression, 1) == [False], "bad-data")
    with fault(base, "partial"):
        want(spans(Compression.NoCompression, 1) == [True] and received(base, "traces")["items"] == 5, "partial")
    reader = PeriodicExportingMetricReader(OTLPMetricExporter(f"{base}/v1/metrics"), export_interval_millis=1 << 30)
    provider = MeterProvider(metric_readers=[reader])
    provider.get_meter("packs").create_counter("count").add(1)
    provider.shutdown()
    want(received(base, "metrics")["items"] >= 1, received(base, "metrics"))


def otlp_protocol(base):
    """JSON, and each refusal."""
    kind = {"Content_Type": "application/json"}
    logs = json.dumps({"resourceLogs": [{"scopeLogs": [{"logRecords": [{"body": {"stringValue": "a"}}, {}]}]}]}).encode()
    before = received(base, "logs")["items"]
    want(ask(base, "POST", "/v1/logs", logs, **kind)[2] == b"{}" and received(base, "logs")["items"] == before + 2, "logs")
    with fault(base, "partial"):
        want(json.loads(ask(base, "POST", "/v1/logs", logs, **kind)[2])["partialSuccess"]["rejectedLogRecords"] == "1", "partial")
    for name, code in (("unavailable", 503), ("too-large", 413), ("bad-data", 400)):
        with fault(base, name):
            want(ask(base, "POST", "/v1/logs", logs, **kind)[0] == code, name)
    with fault(base, "no-content"):
        want(ask(base, "POST", "/v1/logs", logs, **kind)[2] == b"<!doctype html>", "no-content")
    want(ask(base, "POST", "/v1/traces", b"\x0a\x05abc", Content_Type="application/x-protobuf")[0] == 400, "a message that breaks off")
    want(ask(base, "POST", "/v1/traces", b"{", **kind)[0] == 400 and ask(base, "POST", "/v1/traces", b"", Content_Type="text/plain")[0] == 415, "no message")


# The mcp pack.

def mcp_sdk(base):
    """The Python SDK lists tools, calls them, resumes a stream that broke off, and comes to what needs a token."""
    library("mcp.client.client")
    import asyncio

    import httpx2
    from mcp.client.auth import OAuthClientProvider
    from mcp.client.auth.oauth2 import AuthorizationCodeResult
    from mcp.client.client import Client
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared.auth import OAuthClientMetadata

    class Storage:
        tokens = client = None

        async def get_tokens(self):
            return self.tokens

        async def set_tokens(self, tokens):
            self.tokens = tokens

        async def get_client_info(self):
            return self.client

        async def set_client_info(self, client):
            self.client = client

    async def text(client, name, **given):
        return (await client.call_tool(name, given)).content[0].text

    async def openly():
        async with Client(f"{base}/mcp", mode="legacy") as client:
            want([one.name for one in (await client.list_tools()).tools] == ["echo", "count", "fail"], "tools")
            want(await text(client, "echo", text="Hello") == "Hello" and await text(client, "count", to=3) == "3", "calls")
            want((await client.call_tool("fail", {})).is_error, "a call that fails")
            for name in ("as-json", "stream-cut"):
                with fault(base, name):
                    want(await text(client, "echo", text=name) == name, name)
            with fault(base, "session-gone"):
                try:
                    await client.call_tool("echo", {"text": "gone"})
                except Exception as error:  # of the SDK
                    want("ession" in str(error) or "404" in str(error), error)

    async def by_token():
        codes = []

        async def redirected(url):
            place = ask(url)[1]["Location"]
            codes.append(dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(place).query)))

        async def called_back():
            return AuthorizationCodeResult(code=codes[-1]["code"], state=codes[-1].get("state"))

        data = OAuthClientMetadata(client_name="packs", redirect_uris=["http://127.0.0.1:1/callback"], grant_types=["authorization_code", "refresh_token"], response_types=["code"])
        provider = OAuthClientProvider(f"{base}/private/mcp", data, Storage(), redirected, called_back)
        async with httpx2.AsyncClient(auth=provider, trust_env=False, timeout=30) as http:
            async with Client(streamable_http_client(f"{base}/private/mcp", http_client=http), mode="legacy") as client:
                want(await text(client, "echo", text="by a token") == "by a token" and len(codes) == 1, codes)

    asyncio.run(openly())
    asyncio.run(by_token())


def mcp_protocol(base):
    """A client of ours meets each refusal, and resumes a stream."""
    url = f"{base}/mcp"
    both = {"Accept": "application/json, text/event-stream", "Content_Type": "application/json"}

    def message(method, number=None, **params):
        return json.dumps({"jsonrpc": "2.0", "method": method, "params": params, **({"id": number} if number else {})}).encode()

    begin = message("initialize", 1, protocolVersion="2025-11-25", capabilities={}, clientInfo={"name": "packs", "version": "1"})
    status, fields, body = ask(url, "POST", body=begin, **both)
    want(status == 200 and json.loads(body)["result"]["protocolVersion"] == "2025-11-25", body)
    session = {**both, "Mcp_Session_Id": fields["Mcp-Session-Id"], "MCP_Protocol_Version": "2025-11-25"}
    want(ask(url, "POST", body=message("notifications/initialized"), **session)[0] == 202, "a notification")
    call = message("tools/call", 2, name="count", arguments={"to": 2}, _meta={"progressToken": "p"})
    body = ask(url, "POST", body=call, **session)[2]
    want(body.count(b"notifications/progress") == 2 and b'"text":"2"' in body, body)
    with fault(base, "stream-cut"):
        cut = ask(url, "POST", body=call, **session)[2].decode()
    last = [line[4:] for line in cut.splitlines() if line.startswith("id: ")][-1]
    want(b'"text":"2"' in ask(url, **session, Last_Event_ID=last)[2] and '"text":"2"' not in cut, cut)
    want(ask(url, **session)[0] == 405, "a GET that resumes nothing")
    want(ask(url, "POST", body=call, **{**session, "Accept": "application/json"})[0] == 406, "Accept")
    want(ask(url, "POST", body=call, **{**session, "MCP_Protocol_Version": "1999-01-01"})[0] == 400, "a version")
    want(ask(url, "POST", body=call, **both)[0] == 400, "no session")
    want(ask(url, "POST", body=call, **session, Origin="https://example.org")[0] == 403, "an origin")
    with fault(base, "old-version"):
        want(b"2024-11-05" in ask(url, "POST", body=begin, **both)[2], "old-version")
    with fault(base, "no-answer"):
        want(b"data:" not in ask(url, "POST", body=call, **session)[2], "no-answer")
    want(ask(url, "DELETE", **session)[0] == 204 and ask(url, "POST", body=call, **session)[0] == 404, "DELETE")
    status, fields, _ = ask(f"{base}/private/mcp", "POST", body=begin, **both)
    want(status == 401 and "resource_metadata=" in fields["WWW-Authenticate"], fields)


# The dav pack.

def dav_webdav4(base):
    """webdav4 makes folders, keeps, lists, moves, copies and deletes."""
    library("webdav4.client")
    from webdav4.client import Client
    client = Client(base, trust_env=False, timeout=20)
    client.mkdir("one")
    client.upload_fileobj(io.BytesIO(b"text"), "one/a b.txt")
    want([(row["name"], row["type"], row["content_length"]) for row in client.ls("one")] == [("one/a b.txt", "file", 4)], client.ls("one"))
    client.move("one/a b.txt", "one/c.txt")
    client.copy("one", "two")
    out = io.BytesIO()
    client.download_fileobj("two/c.txt", out)
    want(out.getvalue() == b"text" and not client.exists("one/a b.txt") and client.isdir("two"), out.getvalue())
    with fault(base, "hrefs-in-full"):
        want(client.exists("two/c.txt"), "hrefs-in-full")
    client.remove("one")
    client.remove("two")


def dav_rclone(base):
    """rclone copies a folder there and back, and behind a fault too."""
    program("rclone")
    words = ["rclone", "--config", os.devnull, "--webdav-url", base, "--webdav-vendor", "other", "--low-level-retries", "3"]
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "in", "deep").mkdir(parents=True)
        pathlib.Path(folder, "in", "deep", "a.txt").write_text("text")
        run(*words, "copy", f"{folder}/in", ":webdav:rclone")
        with fault(base, "too-many"):
            run(*words, "copy", ":webdav:rclone", f"{folder}/out")
        want(pathlib.Path(folder, "out", "deep", "a.txt").read_text() == "text", "the content")
        run(*words, "purge", ":webdav:rclone")


def dav_cadaver(base):
    """cadaver locks a file, changes it and unlocks it."""
    program("cadaver")
    with tempfile.TemporaryDirectory() as folder:
        pathlib.Path(folder, "a.txt").write_text("text")
        seen = run("cadaver", base + "/", input="mkcol cadaver\ncd cadaver\nput a.txt\nlock a.txt\nput a.txt\nls\nunlock a.txt\npropset a.txt colour blue\npropget a.txt colour\ndelete a.txt\nquit\n", cwd=folder)
        want("failed" not in seen.lower() and "a.txt" in seen, seen)
    want(ask(base, "DELETE", "/cadaver")[0] == 204, "the folder")


def dav_protocol(base):
    """Depth, locks, conditions, 404s within a 207, a sync token, and each refusal."""
    want(ask(base, "OPTIONS", "/")[1]["DAV"] == "1, 2", "OPTIONS")
    want(ask(base, "PUT", "/none/a", b"x")[0] == 409 and ask(base, "MKCOL", "/own", b"")[0] == 201 and ask(base, "MKCOL", "/own", b"")[0] == 405, "MKCOL")
    token = ask(base, "REPORT", "/own", b'<D:sync-collection xmlns:D="DAV:"><D:sync-token/><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>')[2].decode()
    token = token.partition("<D:sync-token>")[2].partition("<")[0]
    status, fields, _ = ask(base, "PUT", "/own/a", b"text")
    tag = fields["ETag"]
    want(status == 201 and ask(base, "PUT", "/own/a", b"more", If_None_Match="*")[0] == 412 and ask(base, "PUT", "/own/a", b"more", If_Match='"0"')[0] == 412, status)
    sync = f'<D:sync-collection xmlns:D="DAV:"><D:sync-token>{token}</D:sync-token><D:sync-level>1</D:sync-level><D:prop><D:getetag/></D:prop></D:sync-collection>'.encode()
    want(ask(base, "REPORT", "/own", sync)[2].count(b"<D:response>") == 1, "what has changed")
    with fault(base, "old-token"):
        want(b"valid-sync-token" in ask(base, "REPORT", "/own", sync)[2], "old-token")
    asked = b'<D:propfind xmlns:D="DAV:" xmlns:x="urn:x"><D:prop><D:getcontentlength/><x:none/></D:prop></D:propfind>'
    status, _, body = ask(base, "PROPFIND", "/own/a", asked, Depth="0")
    want(status == 207 and b"<D:getcontentlength>4<" in body and b"404 Not Found" in body, body)
    want(ask(base, "PROPFIND", "/own", asked, Depth="1")[2].count(b"<D:response>") == 2, "Depth: 1")
    want(ask(base, "PROPFIND", "/own", asked)[2].count(b"<D:response>") == 2 and ask(base, "PROPFIND", "/own", asked, Depth="2")[0] == 400, "Depth")
    with fault(base, "finite-depth"):
        want(b"propfind-finite-depth" in ask(base, "PROPFIND", "/own", asked, Depth="infinity")[2], "finite-depth")
    info = b'<D:lockinfo xmlns:D="DAV:"><D:lockscope><D:exclusive/></D:lockscope><D:locktype><D:write/></D:locktype></D:lockinfo>'
    lock = ask(base, "LOCK", "/own/a", info, Depth="0", Timeout="Second-60")[1]["Lock-Token"]
    want(ask(base, "PUT", "/own/a", b"x")[0] == 423 and ask(base, "LOCK", "/own/a", info)[0] == 423, "a lock")
    want(ask(base, "PUT", "/own/a", b"x", If=f"({lock} [{tag}])")[0] == 204 and ask(base, "PUT", "/own/a", b"x", If=f"({lock} [{tag}])")[0] == 412, "If")
    want(ask(base, "UNLOCK", "/own/a", Lock_Token="<urn:none>")[0] == 409 and ask(base, "UNLOCK", "/own/a", Lock_Token=lock)[0] == 204, "UNLOCK")
    want(ask(base, "MOVE", "/own/a", Destination="http://example.org/a")[0] == 502 and ask(base, "COPY", "/own", Destination=f"{base}/own/in")[0] == 403, "a destination")
    want(ask(base, "COPY", "/own", Destination=f"{base}/other")[0] == 201 and ask(base, "COPY", "/own", Destination=f"{base}/other", Overwrite="F")[0] == 412, "Overwrite")
    for name, method, code in (("no-propfind", "PROPFIND", 405), ("wrong-status", "PROPFIND", 200), ("locked", "DELETE", 423), ("no-space", "PUT", 507)):
        with fault(base, name):
            want(ask(base, method, "/other/a", asked if method == "PROPFIND" else b"", Depth="0")[0] == code, name)
    want(ask(base, "DELETE", "/own")[0] == 204 and ask(base, "DELETE", "/other")[0] == 204, "DELETE")


# The media pack.

def played(url, code=0, *words):
    """The seconds of sound that ffmpeg reads, as text, and what it says."""
    seen = run("ffmpeg", "-hide_banner", "-nostdin", "-loglevel", "info", *words, "-i", url, "-f", "null", "-", code=code)
    times = [line.rpartition("time=")[2].split()[0] for line in seen.replace("\r", "\n").splitlines() if "time=" in line]
    return (times or [""])[-1], seen


def media_ffmpeg(base):
    """ffmpeg plays the playlists with cookies, tokens and redirects, a live one to its end, and an ICY stream."""
    program("ffmpeg")
    for place in ("hls", "cookie", "token"):
        time, seen = played(f"{base}/{place}/master.m3u8")
        want(time >= "00:00:02.9", place, time, seen)
    for name in ("redirect-playlist", "redirect-segment", "segment-busy"):
        with fault(base, name):
            time, seen = played(f"{base}/hls/high.m3u8", None)
            want(name == "segment-busy" or time >= "00:00:02.9", name, time, seen)
    with fault(base, "hole"):
        time, seen = played(f"{base}/hls/high.m3u8", None)
        want(time < "00:00:02.9", "hole", time, seen)
    with fault(base, "no-playlist"):
        played(f"{base}/hls/high.m3u8", 1)
    time, seen = played(f"{base}/live/live.m3u8")
    want(time >= "00:00:04", "live", time, seen)
    time, seen = played(f"{base}/radio")
    want("StreamTitle" in seen and "Silence" in seen and time >= "00:00:02.9", "radio", time, seen)


def media_mpg123(base):
    """mpg123 plays a segment, and a stream whose status line says ICY."""
    program("mpg123")
    for path in ("/hls/low-0.mp3", "/icy", "/radio"):
        seen = run("mpg123", "--test", "--no-control", base + path)
        want("Decoding of" in seen or "finished" in seen, path, seen)


def media_protocol(base):
    """The levels, and each fault, over HTTP."""
    want(ask(base, path="/hls/master.m3u8")[1]["Content-Type"] == "application/vnd.apple.mpegurl", "a type")
    want(ask(base, path="/cookie/low.m3u8")[0] == 403 and ask(base, path="/token/low-0.mp3")[0] == 403, "what is missing")
    for name, path, code in (("hole", "/hls/low-0.mp3", 404), ("segment-busy", "/hls/low-0.mp3", 503), ("redirect-segment", "/hls/low-0.mp3", 302), ("redirect-playlist", "/hls/low.m3u8", 302)):
        with fault(base, name):
            want(ask(base, path=path)[0] == code and ask(base, path=path)[0] == 200, name)
    with fault(base, "wrong-type"):
        want(ask(base, path="/hls/low.m3u8")[1]["Content-Type"] == "text/html", "wrong-type")
    with fault(base, "stale"):
        want(b"MEDIA-SEQUENCE:0" in ask(base, path="/live/live.m3u8")[2], "stale")
    with fault(base, "segment-cut"):
        try:
            ask(base, path="/hls/low-0.mp3")
            raise Wrong("segment-cut")
        except http.client.IncompleteRead:
            pass


CHECKS = {
    "media": (media_ffmpeg, media_mpg123, media_protocol),
    "dav": (dav_webdav4, dav_rclone, dav_cadaver, dav_protocol),
    "mcp": (mcp_sdk, mcp_protocol),
    "otlp": (otlp_exporters, otlp_protocol),
    "s3": (s3_boto3, s3_minio, s3_rclone),
    "oci": (oci_skopeo, oci_oras, oci_protocol),
    "feed": (feed_feedparser, feed_newsboat, feed_faults),
    "tus": (tus_tuspy, tus_protocol, tus_draft),
    "pypi": (pypi_pip, pypi_uv, pypi_protocol),
}


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("name", choices=sorted(CHECKS))
    words.add_argument("base")
    words.add_argument("--least", type=int, default=0)
    given = words.parse_args()
    base, wrong, missing, asked = given.base.rstrip("/"), [], [], 0
    for check in CHECKS[given.name]:
        try:
            asked += 1
            check(base)
        except Missing as error:
            asked -= 1
            missing.append(str(error))
        except Exception as error:  # whatever a library raises is a wrong answer
            wrong.append(f"{check.__name__}: {type(error).__name__}: {error}")
    for sentence in wrong:
        print(sentence)
    print(f"{asked} clients, {len(wrong)} wrong" + (f"; not here: {', '.join(missing)}" if missing else ""))
    return 1 if wrong or asked < given.least else 0


if __name__ == "__main__":
    sys.exit(main())
