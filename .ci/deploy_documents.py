"""Runs the commands of docs/deploy.md and docs/runbook.md on a stack of the emulator, twice in a row."""

import os
import pathlib
import re
import subprocess
import tempfile
import textwrap

DOCUMENTS = "docs/deploy.md", "docs/runbook.md"

# Commands that are left out, by a part of their text.
LEFT_OUT = {
    "sam build": "the emulator has the stack already",
    "sam deploy": "the emulator has the stack already",
    "service-quotas request-service-quota-increase": "the emulator has no requests for quotas",
    '"$BEARER"': "the emulator does not reach an issuer",
    "--deletion-protection-enabled": "Debian's AWS CLI is too old for it",
    "--warm-throughput": "Debian's AWS CLI is too old for it",
    "gh release download": "there is no release",
    "sha256sum --check SHA256SUMS": "there is no release",
    "gh attestation verify": "there is no release",
    "tar -xzf": "there is no release",
    "BOOTSTRAPS.sha256": "there is no release",
}

# What replaces a placeholder in a command.
PLACEHOLDERS = {
    "'PASSWORD'": "Password-1",
    "--notification-endpoint ADDRESS": "--notification-endpoint operator@example.com",
    "--function-name FUNCTION": "--function-name $FUNCTION",
    "--function-version 41": "--function-version 1",
    "upload/THUMBNAIL": "upload/thumbnail.png",
}

# What runs before and after a block, by a part of its text.
AROUND = {
    # The last command fails for another member, so there has to be the documented one.
    "--projection-expression 'id, email": (
        'post auth/join \'{"email": "kim@example.com", "name": "Kim", "nickname": "철수", "password": "a-long-password"}\'\n',
        'ID=$(aws dynamodb get-item --table-name "$TABLE" --output text --query Item.id.S \\\n'
        '  --key \'{"pk": {"S": "EMAIL#kim@example.com"}, "sk": {"S": "EMAIL"}}\')\n'),
    "aws dynamodb transact-write-items": (
        "", 'post auth/login \'{"email": "kim@example.com", "password": "a-long-password"}\' | grep " 401$"\n'),
    "aws lambda invoke": (
        'FUNCTION=EVENTS_DELETE\naws lambda invoke --function-name FUNCTION:live --payload \'{"httpMethod": "DELETE", '
        '"pathParameters": {"eventId": "EVENT_ID"}, "requestContext": {"authorizer": {"principalId": "MANAGER_ID"}}}\' '
        "--cli-binary-format raw-in-base64-out /dev/null\n! curl -fs $BASE/api/v1/events/EVENT_ID\n"
        "FUNCTION=EVENTS_RESTORE\n",
        "FUNCTION=EVENTS_GET\ncurl -fs $BASE/api/v1/events/EVENT_ID >/dev/null\n"),
    "aws dynamodb restore-table-to-point-in-time": (
        "aws dynamodb delete-table --table-name tickets-restored || true\n", ""),
    "removed upload/THUMBNAIL": (
        'aws s3 cp README.md "s3://$(output BucketName)/upload/THUMBNAIL"\n'
        'aws s3 rm "s3://$(output BucketName)/upload/THUMBNAIL"\n',
        'aws s3api head-object --bucket "$(output BucketName)" --key upload/THUMBNAIL\n'),
    "versions upload/THUMBNAIL": ("", "test -z \"$(versions upload/THUMBNAIL 'Versions || `[]`')\"\n"),
}


def blocks(document):
    """Yields the blocks of commands of a document, and each command of the smoke test with a check of its status."""
    for command, status, _, block in re.findall(
            r"^\| `((?:curl|managers) [^`]*)` \| \D*?(\d{3})[^\n]*$|^( *)```sh\n(.*?)^\3```$",
            pathlib.Path(document).read_text(), re.S | re.M):
        yield textwrap.dedent(block) or f'{command} >"$work/response" && grep "^HTTP.* {status} " "$work/response"\n'


def run(emulator, viewer, outputs, functions, event, manager):
    """Runs the commands, with an event of this manager; returns the number of blocks.

    `viewer` is the address of the distribution, and `functions` has the name of each function.
    """
    placeholders = PLACEHOLDERS | {
        "EVENT_ID": event, "MANAGER_ID": manager, "EVENTS_GET": functions["EventsGet"],
        "EVENTS_DELETE": functions["EventsDelete"], "EVENTS_RESTORE": functions["EventsRestore"]}
    script, left_out = ["set -eEu\ntrap 'echo \"failed: $block\"' ERR\n"], set()
    for document in DOCUMENTS:
        for block in blocks(document):
            kept = []
            # A command ends where the next line does not continue it.
            for command in re.findall(r"(?:.*\\\n)*.*\n", block):
                parts = {part for part in LEFT_OUT if part in command}
                left_out |= parts
                if not parts:
                    kept.append(command)
            around = [texts for part, texts in AROUND.items() if part in block]
            text = "".join([*(before for before, _ in around), *kept, *(after for _, after in around)])
            for placeholder, value in placeholders.items():
                text = text.replace(placeholder, value)
            if kept:
                script.append(f"block=$(cat <<'BLOCK'\n{block}BLOCK\n)\n{text}")
    assert left_out == set(LEFT_OUT), f"nothing to leave out: {set(LEFT_OUT) - left_out}"
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        api = re.match(r"https://(\w+)\.", outputs["ApiUrl"])[1]
        wrappers = {
            "aws": f'exec /usr/bin/aws --endpoint-url {emulator} "$@"',
            "curl": f'api={outputs["ApiUrl"]} base={outputs["BaseUrl"]}\n'
                    f'set -- "${{@/#$api/{emulator}/_aws/execute-api/{api}/live}}"\n'
                    f'exec /usr/bin/curl -s "${{@/#$base/{viewer}}}"',
        }
        for name, wrapper in wrappers.items():
            (work / name).write_text(f"#!/usr/bin/env bash\n{wrapper}\n")
            (work / name).chmod(0o755)
        for _ in range(2):
            (work / "script").write_text("\n".join(script))
            environment = os.environ | {"PATH": f"{work}:{os.environ['PATH']}", "AWS_PAGER": "", "work": str(work),
                                        "FUNCTION": functions["EventsGet"]}
            result = subprocess.run(["bash", work / "script"], env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            assert result.returncode == 0, result.stdout.decode(errors="replace")[-3000:]
    return len(script) - 1
