// Verification of members' access tokens, for Node.js 22 or newer with the package `jose` (`npm install jose`).
//
// The environment variable `MEMBERS_URL` has the value of `iss`: the output `BaseUrl`, locally `http://localhost:3000`.

import { createRemoteJWKSet, jwtVerify } from "jose";

const issuer = process.env.MEMBERS_URL;
const keys = createRemoteJWKSet(new URL(`${issuer}/.well-known/jwks.json`));
const rules = { issuer, audience: "members", typ: "at+jwt", algorithms: ["ES256"], requiredClaims: ["exp", "sub"] };

/**
 * Returns the id of the member whose access token a request has.
 *
 * Throws an error. Respond with 401 if its `code` is `ERR_JOSE_ALG_NOT_ALLOWED` or `ERR_JOSE_NOT_SUPPORTED`, or begins
 * with `ERR_JW`, except `ERR_JWKS_TIMEOUT` and `ERR_JWKS_INVALID`. Respond with 503 to all others: the keys could not be
 * read.
 */
export async function memberOf({ headers }) {
  const token = /^Bearer +(\S+)$/i.exec(headers.authorization)?.[1] ?? "";
  return (await jwtVerify(token, keys, rules)).payload.sub;
}
