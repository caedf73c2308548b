#!/bin/sh
# Gets the images that Dockerfile and compose.yaml begin with: those that podman has, else those of the registry, else substitutes made
# from the packages of Debian and npm, with the users, folders and start-up steps of the originals. Substitutes are for tests: their
# versions are Debian's, not those of the tags.
#
# As root: apt install podman podman-compose mmdebstrap, then chaos/container/base-images.sh
# Where npm needs an authority of its own, `volumes` in containers.conf gives its file and /usr/local/etc/npmrc to every container.
set -eu
cd "$(dirname "$0")"
node=$(sed -n 's/^ARG NODE=\([0-9.]*\)-.*/\1/p' ../../Dockerfile)
test -n "$node"

make_debian() {
  podman image exists localhost/debian:bookworm ||
    mmdebstrap --variant=minbase --include=ca-certificates bookworm - | podman import --quiet - localhost/debian:bookworm
}

make_image() { # TARGET IMAGE [OPTION…]
  target=$1 image=$2
  shift 2
  podman image exists "$image" || podman pull --quiet "$image" 2>/dev/null || {
    echo "$image: made from Debian's packages"
    make_debian
    podman build --quiet --network host "$@" --target "$target" --tag "$image" .
  }
}

packages=$(mktemp -d)
trap 'rm -rf "$packages"' EXIT
image=docker.io/library/node:$node-bookworm-slim
podman image exists "$image" || npm install --silent --no-save --prefix "$packages" "node-linux-$(node -p process.arch)@$node" npm@11
make_image node "$image" --build-context "npm=$packages/node_modules"
make_image postgres docker.io/library/postgres:18-bookworm
make_image valkey docker.io/valkey/valkey:8
make_image caddy docker.io/library/caddy:2.11
make_image machine localhost/guichet-machine
