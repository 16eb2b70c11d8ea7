"""Runs the blocks of commands of docs/deploy.md and docs/runbook.md, and the smoke test, on a stack of the emulator.

Twice in a row, because a reader repeats them, and with curl 7.81. Commands within a sentence do not run here
(night/documents), nor do those for a release (night/release). The emulator accepts every filter of a log and every
version of an alias.
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap

DOCUMENTS = "docs/deploy.md", "docs/runbook.md"

# Commands that are left out, by a part of their text.
LEFT_OUT = {
    "sam build": "the emulator has the stack already",
    "sam deploy": "the emulator has the stack already",
    '"$BEARER"': "the emulator does not reach an issuer, and asks the authorizer before it looks at the API key",
    "gh release download": "there is no release on GitHub",
    "gh attestation verify": "there is no release on GitHub",
    "sha256sum --check SHA256SUMS": "night/release runs it",
    "tar -xzf": "night/release runs it",
    "BOOTSTRAPS.sha256": "night/release runs it",
    "cargo audit": "night/release runs it",
}

# Commands whose options the AWS CLI only checks, without a request, by a part of their text.
ONLY_CHECKED = {
    "aws service-quotas request-service-quota-increase": "the emulator has no requests for quotas",
    "aws deploy ": "the emulator has no CodeDeploy",
    "aws cloudformation continue-update-rollback": "no rollback has failed",
}

# Options that version 2 of the AWS CLI has, but not yet in Debian 12. The newest version 1 has them, too.
NEW_OPTIONS = "-deletion-protection-enabled", "--warm-throughput"

# What replaces a placeholder in a command.
PLACEHOLDERS = {
    "'PASSWORD'": "Password-1",
    "--notification-endpoint ADDRESS": "--notification-endpoint operator@example.com",
    "EMAIL#ADDRESS": "EMAIL#barred@example.com",
    "--function-name FUNCTION": "--function-name $FUNCTION",
    "--function-version 41": "--function-version 1",
    "upload/THUMBNAIL": "upload/thumbnail.png",
    "time=2026-12-01T00:30:00": "time=$between",
}

WRONG_LOGIN = '{ post auth/login \'{"email": "barred@example.com", "password": "wrong-password"}\' || true; }'

# What runs before and after a block, by a part of its text. `FUNCTION` is holds-create unless it says otherwise, and
# `$work/output` is the output of the block.
AROUND = {
    # The version that the alias has by now has another `MAX_SEATS`, and no other function differs.
    "--qualifier live --query Environment": ("", '[[ $(<"$work/output") == "$FUNCTION" ]]\n'),
    "EMAIL#ADDRESS": (
        f'for _ in {{1..11}}; do {WRONG_LOGIN}; done | tail -n 1 | grep " 429$"\n', f'{WRONG_LOGIN} | grep " 401$"\n'),
    # The member whom the next block deletes.
    "--projection-expression 'id, email": (
        'post auth/join \'{"email": "kim@example.com", "name": "Kim", "nickname": "철수", "password": "a-long-password"}\'\n',
        'ID=$(grep -o "[0-9a-f-]\\{36\\}" "$work/output")\n'),
    "aws dynamodb transact-write-items": ("", """
        for key in '{"pk": {"S": "EMAIL#kim@example.com"}, "sk": {"S": "EMAIL"}}' \\
          '{"pk": {"S": "NICKNAME#철수"}, "sk": {"S": "NICKNAME"}}' \\
          '{"pk": {"S": "MEMBER#'"$ID"'"}, "sk": {"S": "MEMBER"}}'; do
          [[ $(aws dynamodb get-item --table-name "$TABLE" --query Item --output text --key "$key") == None ]]
        done
    """),
    "aws lambda invoke": ("""
        FUNCTION=EVENTS_DELETE
        aws lambda invoke --function-name FUNCTION:live --cli-binary-format raw-in-base64-out /dev/null --payload '{
          "httpMethod": "DELETE", "pathParameters": {"eventId": "EVENT_ID"},
          "requestContext": {"authorizer": {"principalId": "MANAGER_ID"}}}'
        if curl $BASE/api/v1/events/EVENT_ID; then false; fi
        FUNCTION=EVENTS_RESTORE
    """, """
        FUNCTION=HOLDS_CREATE
        curl $BASE/api/v1/events/EVENT_ID
    """),
    "aws dynamodb restore-table-to-point-in-time": (
        "aws dynamodb update-table --table-name tickets-restored --no-deletion-protection-enabled || true\n"
        "aws dynamodb delete-table --table-name tickets-restored || true\n", ""),
    # The first command restores all posters that existed at that time, the second one poster.
    "removed upload/THUMBNAIL": ("""
        posters="s3://$(output BucketName)/upload"
        aws s3 cp README.md "$posters/older.png"
        sleep 1
        between=$(date -u +%FT%T)
        sleep 1
        aws s3 cp README.md "$posters/thumbnail.png"
        aws s3 rm "$posters/older.png"
        aws s3 rm "$posters/thumbnail.png"
    """, """
        for name in older thumbnail; do
          aws s3api head-object --bucket "$(output BucketName)" --key upload/$name.png
        done
        aws s3 rm "$posters/older.png"
    """),
    "aws s3 rm": ("", '[[ -z $(aws s3 ls "$posters/thumbnail.png") ]]\n'),
    "versions upload/THUMBNAIL": (
        "", '[[ -z $(versions upload/thumbnail.png "[Versions || \\`[]\\`, DeleteMarkers || \\`[]\\`][].Key") ]]\n'),
}


def blocks(document):
    """Yields the blocks of commands of a document, and each command of the smoke test with a check of its response."""
    text = pathlib.Path(document).read_text()
    found = re.findall(r"^\| `((?:curl|managers) [^`]*)` \| [^\d\n]*(\d{3})([^\n]*)$|^( *)```sh\n(.*?)^\4```$",
                       text, re.S | re.M)
    expected = len(re.findall(r"^ *(?:```|~~~) *\w", text, re.M)) + len(re.findall(r"^\| *`(?:curl|managers)", text, re.M))
    assert len(found) == expected, (document, len(found), expected)
    for command, status, response, _, block in found:
        if block:
            yield textwrap.dedent(block)
        else:
            code = re.search(r'`([A-Z]+_\d+|"code":"0")', response)
            checks = [f"^HTTP.* {status} ", *([code[1]] if code else [])]
            yield f'{command} >"$work/response" || true' + "".join(
                f"; grep --text '{check}' \"$work/response\"" for check in checks) + "\n"


def script_for(placeholders):
    """Returns the script that runs all blocks once, and their number."""
    script = ["set -eEuo pipefail\ntrap 'echo \"failed: $block\" >&2' ERR\n"]
    unused = {*LEFT_OUT, *ONLY_CHECKED, *NEW_OPTIONS, *placeholders, *AROUND}
    for document in DOCUMENTS:
        for block in blocks(document):
            kept = []
            # A command ends where the next line does not continue it.
            for command in re.findall(r"(?:.*\\\n)*.*\n", block):
                unused -= {part for part in (*LEFT_OUT, *ONLY_CHECKED, *NEW_OPTIONS) if part in command}
                if any(part in command for part in LEFT_OUT):
                    continue
                if any(part in command for part in ONLY_CHECKED):
                    command = command.removesuffix("\n") + " --generate-cli-skeleton output\n"
                kept.append(command)
            if not kept:
                continue
            around = {part: texts for part, texts in AROUND.items() if part in block}
            unused -= {*around}
            text = "\n".join([
                *(before for before, _ in around.values()),
                "{", *kept, '} >"$work/output"\ncat "$work/output"',
                *(after for _, after in around.values())])
            for placeholder, value in placeholders.items():
                if placeholder in text:
                    unused -= {placeholder}
                    text = text.replace(placeholder, value)
            script.append(f"block=$(cat <<'BLOCK'\n{block}BLOCK\n)\n{text}")
    assert not unused, f"no command has these parts: {unused}"
    return "\n".join(script), len(script) - 1


def run(emulator, viewer, outputs, functions, event, manager):
    """Runs the commands, with an event of this manager; returns the number of blocks.

    `viewer` is the address of the distribution, and `functions` has the name of each function.
    """
    script, number = script_for(PLACEHOLDERS | {
        "EVENT_ID": event, "MANAGER_ID": manager, "EVENTS_DELETE": functions["EventsDelete"],
        "EVENTS_RESTORE": functions["EventsRestore"], "HOLDS_CREATE": functions["HoldsCreate"]})
    with tempfile.TemporaryDirectory() as work:
        work = pathlib.Path(work)
        api = re.match(r"https://(\w+)\.", outputs["ApiUrl"])[1]
        newest = pathlib.Path(sys.executable).with_name("aws")
        wrappers = {
            "aws": f'cli={os.environ["AWS_CLI"]}\n'
                   f'case "$*" in *{"* | *".join(NEW_OPTIONS)}*) cli={newest} ;; esac\n'
                   f'exec "$cli" --endpoint-url {emulator} "$@"',
            "curl": f'api={outputs["ApiUrl"]} base={outputs["BaseUrl"]}\n'
                    f'set -- "${{@/#$api/{emulator}/_aws/execute-api/{api}/live}}"\n'
                    f'exec {os.environ["CURL"]} --silent --fail-with-body "${{@/#$base/{viewer}}}"',
        }
        for name, wrapper in wrappers.items():
            (work / name).write_text(f"#!/usr/bin/env bash\n{wrapper}\n")
            (work / name).chmod(0o755)
        (work / "script").write_text(script)
        environment = os.environ | {"PATH": f"{work}:{os.environ['PATH']}", "AWS_PAGER": "", "work": str(work),
                                    "FUNCTION": functions["HoldsCreate"]}
        for _ in range(2):
            result = subprocess.run(["bash", work / "script"], env=environment, stdin=subprocess.DEVNULL,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            assert result.returncode == 0, result.stdout.decode(errors="replace")[-3000:]
    return number
