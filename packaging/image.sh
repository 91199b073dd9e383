#!/bin/sh
# Builds the container image `planroom:VERSION` from the Debian package in target/dist, with the same steps as
# packaging/container/Containerfile, but from a root file system made with debootstrap, so that no registry is needed.
# The image is exported to target/dist/planroom-VERSION-image.tar.gz, for `docker load` and `podman load`.
#
# Needs root, debootstrap and buildah. MIRROR selects the Debian mirror.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
out=$root/target/dist
[ "$(id -u)" = 0 ] || { echo "not run: needs root" >&2; exit 1; }
for tool in debootstrap buildah; do
    command -v "$tool" > /dev/null || { echo "missing: $tool. Install it with your system's package manager." >&2; exit 1; }
done
set -- "$out"/planroom_*_amd64.deb
[ -f "$1" ] || { echo "there is no package in $out; run make dist first" >&2; exit 1; }
package=$1
version=$(dpkg-deb --field "$package" Version)

# The driver and the isolation that work in containers and virtual machines too.
export STORAGE_DRIVER=${STORAGE_DRIVER:-vfs} BUILDAH_ISOLATION=${BUILDAH_ISOLATION:-chroot}
# Images in the OCI format have no health check. Podman reads the format of Docker too.
export BUILDAH_FORMAT=docker
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
tree=$work/root
debootstrap --variant=minbase --include=ca-certificates bookworm "$tree" "${MIRROR:-http://deb.debian.org/debian}" > "$work/log" 2>&1 \
    || { tail -20 "$work/log" >&2; exit 1; }
cp "$package" "$tree/tmp/planroom.deb"
chroot "$tree" dpkg --install /tmp/planroom.deb > /dev/null
chroot "$tree" install -d -m 700 -o planroom -g planroom /data
rm -rf "$tree/tmp/planroom.deb" "$tree"/var/lib/apt/lists/* "$tree"/var/cache/apt/* "$tree"/var/log/* \
    "$tree/var/backups/planroom" "$tree/etc/planroom" "$tree/usr/share/man" "$tree/usr/share/locale"
# The licenses stay.
find "$tree/usr/share/doc" -type f ! -name copyright ! -path '*/planroom/*' -delete

# With TMPDIR, the database has a directory for temporary files even if the file system of the container is read-only.
container=$(buildah from scratch)
# `buildah add` would make root the owner of all files.
cp -a "$tree/." "$(buildah mount "$container")"
buildah umount "$container" > /dev/null
buildah config \
    --env PLANROOM_DATA_DIR=/data --env 'PLANROOM_LISTEN=[::]:8420' --env TMPDIR=/data \
    --env PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    --user planroom --volume /data --port 8420 --stop-signal SIGTERM \
    --entrypoint '["planroom"]' --cmd serve \
    --label org.opencontainers.image.title=Planroom --label "org.opencontainers.image.version=$version" \
    --label 'org.opencontainers.image.licenses=MIT OR Apache-2.0' \
    "$container"
buildah config --healthcheck 'CMD planroom healthcheck' --healthcheck-interval 30s --healthcheck-timeout 6s \
    --healthcheck-start-period 60s "$container"
buildah commit --quiet --rm "$container" "planroom:$version" > /dev/null
file=$out/planroom-$version-image.tar
rm -f "$file" "$file.gz"
buildah push --quiet "planroom:$version" "docker-archive:$file:planroom:$version"
gzip -9n "$file"
(cd "$out" && find . -maxdepth 1 -type f ! -name SHA256SUMS -printf '%P\n' | sort | xargs sha256sum > SHA256SUMS)
ls -l "$file.gz"
