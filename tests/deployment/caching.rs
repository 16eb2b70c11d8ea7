//! The distribution caches what the functions allow, with a key of what they read.

use std::collections::BTreeSet;

use functions::{caller::CallerKind, operation::Cache, registry::Declaration};
use serde_yaml_ng::Value;
use tests::{Api, Response, sample};

use crate::{
    names::{declarations, routes},
    template::{keys, properties, text},
};

const ID: &str = "0196a1b2-0000-7000-8000-00000000abcd";

/// Returns the cache behaviours of the distribution that lead to the API, including the default one.
pub fn api_behaviors(distribution: &Value) -> Vec<&Value> {
    let listed = distribution["CacheBehaviors"].as_sequence().unwrap();
    let all = listed.iter().chain([&distribution["DefaultCacheBehavior"]]);
    all.filter(|behavior| behavior["TargetOriginId"] != "posters").collect()
}

pub fn distribution() -> &'static Value {
    &properties("Distribution")["DistributionConfig"]
}

/// Returns true if a path matches a pattern, in which `?` is any character and `*` any text, also with slashes.
fn matches(pattern: &str, path: &str) -> bool {
    let Some(first) = pattern.chars().next() else { return path.is_empty() };
    let rest = &pattern[1..];
    match first {
        '*' => (0..=path.len()).any(|end| matches(rest, &path[end..])),
        _ => path.starts_with(|next: char| first == '?' || first == next) && matches(rest, &path[1..]),
    }
}

/// Returns the behaviour of a path: the first one that matches, otherwise the default one.
fn behavior(path: &str) -> &'static Value {
    let is_for_path =
        |behavior: &&Value| behavior.get("PathPattern").is_none_or(|pattern| matches(text(pattern), path));
    api_behaviors(distribution()).into_iter().find(is_for_path).unwrap()
}

/// Returns the path of a route with ids in place of its parameters.
fn with_ids(route: &str) -> String {
    let segments = route.split('/').map(|segment| if segment.starts_with('{') { ID } else { segment });
    segments.collect::<Vec<_>>().join("/")
}

fn cache_policy(path: &str) -> &'static Value {
    let behaviors = api_behaviors(distribution());
    let behavior = behaviors.into_iter().find(|behavior| behavior["PathPattern"] == path).unwrap();
    policy(behavior)
}

fn policy(behavior: &Value) -> &'static Value {
    &properties(text(&behavior["CachePolicyId"]))["CachePolicyConfig"]
}

fn key(policy: &Value) -> &Value {
    &policy["ParametersInCacheKeyAndForwardedToOrigin"]
}

/// Returns the `s-maxage` of a response.
fn shared_seconds(response: &Response) -> u64 {
    let mut directives = response.header("Cache-Control").split(',').map(str::trim);
    directives.find_map(|directive| directive.strip_prefix("s-maxage=")).unwrap().parse().unwrap()
}

#[tokio::test]
async fn ttl_matches_cache_control() {
    let api = Api::new();
    let created = api.create(&sample::event()).await.expect(201, "0").data();
    let event = created["id"].as_str().unwrap();
    let show = created["eventDatetimes"][0]["id"].as_str().unwrap();
    let availability = format!("/api/v1/events/{event}/dates/{show}/availability");
    for (path, response) in [
        ("/api/v1/events", api.get("/api/v1/events").await),
        ("/api/v1/events/*", api.event(event).await),
        ("/api/v1/events/*", api.get(&availability).await),
    ] {
        let policy = cache_policy(path);
        let seconds = shared_seconds(&response);
        assert!(seconds > 0, "{path}");
        assert_eq!(policy["MinTTL"], seconds, "{path}");
        assert!(policy["MaxTTL"].as_u64().unwrap() >= seconds, "{path}");
    }
}

#[test]
fn only_cacheable_paths_have_ttl() {
    let declarations = declarations();
    for (slug, (_, path)) in routes().into_iter().filter(|(_, (method, _))| method == "GET") {
        let is_cacheable = declarations[&*slug].cache == Cache::OneSecond;
        let is_cached = policy(behavior(&with_ids(&path)))["MinTTL"] != 0;
        assert_eq!(is_cacheable, is_cached, "{slug} is cacheable (left), {path} has a cache behaviour (right)");
    }
}

/// An operation that reads the token must get it, and no cache may confuse the responses of two members.
#[test]
fn personal_responses_depend_on_token() {
    let is_personal = |declaration: &Declaration| {
        matches!(declaration.caller, CallerKind::Member | CallerKind::Manager | CallerKind::Gate)
    };
    let personal: Vec<_> = declarations().into_values().filter(is_personal).collect();
    assert!(personal.iter().any(|declaration| declaration.slug == "holds-get"));
    for Declaration { slug, method, path, cache, .. } in personal {
        assert_eq!(cache, Cache::Never, "{slug}");
        let behavior = behavior(&with_ids(&path));
        let forwarded = properties(text(&behavior["OriginRequestPolicyId"]));
        let headers = &forwarded["OriginRequestPolicyConfig"]["HeadersConfig"];
        assert_eq!(headers["HeaderBehavior"], "allExcept", "{slug}");
        let removed = headers["Headers"].as_sequence().unwrap();
        assert!(!removed.iter().any(|name| text(name).eq_ignore_ascii_case("authorization")), "{slug}");
        // CloudFront caches no other method.
        if method == "GET" {
            let in_key = &key(policy(behavior))["HeadersConfig"]["Headers"];
            assert!(
                in_key.as_sequence().is_some_and(|names| names.iter().any(|name| name == "Authorization")),
                "{slug}"
            );
        }
    }
}

