# Three stages: everything that builds, only what runs, and the two put together without the tools of either.
# The versions are those of the lock file; `npm ci` would also want the packages of every other kind of machine in it.
ARG NODE=24.21.0-bookworm-slim

# The files a company keeps of its own: `--build-context company=/srv/guichet/company`; none without.
FROM scratch AS company

FROM docker.io/library/node:${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm install --no-save
COPY tsconfig.json vite.config.ts react-router.config.ts ./
COPY public ./public
COPY company ./company
COPY migrations ./migrations
COPY scripts ./scripts
COPY src ./src
# A clone made under a strict umask is read by nobody but its owner, and the product runs as somebody else.
RUN mkdir -p /own
COPY --from=company / /own/
# The image starts without source maps.
RUN COMPANY_DIR=/own node scripts/build.mjs && rm build/server/*.map && chmod -R a+rX /own package.json build company migrations scripts src

FROM docker.io/library/node:${NODE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has its own Node: the pinned one, of 190 MB, stays out, and so do types, which nobody reads there.
RUN npm install --no-save --omit=dev \
  && rm -rf node_modules/node-linux-* node_modules/node-win-* node_modules/.bin/node node_modules/typescript node_modules/@typescript node_modules/@types

FROM docker.io/library/node:${NODE}
# --build-arg FFMPEG=1 adds what turns recordings of other kinds into sound that browsers play.
ARG FFMPEG=0
RUN apt-get update && apt-get install -y --no-install-recommends iputils-ping \
  && if [ "$FFMPEG" = 1 ]; then apt-get install -y --no-install-recommends ffmpeg; fi \
  && rm -rf /var/lib/apt/lists/* \
  && ln -s /app/scripts/guichet.mjs /usr/local/bin/guichet \
  && install -d -o node -g node -m 700 /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data COMPANY_DIR=/own DEMO=0
# As scripts/start.mjs: less memory.
ENV MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=131072
WORKDIR /app
COPY --from=packages /app/node_modules ./node_modules
COPY --from=build /app/build ./build
COPY --from=build /own /own
COPY --from=build /app/package.json ./
COPY --from=build /app/migrations ./migrations
COPY --from=build /app/company ./company
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/src ./src
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
CMD ["node", "--max-semi-space-size=8", "build/server/main.js"]
