"""Transformation of template.yaml, and its edits for the emulator of AWS."""

import json
import logging
import pathlib

from samtranslator.translator.managed_policy_translator import ManagedPolicyLoader
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

logging.disable(logging.WARNING)  # The transformation warns of settings that only AWS has.


def transform_for(address, package, time):
    """Returns the template for the emulator at this address, as ./deploy would at a time, with code from `package`."""
    template = yaml_parse(pathlib.Path("template.yaml").read_text())
    for function in of_type(template, "AWS::Serverless::Function").values():
        function["Properties"]["CodeUri"] = package(function["Metadata"]["BuildProperties"]["Binary"])
    template["Globals"]["Function"]["Description"] = f"Deployed at {time}"
    template = transform(template, {}, ManagedPolicyLoader(None))
    edit(template, *address.split(":"))
    return template


def of_type(template, *types):
    return {name: item for name, item in template["Resources"].items() if item["Type"] in types}


def edit(template, host, port):
    """Edits what the emulator does not support."""
    resources = template["Resources"]
    # It rejects alarms with metric math.
    for name, alarm in of_type(template, "AWS::CloudWatch::Alarm").items():
        if "Metrics" in alarm["Properties"]:
            del resources[name]
    # It has no archives and no destinations of a bus.
    for parts in (resources, template["Outputs"]):
        for name in [name for name, part in parts.items() if part.get("Condition") in ("KeepsChanges", "PostsChanges")]:
            del parts[name]
    # It does not decode `~1` in media types.
    api = resources["Api"]["Properties"]
    api["BinaryMediaTypes"] = [name.replace("~1", "/") for name in api["BinaryMediaTypes"]]
    # It ignores gateway responses in an OpenAPI body.
    names = []
    for kind, response in api["Body"].pop("x-amazon-apigateway-gateway-responses").items():
        names.append("GatewayResponse" + kind.replace("_", ""))
        properties = {name[0].upper() + name[1:]: value for name, value in response.items()}
        resources[names[-1]] = {
            "Type": "AWS::ApiGateway::GatewayResponse",
            "Properties": {"RestApiId": {"Ref": "Api"}, "ResponseType": kind, **properties},
        }
    for deployment in of_type(template, "AWS::ApiGateway::Deployment").values():
        deployment["DependsOn"] = names
    # It serves plain HTTP.
    policy = resources["PostersPolicy"]["Properties"]["PolicyDocument"]
    policy["Statement"] = [statement for statement in policy["Statement"] if "SecureTransport" not in json.dumps(statement)]
    # It never calls a host of AWS, so CloudFront has the path of the API in the emulator.
    for origin in resources["Distribution"]["Properties"]["DistributionConfig"]["Origins"]:
        if "CustomOriginConfig" in origin:
            origin["DomainName"] = host
            origin["OriginPath"] = {"Fn::Sub": "/_aws/execute-api/${Api}/live"}
            origin["CustomOriginConfig"] = {"OriginProtocolPolicy": "http-only", "HTTPPort": int(port)}
