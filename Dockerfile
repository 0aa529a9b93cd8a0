# The kit in a container. docs/containers.md explains how to use it.
FROM node:24-alpine AS build
WORKDIR /build
COPY package.json package-lock.json ./
COPY runtime runtime
RUN npm ci --ignore-scripts
COPY tsconfig.json tsconfig.build.json tsconfig.types.json ./
COPY scripts/build.ts scripts/build.ts
COPY scripts/build scripts/build
COPY conformance conformance
COPY fixtures fixtures
COPY src src
# `npm run build` would use the Node.js in the `runtime` folder, which does not run on Alpine Linux.
RUN node scripts/build.ts && npm prune --ignore-scripts --omit=dev --omit=optional

FROM node:24-alpine
WORKDIR /kit
COPY package.json ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist dist
COPY bin/xpk.cjs container/xpk bin/
COPY conformance/profile.schema.yaml conformance/profile.schema.yaml
COPY conformance/profiles conformance/profiles
COPY fixtures fixtures
COPY openapi openapi
ENV NODE_ENV=production PATH=/kit/bin:$PATH XPK_HOST=0.0.0.0
USER node
EXPOSE 4010
HEALTHCHECK --interval=30s --start-period=30s --start-interval=2s CMD ["xpk", "health"]
CMD ["xpk", "start"]
