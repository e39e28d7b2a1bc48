"""Verifies one delivery as docs/webhooks.md describes, with the standard library only.

Reads {"secret", "headers", "body"} as JSON. Exit code 0: the signature is valid."""

import base64
import hashlib
import hmac
import json
import sys
import time

given = json.load(sys.stdin)
headers = given["headers"]
key = base64.b64decode(given["secret"].removeprefix("whsec_"))
signed = f'{headers["webhook-id"]}.{headers["webhook-timestamp"]}.{given["body"]}'
expected = base64.b64encode(hmac.new(key, signed.encode(), hashlib.sha256).digest()).decode()
signatures = [each.removeprefix("v1,") for each in headers["webhook-signature"].split(" ") if each.startswith("v1,")]
is_recent = abs(time.time() - int(headers["webhook-timestamp"])) < 300
is_valid = is_recent and any(hmac.compare_digest(expected, each) for each in signatures)
sys.exit(0 if is_valid else 1)
