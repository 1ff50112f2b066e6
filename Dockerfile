# syntax=docker/dockerfile:1

# Builds the web app and the program (dist/app) from the sources.
FROM node:24-bookworm-slim AS build
WORKDIR /build
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci
RUN npm run build && npm run package
# The folder of the volume, for a non-root owner.
RUN mkdir -p volume

# Installs the production dependencies exactly as the lockfile has them. Removes TypeScript, a peer dependency of tRPC for its
# types, and Node's headers and documentation: nothing uses them at run time.
FROM node:24-bookworm-slim AS production
WORKDIR /production
COPY package.json package-lock.json .npmrc ./
RUN --mount=type=cache,target=/root/.npm npm pkg delete devDependencies workspaces && npm ci --ignore-scripts
RUN rm -rf node_modules/typescript node_modules/@typescript node_modules/node-*/include node_modules/node-*/share && \
    ln -sf "../$(basename node_modules/node-linux-*)/bin/node" node_modules/.bin/node

# Node comes with the dependencies, so the base image needs none.
FROM debian:bookworm-slim
WORKDIR /app
COPY --from=production /production/node_modules ./node_modules
COPY --from=build /build/dist/app ./dist/app
COPY package.json LICENSE ./
COPY bin ./bin
# Starts the server once, which fills Node's compile cache: the server can read it and never write it. Node accepts it only with the
# same paths and flags, and looks for it in a folder whose name ends with the user's id.
RUN NODE_ENV=production DATA_DIR=first-start PORT=0 \
    node_modules/.bin/node --max-semi-space-size=2 bin/medley.js > start.txt & \
    until grep -q "Medley is at" start.txt; do kill -0 $! || exit 1; sleep 0.1; done; \
    kill $! && wait $! && rm -r first-start start.txt && \
    for folder in .cache/*; do mv "$folder" "${folder%-*}-10001"; done && chmod -R a+rX .cache
COPY --from=build --chown=10001:10001 /build/volume /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data PATH=/app/node_modules/.bin:$PATH \
    NODE_COMPILE_CACHE=/app/.cache
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=2", "bin/medley.js"]
CMD ["start"]
