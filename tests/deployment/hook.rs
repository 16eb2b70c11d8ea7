//! The deployment hook sends a request to each new version before it gets traffic.

use std::collections::BTreeSet;

use serde_json::Value as Json;
use serde_yaml_ng::Value;

use crate::template::{keys, logical_id, slugs, template, text};

/// Maximum length of a function's name, which `CloudFormation` generates.
const MAX_NAME: usize = 64;

/// Maximum length of a function's variables together.
const MAX_VARIABLES: usize = 4096;

/// Code that every version of `CloudFormation` accepts in a template.
const MAX_CODE: usize = 4096;

fn hook(template: &Value) -> &Value {
    &template["Resources"]["DeploymentHook"]["Properties"]
}

/// Returns the table of the hook, with the substitutions of `CloudFormation`.
fn checks(template: &Value, name: impl Fn(&str) -> String, without_token: &str) -> String {
    let Value::Tagged(sub) = &hook(template)["Environment"]["Variables"]["CHECKS"] else { panic!("a !Sub") };
    let mut checks = text(&sub.value[0]).replace("${WithoutToken}", without_token);
    for slug in slugs() {
        let id = logical_id(&slug);
        checks = checks.replace(&format!("${{{id}}}"), &name(&id));
    }
    checks
}

/// Returns the alternatives of a `!If`.
fn alternatives(value: &Value) -> [&str; 2] {
    let Value::Tagged(choice) = value else { panic!("an !If") };
    [text(&choice.value[1]), text(&choice.value[2])]
}

fn without_token(template: &Value) -> [&str; 2] {
    let Value::Tagged(sub) = &hook(template)["Environment"]["Variables"]["CHECKS"] else { panic!("a !Sub") };
    alternatives(&sub.value[1]["WithoutToken"])
}

#[test]
fn each_function_has_the_hook() {
    let template = template();
    let preference = &template["Globals"]["Function"]["DeploymentPreference"];
    assert_eq!(text(&preference["Hooks"]["PreTraffic"]), "DeploymentHook");
    for slug in slugs() {
        let function = &template["Resources"][logical_id(&slug).as_str()];
        assert_eq!(function["Type"], "AWS::Serverless::Function", "{slug}");
        for setting in ["DeploymentPreference", "AutoPublishAlias"] {
            assert!(function["Properties"].get(setting).is_none(), "{slug}: {setting}");
        }
    }
    // It does not inherit the hook from `Globals`.
    assert_eq!(template["Resources"]["DeploymentHook"]["Type"], "AWS::Lambda::Function");
}

#[test]
fn hook_knows_each_function() {
    let template = template();
    for expected in without_token(&template) {
        let checks: Json = serde_json::from_str(&checks(&template, str::to_owned, expected)).unwrap();
        let known: BTreeSet<_> = checks.as_object().unwrap().keys().cloned().collect();
        assert_eq!(known, slugs().iter().map(|slug| logical_id(slug)).collect());
        for (function, check) in checks.as_object().unwrap() {
            let [request, response] = check.as_array().unwrap().as_slice() else { panic!("{function}") };
            assert!(request.is_object() && !response.as_object().unwrap().is_empty(), "{function}");
        }
    }
}

#[test]
fn authorizer_is_checked_in_both_modes() {
    let template = template();
    let [open, verified] = without_token(&template).map(|text| serde_json::from_str::<Json>(text).unwrap());
    assert_eq!(open["principalId"], "anyone");
    assert_eq!(verified["errorMessage"], api::authorizer::UNAUTHORIZED);
}

#[test]
fn limits_of_lambda_are_kept() {
    let template = template();
    let longest_name = |_: &str| "x".repeat(MAX_NAME);
    for expected in without_token(&template) {
        assert!("CHECKS".len() + checks(&template, longest_name, expected).len() <= MAX_VARIABLES);
    }
    assert_eq!(keys(&hook(&template)["Environment"]["Variables"]), BTreeSet::from(["CHECKS".to_owned()]));
    assert!(text(&hook(&template)["Code"]["ZipFile"]).len() <= MAX_CODE);
}

/// `CodeDeploy`'s role for Lambda may invoke only functions with this prefix.
#[test]
fn codedeploy_may_invoke_the_hook() {
    assert_eq!(text(&hook(&template())["FunctionName"]), "CodeDeployHook_${AWS::StackName}");
}

/// A hook that ends early makes `CodeDeploy` wait for an hour.
#[test]
fn hook_outlasts_each_function() {
    let template = template();
    let code = text(&hook(&template)["Code"]["ZipFile"]);
    let seconds = |name: &str| -> u64 {
        let rest = code.split(name).nth(1).unwrap();
        rest.split([',', ')', '}']).next().unwrap().parse().unwrap()
    };
    let (connect, read) = (seconds("connect_timeout="), seconds("read_timeout="));
    for slug in slugs() {
        let timeout = template["Resources"][logical_id(&slug).as_str()]["Properties"]["Timeout"].as_u64().unwrap();
        assert!(timeout < read, "{slug}");
    }
    let calls =
        ["get_deployment(", "get_application_revision(", ".invoke(", "put_lifecycle_event_hook_execution_status("];
    assert!(calls.iter().all(|call| code.matches(call).count() == 1));
    let longest = u64::try_from(calls.len()).unwrap() * seconds("\"total_max_attempts\": ") * (connect + read);
    assert!(longest < hook(&template)["Timeout"].as_u64().unwrap());
}

#[test]
fn hook_role_has_least_privilege() {
    let template = template();
    assert_eq!(text(&hook(&template)["Role"]), "DeploymentHookRole.Arn");
    let role = &template["Resources"]["DeploymentHookRole"]["Properties"];
    assert!(role.get("ManagedPolicyArns").is_none());
    let [logs, deployments] = role["Policies"].as_sequence().unwrap().as_slice() else { panic!("two policies") };
    assert_eq!(logs, &template["Resources"]["MembersJoinRole"]["Properties"]["Policies"][0]);
    let mut granted = BTreeSet::new();
    for statement in deployments["PolicyDocument"]["Statement"].as_sequence().unwrap() {
        assert_eq!(statement["Effect"], "Allow");
        let resources = match &statement["Resource"] {
            Value::Sequence(resources) => resources.iter().map(text).collect(),
            resource => vec![text(resource)],
        };
        for action in statement["Action"].as_sequence().unwrap() {
            granted.extend(resources.iter().map(|resource| (text(action).to_owned(), (*resource).to_owned())));
        }
    }
    let codedeploy =
        |kind: &str| format!("arn:${{AWS::Partition}}:codedeploy:${{AWS::Region}}:${{AWS::AccountId}}:{kind}");
    let groups = codedeploy("deploymentgroup:${ServerlessDeploymentApplication}/*");
    let application = codedeploy("application:${ServerlessDeploymentApplication}");
    let mut needed = BTreeSet::from([
        ("codedeploy:GetDeployment".to_owned(), groups.clone()),
        ("codedeploy:PutLifecycleEventHookExecutionStatus".to_owned(), groups),
        ("codedeploy:GetApplicationRevision".to_owned(), application),
    ]);
    for slug in slugs() {
        needed.insert(("lambda:InvokeFunction".to_owned(), format!("${{{}.Arn}}:*", logical_id(&slug))));
    }
    assert_eq!(granted, needed);
}
