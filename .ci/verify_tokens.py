"""Verifies an access token in Node.js, with `members.mjs` of the guide, and in Python: `.ci/run tokens`."""

import contextlib
import io
import json
import pathlib
import re
import subprocess
import tarfile
import tempfile
import urllib.request

import jwt

ROOT = pathlib.Path(__file__).resolve().parent.parent
MEMBER = {"email": "kim@example.com", "name": "김철수", "nickname": "철수", "password": "secret"}
PRINT = """
for (const token of process.argv.slice(2))
  console.log(await memberOf({ headers: { authorization: `Bearer ${token}` } }).catch(error => error.code));
"""


def fetch(url, fields=None):
    request = urllib.request.Request(url, fields and json.dumps(fields).encode(), {"Content-Type": "application/json"})
    return json.load(urllib.request.urlopen(request))


def verify_in_python(url, token):
    configuration = fetch(f"{url}/.well-known/openid-configuration")
    key = jwt.PyJWKClient(configuration["jwks_uri"]).get_signing_key_from_jwt(token)
    return jwt.decode(token, key, ["ES256"], issuer=configuration["issuer"], audience="members")["sub"]


def verify_in_node(url, folder, *tokens):
    code = (ROOT / "docs/order-service/members.mjs").read_text()
    (folder / "verify.mjs").write_text(code + PRINT)
    # The package has no dependencies, so npm is not needed.
    package = urllib.request.urlopen("https://registry.npmjs.org/jose/-/jose-6.2.18.tgz").read()
    tarfile.open(fileobj=io.BytesIO(package)).extractall(folder / "node_modules", filter="data")
    (folder / "node_modules/package").rename(folder / "node_modules/jose")
    command = ["env", f"MEMBERS_URL={url}", "node", "verify.mjs", *tokens]
    return subprocess.check_output(command, cwd=folder, text=True).split()


def check(url, folder):
    member = fetch(f"{url}/api/v1/auth/join", MEMBER)["data"]["id"]
    token, other = (fetch(f"{url}/api/v1/auth/login", MEMBER)["data"]["accessToken"] for _ in range(2))
    forged = re.sub(r"\..*\.", f".{other.split('.')[1]}.", token)
    assert verify_in_python(url, token) == member
    with contextlib.suppress(jwt.InvalidSignatureError):
        raise AssertionError(verify_in_python(url, forged))
    assert verify_in_node(url, folder, token, forged) == [member, "ERR_JWS_SIGNATURE_VERIFICATION_FAILED"]


with tempfile.TemporaryDirectory() as folder:
    command = ["cargo", "run", "--quiet", "--locked", "-p", "local", "--", "--port=0", f"--data={folder}/data"]
    service = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        check(re.search(r"runs at (\S+)", service.stdout.readline())[1], pathlib.Path(folder))
    finally:
        service.terminate()
        service.wait()
