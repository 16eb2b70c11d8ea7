"""Deploys template.yaml on an emulator of AWS, tests the API, updates the stack and deletes it; called by deploy.

The emulator does not imitate the caches and the compression of CloudFront, the expiry of records, and conditions on the
keys of records in the policies of roles, and the boundary of these policies. Functions are processes of this machine,
without limits of memory.
"""

import datetime
import hashlib
import http.client
import http.server
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import threading
import time
import zipfile

import boto3
from botocore.config import Config

from deploy_template import transform_for

EMULATOR = sys.argv[1]
ENDPOINT = f"http://{EMULATOR}"
STACK = "tickets"
CODE = "code"
ISSUER = "https://id.example/tickets"
MAIL = {
    "MailFrom": "Tickets <tickets@example.com>",
    "PasswordResetUrl": "https://www.example.com/reset",
    "EmailVerificationUrl": "https://www.example.com/verify",
    "TicketsUrl": "https://www.example.com/tickets",
}


def client(service):
    config = Config(s3={"addressing_style": "path"}, retries={"total_max_attempts": 1})
    return boto3.client(service, endpoint_url=ENDPOINT, config=config)


cloudformation, s3, functions = client("cloudformation"), client("s3"), client("lambda")


def upload(name, content):
    key = f"{name}/{hashlib.sha256(content).hexdigest()}"
    s3.put_object(Bucket=CODE, Key=key, Body=content)
    return key


def package(binary):
    """Uploads a bootstrap as `sam deploy` does."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        bootstrap = zipfile.ZipInfo("bootstrap")
        bootstrap.external_attr = 0o755 << 16
        file.writestr(bootstrap, pathlib.Path(f"target/lambda/{binary}/bootstrap").read_bytes())
    return {"Bucket": CODE, "Key": upload(binary, archive.getvalue())}


# Stack


def start(operation, time, **parameters):
    """Creates or updates the stack. Another time publishes versions of all functions."""
    template = transform_for(EMULATOR, package, time)
    operation(
        StackName=STACK,
        TemplateURL=f"{ENDPOINT}/{CODE}/{upload('template', json.dumps(template).encode())}",
        Parameters=[{"ParameterKey": name, "ParameterValue": value} for name, value in parameters.items()],
        Capabilities=["CAPABILITY_IAM"])


def events(name):
    pages = cloudformation.get_paginator("describe_stack_events").paginate(StackName=name)
    return [event for page in pages for event in page["StackEvents"]]


def wait(status, name=STACK):
    """Waits until the operation ends; returns the stack with its outputs, and its resources by state."""
    deadline = time.monotonic() + 120
    while (stack := cloudformation.describe_stacks(StackName=name)["Stacks"][0])["StackStatus"].endswith("IN_PROGRESS"):
        assert time.monotonic() < deadline, stack
        time.sleep(0.2)
    failed = [event for event in events(name) if event["ResourceStatus"].endswith("FAILED")]
    assert stack["StackStatus"] == status and not failed, (stack["StackStatus"], failed)
    stack["Outputs"] = {output["OutputKey"]: output["OutputValue"] for output in stack.get("Outputs", [])}
    pages = cloudformation.get_paginator("list_stack_resources").paginate(StackName=name)
    resources = [resource for page in pages for resource in page["StackResourceSummaries"]]
    return stack, {resource["LogicalResourceId"]: resource for resource in resources}


def live_functions(resources):
    """Returns the version and the variables of each bootstrap that its alias `live` names."""
    live = {}
    for name, alias in resources.items():
        if alias["ResourceType"] == "AWS::Lambda::Alias":
            arn, qualifier = alias["PhysicalResourceId"].rsplit(":", 1)
            configuration = functions.get_function_configuration(FunctionName=arn, Qualifier=qualifier)
            live[name] = configuration["Version"], configuration["Environment"]["Variables"]
    return live


def authorizer_issuer(resources):
    """Returns the issuer of the authorizer that the gateway calls."""
    name = resources["ManagersAuthorize"]["PhysicalResourceId"]
    return functions.get_function_configuration(FunctionName=name)["Environment"]["Variables"]["MANAGER_ISSUER"]


# Requests


def send(method, path, headers=(), body=b"", host=None, scheme="https"):
    """Sends a request to the distribution, or to another host of the emulator."""
    connection = http.client.HTTPConnection(EMULATOR, timeout=60)
    connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
    # The distribution takes the scheme from this header.
    connection.putheader("Host", host or Viewer.distribution)
    connection.putheader("X-Forwarded-Proto", scheme)
    for name, value in [*headers, ("Content-Length", str(len(body)))]:
        connection.putheader(name, value)
    connection.endheaders(body)
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response.status, response.headers, content


def expect(status, code, *request, **target):
    """Sends a request, and checks the status and the code of the response."""
    actual, headers, content = send(*request, **target)
    assert actual == status and json.loads(content)["code"] == code, (request, actual, headers.items(), content[:300])
    return headers, content


class Viewer(http.server.BaseHTTPRequestHandler):
    """Proxy in place of the host name and the TLS of the distribution."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    distribution = None

    def forward(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        if self.headers.get("Transfer-Encoding") == "chunked":
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        own = ("host", "content-length", "transfer-encoding", "connection")
        headers = [(name, value) for name, value in self.headers.items() if name.lower() not in own]
        status, headers, content = send(self.command, self.path, headers, body)
        self.send_response_only(status)
        for name, value in headers.items():
            if name.lower() not in own:
                self.send_header(name, value)
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    do_DELETE = do_GET = do_HEAD = do_OPTIONS = do_PATCH = do_POST = do_PUT = forward

    def log_message(self, *_):
        pass


# API tests that are left out, by a part of their names.
LEFT_OUT = {
    "notices::": "the pipes of the emulator call no function, so no notice is sent",
    "etag_is_valid_until_deletion": "the emulator adds `Content-Type` to 304",
    "escaped_slash_is_part_of_id": "the emulator decodes `%2F` before it selects the route",
    "unknown_path_returns_envelope": "the emulator ignores a slash at the end of a path",
    "unknown_poster_is_not_found": "S3 sends XML; the emulator sends 403, although CloudFront may list the bucket",
    "part_of_poster_is_sent": "S3 of the emulator rejects a malformed range with 416",
    "part_of_changed_poster_is_whole": "S3 of the emulator ignores `If-Range`",
}


def test_api():
    """Runs the API tests through a proxy for the distribution."""
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Viewer)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    skipped = [f"--skip={name}" for name in ("in_process::", *LEFT_OUT)]
    run = subprocess.run(["cargo", "test", "--locked", "--package=tests", "--test=api", "--", *skipped],
                         env=os.environ | {"BASE_URL": f"http://127.0.0.1:{server.server_port}"},
                         stdout=subprocess.PIPE, text=True)
    assert run.returncode == 0, run.stdout
    report(re.search(r"\d+ passed; \d+ failed", run.stdout)[0] + " API tests through CloudFront")


