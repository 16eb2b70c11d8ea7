//! Tokens of the development issuer.

use auth::issuer::Issuer;
use domain::manager::Role;
use local::{
    Addresses, Data, Settings, Stack,
    issuer::{AUDIENCE, ManagerAuthentication},
    sample::MANAGER,
};
use serde_json::json;

#[tokio::test]
async fn token_has_role_as_array_and_text() {
    let settings = Settings { managers: ManagerAuthentication::LocalIssuer, ..Settings::default() };
    let data = Data::temporary().unwrap();
    let stack = Stack::start_with(Addresses::default(), data, settings).await.unwrap();
    let local_issuer = stack.issuer().unwrap();
    let token = local_issuer.token(MANAGER).unwrap();

    let issuer = Issuer::new(local_issuer.url().parse().unwrap(), AUDIENCE.to_owned()).unwrap();
    let claims = issuer.verify(&token).await.unwrap();
    assert_eq!((&claims["roles"], &claims["role"]), (&json!(["manager"]), &json!("manager")));
    // These are two values of the parameter `ManagerRoleClaim`.
    for claim in ["roles", "role"] {
        let role = Role::new(claim.to_owned(), "manager".to_owned());
        assert_eq!(role.manager(&claims).unwrap(), MANAGER, "{claim}");
    }
}
