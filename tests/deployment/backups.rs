//! The table and the posters can be restored for the same time.

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::template::{properties, read, template};

/// A restored table, which the parameter `RestoredTable` names, replaces the own one in every reference.
#[test]
fn references_follow_restored_table() {
    let template = read("template.yaml");
    let names_table =
        |line: &&str| ["!Ref Table", "!GetAtt Table.", "${Table.", "${Table}"].iter().any(|name| line.contains(name));
    let references: Vec<_> = template.lines().filter(names_table).collect();
    assert!(!references.is_empty());
    for reference in references {
        assert!(reference.contains("!If [HasRestoredTable, "), "{reference}");
    }
}

#[test]
fn stack_policy_protects_what_is_retained() {
    let policy: Json = serde_json::from_str(&read("stack-policy.json")).unwrap();
    let denied = &policy["Statement"][1];
    assert_eq!(denied["Effect"], "Deny");
    assert_eq!(denied["Action"].as_array().unwrap().as_slice(), ["Update:Replace", "Update:Delete"]);
    let prefix = "LogicalResourceId/";
    let resources = denied["Resource"].as_array().unwrap().iter();
    let resources: BTreeSet<_> = resources.map(|id| id.as_str().unwrap().strip_prefix(prefix).unwrap()).collect();
    assert_eq!(resources, BTreeSet::from(["Posters", "SessionSecret", "Table", "TicketSecret"]));
    for id in resources {
        let resource = &template()["Resources"][id];
        assert!(resource["DeletionPolicy"].as_str().unwrap().starts_with("Retain"), "{id}");
        assert_eq!(resource["UpdateReplacePolicy"], "Retain", "{id}");
    }
}

#[test]
fn posters_outlast_recovery_of_table() {
    let recovery = &properties("Table")["PointInTimeRecoverySpecification"];
    assert_eq!(recovery["PointInTimeRecoveryEnabled"], true);
    let bucket = properties("Posters");
    assert_eq!(bucket["VersioningConfiguration"]["Status"], "Enabled");
    let rules = bucket["LifecycleConfiguration"]["Rules"].as_sequence().unwrap();
    let expiring: Vec<_> = rules.iter().filter(|rule| rule.get("NoncurrentVersionExpiration").is_some()).collect();
    let [rule] = expiring.as_slice() else { panic!("one rule") };
    assert_eq!(rule["Status"], "Enabled");
    assert_eq!(rule["NoncurrentVersionExpiration"]["NoncurrentDays"], recovery["RecoveryPeriodInDays"]);
    // A marker without versions would stay for ever.
    assert_eq!(rule["ExpiredObjectDeleteMarker"], true);
    // No rule expires posters that events use.
    for rule in rules {
        assert!(rule.get("ExpirationInDays").is_none() && rule.get("ExpirationDate").is_none());
    }
}
