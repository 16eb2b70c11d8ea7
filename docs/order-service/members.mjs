// Verification of members' access tokens, for Node.js 22 or newer with the package `jose`.

import { createRemoteJWKSet, jwtVerify } from "jose";

const issuer = process.env.MEMBERS_URL;
const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
const rules = { issuer, audience: "members", typ: "at+jwt", algorithms: ["ES256"], requiredClaims: ["exp", "sub"] };

/** Returns the id of the member whose access token a request has. Throws an error if the token is invalid. */
export async function memberOf({ headers }) {
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1] ?? "";
  return (await jwtVerify(token, keys, rules)).payload.sub;
}