def test_samples(resources):
    """Sends each sample event to its function, which must return a documented status."""
    expected = {}
    for methods in json.loads(pathlib.Path("openapi.json").read_text())["paths"].values():
        for operation in methods.values():
            expected[operation["operationId"]] = [int(status) for status in operation["responses"] if status < "429"]
    slugs = [file.stem for file in pathlib.Path("functions/src/bin").iterdir()]
    samples = sorted(pathlib.Path("events").glob("*.json"))
    for sample in samples:
        # Some functions have several samples, such as events-create-no-manager.
        slug = max((slug for slug in slugs if f"{sample.stem}-".startswith(f"{slug}-")), key=len)
        name = "".join(word.capitalize() for word in slug.split("-"))
        alias = resources[f"{name}Aliaslive"]["PhysicalResourceId"]
        response = json.load(functions.invoke(FunctionName=alias, Payload=sample.read_bytes())["Payload"])
        match slug:
            case "managers-authorize":
                assert response["principalId"] == "anyone", response
            case "posters-cleanup":
                assert response == {"batchItemFailures": []}, response
            case "changes":
                assert [change["type"] for change in response] == ["sale.confirmed"], response
            case "notices-send":
                assert response["done"], response
            case _:
                assert response.get("statusCode") in expected[slug], (sample, response)
    report(f"{len(samples)} sample events get documented statuses")


# Steps


def report(text):
    print(f"deploy: {text}", flush=True)


