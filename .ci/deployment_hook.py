"""Runs the code of DeploymentHook on the functions of a deployed stack.

usage: deployment_hook.py ENDPOINT STACK

ENDPOINT is an emulator of AWS where the stack of template.yaml is deployed. The hook must accept the live version of
each function, and reject versions that are broken in several ways. Its code comes from template.yaml, and its table of
requests from the deployed hook. The emulator runs the functions. It has no CodeDeploy: botocore's Stubber sends the
responses of CodeDeploy, and checks each call against the service model.
"""

import json
import logging
import os
import sys

import boto3
from botocore.stub import Stubber
from samtranslator.yaml_helper import yaml_parse

ENDPOINT, STACK = sys.argv[1:]
DEPLOYMENT = {"deploymentId": "d-EXAMPLE"}
HOOK_EXECUTION = {"lifecycleEventHookExecutionId": "execution"}

for name, value in {
    "AWS_ACCESS_KEY_ID": "local",
    "AWS_SECRET_ACCESS_KEY": "local",
    "AWS_DEFAULT_REGION": "ap-northeast-2",
}.items():
    os.environ.setdefault(name, value)
os.environ["AWS_ENDPOINT_URL"] = ENDPOINT
lambda_ = boto3.client("lambda")


class Reasons(logging.Handler):
    """Keeps the reason of each rejection."""

    def __init__(self):
        super().__init__()
        self.texts = []

    def emit(self, record):
        self.texts.append(repr(record.exc_info[1]))


reasons = Reasons()
logging.getLogger().addHandler(reasons)


def resources():
    """Returns the type and the name of each resource of the stack, by its logical id."""
    pages = boto3.client("cloudformation").get_paginator("list_stack_resources").paginate(StackName=STACK)
    summaries = [summary for page in pages for summary in page["StackResourceSummaries"]]
    return {each["LogicalResourceId"]: (each["ResourceType"], each["PhysicalResourceId"]) for each in summaries}


def stored(table, bucket):
    """Returns the records and the objects of the stack."""
    records = boto3.client("dynamodb").scan(TableName=table)["Items"]
    return records, boto3.client("s3").list_objects_v2(Bucket=bucket).get("Contents")


def load_hook(name):
    """Returns the globals of the hook's code, which has the settings of the deployed function."""
    with open("template.yaml", encoding="utf-8") as template:
        properties = yaml_parse(template.read())["Resources"]["DeploymentHook"]["Properties"]
    os.environ |= lambda_.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    hook = {}
    exec(compile(properties["Code"]["ZipFile"], "DeploymentHook", "exec"), hook)
    return hook


def expect(status, hook, name, version, *reason):
    """Runs the hook for a version of a function, and checks its report and the reason of a rejection."""
    # GetDeployment returns a revision without its content.
    revision = {"revisionType": "String", "string": {"sha256": "0" * 64}}
    versions = {"Name": name, "Alias": "live", "CurrentVersion": "1", "TargetVersion": version}
    function = {"Type": "AWS::Lambda::Function", "Properties": versions}
    app_spec = {"version": "0.0", "Resources": [{"function": function}]}
    with_content = {"revisionType": "String", "string": {"content": json.dumps(app_spec), "sha256": "0" * 64}}
    reasons.texts.clear()
    with Stubber(hook["codedeploy"]) as codedeploy:
        info = {"deploymentInfo": {"applicationName": "application", "revision": revision}}
        codedeploy.add_response("get_deployment", info, DEPLOYMENT)
        asked = {"applicationName": "application", "revision": revision}
        codedeploy.add_response("get_application_revision", {"revision": with_content}, asked)
        codedeploy.add_response(
            "put_lifecycle_event_hook_execution_status", {}, DEPLOYMENT | HOOK_EXECUTION | {"status": status}
        )
        try:
            hook["handler"]({"DeploymentId": "d-EXAMPLE", "LifecycleEventHookExecutionId": "execution"}, None)
            codedeploy.assert_no_pending_responses()
        except AssertionError as error:
            sys.exit(f"deployment hook: {name}:{version}: {error} {reasons.texts}")
    text = "".join(reasons.texts)
    if not all(part in text for part in reason):
        sys.exit(f"deployment hook: {name}:{version}: rejected for another reason: {text}")
    print(f"deployment hook: {name}:{version}: {status} {text}")


def publish(name, variables):
    """Publishes a version with these variables, and returns its number; the function gets its own ones again."""
    before = lambda_.get_function_configuration(FunctionName=name)["Environment"]["Variables"]
    configure(name, before | variables)
    version = lambda_.publish_version(FunctionName=name)["Version"]
    configure(name, before)
    return version


def configure(name, variables):
    lambda_.update_function_configuration(FunctionName=name, Environment={"Variables": variables})
    lambda_.get_waiter("function_updated_v2").wait(FunctionName=name)


def main():
    found = resources()
    names = {id: name for id, (type, name) in found.items() if type == "AWS::Lambda::Function"}
    storage = found["Table"][1], found["Posters"][1]
    before = stored(*storage)
    own_name = names.pop("DeploymentHook")
    hook = load_hook(own_name)
    for name in names.values():
        version = lambda_.get_alias(FunctionName=name, Name="live")["FunctionVersion"]
        expect("Succeeded", hook, name, version)
    if stored(*storage) != before:
        sys.exit("deployment hook: its requests changed the table or the bucket")

    get = names["EventsGet"]
    other_table = publish(get, {"TABLE_NAME": "no-such-table"})
    expect("Failed", hook, get, other_table, "got {'statusCode': 5")
    listing = names["EventsList"]
    invalid_key = publish(listing, {"CURSOR_KEY": ""})
    expect("Failed", hook, listing, invalid_key, "'statusCode': None", "error Unhandled")
    expect("Failed", hook, get, "999", "ResourceNotFoundException")
    # A function that is missing in the table.
    expect("Failed", hook, own_name, "1", "KeyError", own_name)

    # CodeDeploy itself fails.
    with Stubber(hook["codedeploy"]) as codedeploy:
        codedeploy.add_client_error("get_deployment", "ThrottlingException", expected_params=DEPLOYMENT)
        codedeploy.add_response(
            "put_lifecycle_event_hook_execution_status", {}, DEPLOYMENT | HOOK_EXECUTION | {"status": "Failed"}
        )
        hook["handler"]({"DeploymentId": "d-EXAMPLE", "LifecycleEventHookExecutionId": "execution"}, None)
        codedeploy.assert_no_pending_responses()
    print(f"deployment hook: accepts {len(names)} functions, and rejects broken versions")


main()
