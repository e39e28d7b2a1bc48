#!/bin/sh
# Run by the postgres container of docker-compose.yml when its data folder is made, behind roles.sql.
set -eu
: "${POSTGRES_APP_PASSWORD:?}"
psql --no-psqlrc --quiet -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" <<'SQL'
\getenv password POSTGRES_APP_PASSWORD
ALTER ROLE vitrine_app PASSWORD :'password';
SQL
