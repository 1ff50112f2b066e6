# syntax=docker/dockerfile:1

# Builds the web app and the program (dist/app) from the sources.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.npm npm install
RUN npm run build && npm run package
# The folder of the volume, for a non-root owner.
RUN mkdir -p volume

# Installs the production dependencies at the versions of the lockfile. Removes TypeScript, a peer dependency of tRPC for its
# types, and Node's headers and documentation: nothing uses them at run time.
FROM node:24-bookworm-slim AS production
WORKDIR /production
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm install --omit=dev --ignore-scripts --workspaces=false
RUN rm -rf node_modules/typescript node_modules/@typescript node_modules/node-*/include node_modules/node-*/share && \
    ln -sf "../$(basename node_modules/node-linux-*)/bin/node" node_modules/.bin/node

# Node comes with the dependencies, so the base image needs none.
FROM debian:bookworm-slim
WORKDIR /app
COPY --from=production /production/node_modules ./node_modules
COPY --from=build /build/dist/app ./dist/app
COPY package.json LICENSE ./
COPY bin ./bin
COPY --from=build --chown=10001:10001 /build/volume /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PATH=/app/node_modules/.bin:$PATH \
    NODE_COMPILE_CACHE=/data/.cache
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=2", "bin/medley.js"]
CMD ["start"]
