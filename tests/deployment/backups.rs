//! The table and the posters can be restored for the same time.

use crate::template::template;

#[test]
fn posters_outlast_recovery_of_table() {
    let template = template();
    let recovery = &template["Resources"]["Table"]["Properties"]["PointInTimeRecoverySpecification"];
    assert_eq!(recovery["PointInTimeRecoveryEnabled"], true);
    let bucket = &template["Resources"]["Posters"]["Properties"];
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
