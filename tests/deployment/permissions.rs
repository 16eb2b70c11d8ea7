//! The boundary of all functions limits what AWS adds to them. Tests of the functions check their own permissions.

use std::collections::BTreeSet;

use tests::permissions::allowed;

use crate::template::{keys, logical_id, properties, slugs, template, text};

#[test]
fn functions_have_only_statements() {
    for slug in slugs() {
        let function = properties(&logical_id(&slug));
        assert!(function.get("Role").is_none() && function.get("PermissionsBoundary").is_none(), "{slug}");
        let policies = &function["Policies"];
        if policies.is_null() {
            continue;
        }
        assert_eq!(keys(policies), BTreeSet::from(["Statement".to_owned()]), "{slug}");
    }
}

/// SAM attaches policies of AWS to every role. Only the boundary limits their resources.
#[test]
fn boundary_limits_policies_of_aws() {
    assert_eq!(text(&template()["Globals"]["Function"]["PermissionsBoundary"]), "FunctionBoundary");
    let boundary = allowed(&properties("FunctionBoundary")["PolicyDocument"]["Statement"]);
    let without_resource = ["dynamodb:ListStreams", "xray:PutTelemetryRecords", "xray:PutTraceSegments"];
    let of_service = |name: &str| {
        let actions = boundary.iter().filter(|(action, _)| action.starts_with(name));
        actions.map(|(action, resource)| (action.as_str(), resource.as_str())).collect::<Vec<_>>()
    };
    let log = "FunctionLog.Arn";
    assert_eq!(of_service("logs:"), [("logs:CreateLogStream", log), ("logs:PutLogEvents", log)]);
    for (action, resource) in &boundary {
        assert!(resource != "*" || without_resource.contains(&action.as_str()), "{action}");
    }
    // The stream invokes posters-cleanup, and gets its failures.
    for (action, resource) in [("dynamodb:*", "${TableArn}/*"), ("sqs:SendMessage", "PostersLeft.Arn")] {
        assert!(boundary.contains(&(action.to_owned(), resource.to_owned())), "{action}");
    }
    for slug in slugs() {
        let function = properties(&logical_id(&slug));
        for (action, resource) in allowed(&function["Policies"]["Statement"]) {
            let any = action.split(':').next().unwrap().to_owned() + ":*";
            let resource = resource.split(' ').next().unwrap();
            let is_covered = |limit: &str| {
                limit == resource || limit.strip_suffix('*').is_some_and(|start| resource.starts_with(start))
            };
            let mut limits = boundary.iter().filter(|(limit, _)| *limit == any);
            assert!(limits.any(|(_, limit)| is_covered(limit)), "{slug}: {action} {resource}");
        }
    }
}