#[test]
fn entity_tag_of_event_stays_strong() {
    // CloudFront weakens the tag of a response that it compresses.
    assert_eq!(behavior(&format!("/api/v1/events/{ID}"))["Compress"], false);
    for other in ["", &format!("/{ID}/areas"), &format!("/{ID}/detail"), &format!("/{ID}/seat-map.svg")] {
        assert_eq!(behavior(&format!("/api/v1/events{other}"))["Compress"], true, "{other}");
    }
}

#[tokio::test]
async fn cache_key_has_parameters() {
    let page = cache_policy("/api/v1/events");
    let in_key: BTreeSet<_> = key(page)["QueryStringsConfig"]["QueryStrings"]
        .as_sequence()
        .unwrap()
        .iter()
        .map(|name| text(name).to_owned())
        .collect();

    let document = openapi::document("/");
    let parameters = document["paths"]["/api/v1/events"]["get"]["parameters"].as_array().unwrap().iter();
    let parameters = parameters.map(|parameter| {
        let pointer = parameter["$ref"].as_str().unwrap().trim_start_matches('#');
        document.pointer(pointer).unwrap()
    });
    let queried = parameters.filter(|parameter| parameter["in"] == "query");
    assert_eq!(in_key, queried.map(|parameter| parameter["name"].as_str().unwrap().to_owned()).collect());

    // Each parameter is read, since an invalid value of each is rejected.
    for name in &in_key {
        let value = "-".repeat(51);
        let rejected = Api::new().get(&format!("/api/v1/events?{name}={value}")).await.expect(400, "C_003");
        assert_eq!(rejected.errors(), [[name.as_str(), value.as_str()]]);
    }

    let event = cache_policy("/api/v1/events/*");
    assert_eq!(key(event)["QueryStringsConfig"]["QueryStringBehavior"], "none");
}

#[test]
fn cache_key_has_origin_if_needed() {
    for path in ["/api/v1/events", "/api/v1/events/*"] {
        let Value::Tagged(headers) = &key(cache_policy(path))["HeadersConfig"] else {
            panic!("the headers in the key depend on AllowedOrigins");
        };
        let [condition, any, listed] = headers.value.as_sequence().unwrap().as_slice() else {
            panic!("a condition and two choices");
        };
        assert_eq!(condition, "AllowsAnyOrigin");
        assert_eq!(any["HeaderBehavior"], "none");
        assert_eq!(listed["Headers"].as_sequence().unwrap().as_slice(), ["Origin"]);
    }
}

#[test]
fn cache_key_has_encoding_and_no_cookies() {
    let behaviors = api_behaviors(distribution());
    assert!(!behaviors.is_empty());
    for behavior in behaviors {
        let in_key = key(policy(behavior));
        let forwarded = &properties(text(&behavior["OriginRequestPolicyId"]))["OriginRequestPolicyConfig"];
        assert_eq!(in_key["EnableAcceptEncodingGzip"], true);
        for config in [in_key, forwarded] {
            assert_eq!(config["CookiesConfig"]["CookieBehavior"], "none");
        }
    }
}

#[test]
fn gateway_decodes_any_compressed_response() {
    let binary = &properties("Api")["BinaryMediaTypes"];
    assert_eq!(binary.as_sequence().unwrap().as_slice(), ["*~1*"]);
}

#[test]
fn gateway_responses_are_no_store() {
    let responses = &properties("Api")["GatewayResponses"];
    let names = keys(responses);
    assert!(!names.is_empty());
    for name in names {
        let headers = &responses[name.as_str()]["ResponseParameters"]["Headers"];
        assert_eq!(headers["Cache-Control"], "'no-store'", "{name}");
    }
}

#[test]
fn responses_have_security_headers() {
    let distribution = distribution();
    let listed = distribution["CacheBehaviors"].as_sequence().unwrap();
    for behavior in listed.iter().chain([&distribution["DefaultCacheBehavior"]]) {
        let policy = properties(text(&behavior["ResponseHeadersPolicyId"]));
        let headers = &policy["ResponseHeadersPolicyConfig"]["SecurityHeadersConfig"];
        assert_eq!(headers["ContentTypeOptions"]["Override"], true);
        assert_eq!(headers["StrictTransportSecurity"]["AccessControlMaxAgeSec"], 31_536_000);
    }
}