def check_access(resources, *methods):
    """Checks that only HTTPS and only CloudFront, with its API key, give access; returns the headers of CloudFront."""
    status, _, _ = send("GET", "/api/v1/events", scheme="http")
    assert status == 403, status
    expect(200, "0", "GET", "/api/v1/events")
    distribution = client("cloudfront").get_distribution(Id=resources["Distribution"]["PhysicalResourceId"])
    origins = distribution["Distribution"]["DistributionConfig"]["Origins"]["Items"]
    added = {header["HeaderName"]: header["HeaderValue"]
             for origin in origins for header in origin.get("CustomHeaders", {}).get("Items", [])}
    assert added and "{{resolve" not in str(added), added
    direct = f"/_aws/execute-api/{resources['Api']['PhysicalResourceId']}/live/api/v1/events"
    for method in methods:
        expect(403, "AM_002", method, direct, host=EMULATOR)
    expect(200, "0", "GET", direct, [("x-api-key", added["x-api-key"])], host=EMULATOR)
    report("plain HTTP is rejected, and so are direct calls without the API key of CloudFront")
    return added


def main():
    s3.create_bucket(Bucket=CODE, CreateBucketConfiguration={"LocationConstraint": boto3.session.Session().region_name})
    start(cloudformation.create_stack, 1, ManagerIssuer="open", **MAIL)
    stack, resources = wait("CREATE_COMPLETE")
    report(f"{len(resources)} resources created")
    assert authorizer_issuer(resources) == "open"
    Viewer.distribution = stack["Outputs"]["BaseUrl"].removeprefix("https://")
    added = check_access(resources, "GET", "POST")
    # A pipe of the emulator neither filters nor calls functions, and takes time.
    client("pipes").stop_pipe(Name=stack["Outputs"]["ChangesPipeName"])
    test_samples(resources)
    test_api()

    # The first update, at the same time: verified managers, without a new version of any function.
    unknown = "/api/v1/events/0196a1b2-0000-7000-8000-00000000abcd"
    expect(404, "E_002", "DELETE", unknown)
    list_before = expect(200, "0", "GET", "/api/v1/events")
    next_page = re.match("<(.*)>", list_before[0]["Link"])[1]
    before = live_functions(resources)
    parameters = {"ManagerIssuer": ISSUER, "ManagerAudience": "tickets", "AlarmEmail": "operator@example.com", **MAIL}
    start(cloudformation.update_stack, 1, **parameters)
    stack, resources = wait("UPDATE_COMPLETE")
    assert live_functions(resources) == before
    assert authorizer_issuer(resources) == ISSUER
    expect(401, "AM_001", "DELETE", unknown)
    report("issuer: managers are verified at once, without new versions")

    # The second update, at another time: a setting, and another secret of CloudFront.
    before_fault = datetime.datetime.now(datetime.UTC).isoformat()
    parameters |= {"MaxSeats": "5", "OriginSecretRotation": "2"}
    start(cloudformation.update_stack, 2, **parameters)
    stack, resources = wait("UPDATE_COMPLETE")
    after = live_functions(resources)
    assert {version for version, _ in before.values()} == {"1"}, before
    assert {version for version, _ in after.values()} == {"2"}, after
    assert after["HoldsCreateAliaslive"][1]["MAX_SEATS"] == "5", after
    assert expect(200, "0", "GET", "/api/v1/events")[1] == list_before[1]
    expect(200, "0", "GET", next_page)
    replaced = check_access(resources, "GET")
    assert not set(added.values()) & set(replaced.values()), "the secret of CloudFront is still the same"
    report(f"settings: {len(after)} aliases moved to version 2; CloudFront has another secret; data and cursors are "
           "still valid")

    # A roll-back, and a deployment after it, of which CloudFormation only knows the last version.
    subprocess.run(["./roll-back", before_fault, STACK], check=True, stdout=subprocess.DEVNULL,
                   env=os.environ | {"AWS_ENDPOINT_URL": ENDPOINT})
    assert live_functions(resources) == before
    expect(200, "0", "GET", "/api/v1/events")
    start(cloudformation.update_stack, 3, **parameters)
    stack, resources = wait("UPDATE_COMPLETE")
    assert {version for version, _ in live_functions(resources).values()} == {"3"}
    report("roll-back: all aliases moved back to version 1, and the next deployment moved them to version 3")

    # The deletion
    cloudformation.delete_stack(StackName=STACK)
    wait("DELETE_COMPLETE", stack["StackId"])
    # The template also retains the versions of functions, which do not exist without their function.
    kept = {event["LogicalResourceId"] for event in events(stack["StackId"])
            if event["ResourceStatus"] == "DELETE_SKIPPED" and event["ResourceType"] != "AWS::Lambda::Version"}
    assert kept == {"ApiAccount", "ApiAccountRole", "Posters", "SessionSecret", "Table", "TicketSecret"}, kept
    report("deletion: the table, the bucket, the secrets of sessions and tickets, and the role of the gateway remain")


main()
