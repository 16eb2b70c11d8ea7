"""Transformation of template.yaml, and its edits for the emulator of AWS."""

import json
import logging
import pathlib

from samtranslator.translator.managed_policy_translator import ManagedPolicyLoader
from samtranslator.translator.transform import transform
from samtranslator.yaml_helper import yaml_parse

logging.disable(logging.WARNING)  # The transformation warns of settings that only AWS has.


def transform_for(address, package, settings):
    """Transforms the template for the emulator at this address, with code from `package(binary)`.

    `settings` is the number that publishes versions with changed parameters.

    Returns the edited template, and the number of edits for each reason.
    """
    template = yaml_parse(pathlib.Path("template.yaml").read_text())
    for function in of_type(template, "AWS::Serverless::Function").values():
        function["Properties"]["CodeUri"] = package(function["Metadata"]["BuildProperties"]["Binary"])
    template["Globals"]["Function"]["Description"] = f"Settings {settings}"
    template = transform(template, {}, ManagedPolicyLoader(None))
    edits = [(edit(template, address), reason) for edit, reason in EDITS]
    assert all(count for count, _ in edits), f"an edit has nothing to edit: {edits}"
    return template, edits


def of_type(template, *types):
    return {name: item for name, item in template["Resources"].items() if item["Type"] in types}


def remove(template, names):
    for name in names:
        del template["Resources"][name]
    return len(names)


def remove_code_deploy(template, _):
    for alias in of_type(template, "AWS::Lambda::Alias").values():
        alias.pop("UpdatePolicy", None)
    return remove(template, [*of_type(template, "AWS::CodeDeploy::Application", "AWS::CodeDeploy::DeploymentGroup"),
                             "CodeDeployServiceRole"])


def remove_metric_math(template, _):
    alarms = of_type(template, "AWS::CloudWatch::Alarm")
    return remove(template, [name for name, alarm in alarms.items() if "Metrics" in alarm["Properties"]])


def unescape_media_types(template, _):
    types = template["Resources"]["Api"]["Properties"]["BinaryMediaTypes"]
    edited = sum("~1" in name for name in types)
    types[:] = [name.replace("~1", "/") for name in types]
    return edited


def separate_gateway_responses(template, _):
    responses = template["Resources"]["Api"]["Properties"]["Body"].pop("x-amazon-apigateway-gateway-responses")
    names = []
    for kind, response in responses.items():
        names.append("GatewayResponse" + kind.replace("_", ""))
        properties = {name[0].upper() + name[1:]: value for name, value in response.items()}
        template["Resources"][names[-1]] = {
            "Type": "AWS::ApiGateway::GatewayResponse",
            "Properties": {"RestApiId": {"Ref": "Api"}, "ResponseType": kind, **properties},
        }
    for deployment in of_type(template, "AWS::ApiGateway::Deployment").values():
        deployment["DependsOn"] = names
    return len(names)


def allow_plain_http(template, _):
    document = template["Resources"]["PostersPolicy"]["Properties"]["PolicyDocument"]
    kept = [statement for statement in document["Statement"] if "SecureTransport" not in json.dumps(statement)]
    edited = len(document["Statement"]) - len(kept)
    document["Statement"] = kept
    return edited


def redirect_origins(template, address):
    config = template["Resources"]["Distribution"]["Properties"]["DistributionConfig"]
    host, port = address.split(":")
    origins = [origin for origin in config["Origins"] if "CustomOriginConfig" in origin]
    for origin in origins:
        assert "execute-api" in json.dumps(origin["DomainName"]), origin
        origin["DomainName"] = host
        origin["OriginPath"] = {"Fn::Sub": "/_aws/execute-api/${Api}/live"}
        origin["CustomOriginConfig"] = {"OriginProtocolPolicy": "http-only", "HTTPPort": int(port)}
    return len(origins)


# Edits of the transformed template. Each edits something, and returns the number of edited resources or values.
EDITS = [
    (remove_code_deploy, "CodeDeploy: resources removed, since the emulator has no CodeDeploy; aliases move at once"),
    (remove_metric_math, "alarms with metric math removed, since the emulator rejects them"),
    (unescape_media_types, "BinaryMediaTypes: `/` in place of `~1`, which the emulator does not decode"),
    (separate_gateway_responses, "gateway responses as resources, since the emulator ignores them in an OpenAPI body"),
    (allow_plain_http, "bucket policy: TLS not required, since the emulator serves plain HTTP"),
    (redirect_origins, "origins of CloudFront: the path of the API in the emulator, which never calls a host of AWS"),
]
