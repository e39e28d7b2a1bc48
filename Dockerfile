# syntax=docker/dockerfile:1

# A release names the digest that it was built from: --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY packages/embed/package.json packages/embed/
COPY packages/portal/package.json packages/portal/
COPY packages/power-bi-emulator/package.json packages/power-bi-emulator/
RUN npm ci
COPY nest-cli.json tsconfig.json tsconfig.build.json ormconfig.ts ./
COPY src src
COPY local local
COPY packages packages
COPY bin bin
RUN npm run build

FROM build AS production
# npm installs TypeScript as the optional peer of i18next.
RUN npm ci --omit=dev --workspaces=false --ignore-scripts && rm -rf node_modules/typescript

# Power BI emulator: for trying out and for tests, never part of the service's image. Only the packages that it loads.
FROM build AS emulator-packages
RUN npm ci --omit=dev --ignore-scripts -w @vitrine/power-bi-emulator --include-workspace-root=false

FROM ${NODE_IMAGE} AS emulator
WORKDIR /app
COPY --from=emulator-packages /app/node_modules node_modules
COPY --from=emulator-packages /app/packages/power-bi-emulator/package.json packages/power-bi-emulator/
COPY --from=emulator-packages /app/packages/power-bi-emulator/dist packages/power-bi-emulator/dist
COPY --from=emulator-packages /app/packages/power-bi-emulator/page packages/power-bi-emulator/page
ENV EMULATOR_HOST=0.0.0.0 EMULATOR_PORT=4000
USER 10002:10002
EXPOSE 4000
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.EMULATOR_PORT}/__emulator`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "packages/power-bi-emulator/dist/main.js"]

FROM ${NODE_IMAGE} AS service
# Nothing that installs or downloads.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn* \
  /usr/local/bin/yarn /usr/local/bin/yarnpkg
WORKDIR /app
COPY --from=production /app/package.json ./
COPY --from=production /app/node_modules node_modules
COPY --from=build /app/bin bin
COPY --from=build /app/dist/src dist/src
COPY --from=build /app/dist/ormconfig.js dist/ormconfig.js
COPY --from=build /app/dist/openapi.json dist/openapi.json
COPY --from=build /app/dist/portal dist/portal
# NODE_OPTIONS is a security setting (CFG-09): JSON input cannot reach `__proto__`.
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 PORT=3000 HOST=0.0.0.0 NODE_OPTIONS="--disable-proto=delete"
USER 10001:10001
EXPOSE 3000
# Alive, not ready: a service that waits for its database must not be restarted for it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/livez`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/src/main.js"]
