#!/bin/sh
# The edits of a person who has the demo tenant: its ids, and the emulator in the place of Microsoft's hosts.
set -eu
sed -i \
  -e 's/^POWERBI_TENANT_ID=.*/POWERBI_TENANT_ID=deadbeef-0000-4000-8000-000000000001/' \
  -e 's/^POWERBI_CLIENT_ID=.*/POWERBI_CLIENT_ID=deadbeef-0000-4000-8000-000000000002/' \
  -e 's/^ADMIN_EMAIL=.*/ADMIN_EMAIL=admin@example.com/' "$1"
cat >> "$1" <<'SETTINGS'
POWERBI_API_URL=http://127.0.0.1:4000
POWERBI_AUTHORITY_URL=http://127.0.0.1:4000
SETTINGS

# What that person does in Entra ID and Power BI: upload the certificate, give the application its workspaces.
node --input-type=module -e '
  import { readFileSync } from "node:fs";
  const post = (path, body) => fetch(`http://127.0.0.1:4000/__emulator/${path}`, {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  }).then((response) => response.ok || process.exit(1));
  await post("content", { workspaces: 2, reports_per_workspace: 1 });
  await post("certificates", { certificate: readFileSync("/etc/vitrine/secrets/power-bi.crt", "utf8") });
'
