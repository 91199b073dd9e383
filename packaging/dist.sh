#!/bin/sh
# Builds the packages of a release in target/dist:
#
#     planroom-VERSION-x86_64-linux-gnu.tar.gz   the binary, documentation, manual pages, completions, systemd files
#     planroom_VERSION_amd64.deb                 the same for Debian and Ubuntu
#     planroom-VERSION.cdx.json                  software bill of materials (CycloneDX)
#     SHA256SUMS
#
# Usage: packaging/dist.sh BINARY MANUALS [OUT]
#
# BINARY is the release binary, MANUALS a directory with the manual pages. `make dist` builds both. OUT replaces target/dist.
# Needs binutils. packaging/maintainer.sh determines the maintainer of the Debian package. COMPRESSION is the level of all
# compression, for tests, which need no small packages.
set -eu
umask 022

binary=$1
manuals=$2
root=$(cd "$(dirname "$0")/.." && pwd)
out=${3:-$root/target/dist}
maintainer=$("$root/packaging/maintainer.sh")
version=$("$binary" --version | cut -d' ' -f2)
# The system libraries of the binary, for the Debian package and the message at the end.
libraries=$(objdump --private-headers "$binary" | sed -n 's/^ *NEEDED *//p')
glibc=$(objdump --dynamic-syms "$binary" | grep -o 'GLIBC_[0-9.]*' | sort -Vu | tail -n 1 | cut -d_ -f2)
case $libraries in
    *libgcc_s*) depends="libc6 (>= $glibc), libgcc-s1" ;;
    *) depends="libc6 (>= $glibc)" ;;
esac
# The same commit gives the same packages.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
python3 "$root/packaging/licenses.py" "$work/licenses"

# The configuration file of the package: every key is a comment, so that the defaults of later releases apply, and
# settings of administrators are not locked.
package_configuration() {
    sed -E 's|^([a-z_]+ = .*)|#\1|; s|^#data_dir = .*|data_dir = "/var/lib/planroom"|' "$root/config.example.toml"
}

# Compresses without a time stamp.
squeeze() { gzip "-${COMPRESSION:-9}n" "$@"; }

# --- Archive -----------------------------------------------------------------
name=planroom-$version-x86_64-linux-gnu
tree=$work/$name
mkdir -p "$tree/man" "$tree/completions" "$tree/docs" "$tree/systemd"
install -m 755 "$binary" "$tree/planroom"
cp "$root/README.md" "$root/CHANGELOG.md" "$root/SECURITY.md" "$root/LICENSE-MIT" "$root/LICENSE-APACHE" \
    "$root/config.example.toml" "$work/licenses/THIRD-PARTY-NOTICES.txt" "$tree"
cp -R "$root"/docs/. "$tree/docs"
cp "$root"/systemd/* "$tree/systemd"
cp "$manuals"/*.1 "$tree/man"
"$binary" completions bash > "$tree/completions/planroom.bash"
"$binary" completions zsh > "$tree/completions/_planroom"
"$binary" completions fish > "$tree/completions/planroom.fish"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$SOURCE_DATE_EPOCH" -cf - "$name" \
    | squeeze > "$out/$name.tar.gz"

# --- Debian package ----------------------------------------------------------
deb=$work/deb
put() { install -D -m 644 "$1" "$deb/$2"; }
install -D -m 755 "$binary" "$deb/usr/bin/planroom"
for page in "$manuals"/*.1; do
    put "$page" "usr/share/man/man1/$(basename "$page")"
done
squeeze "$deb"/usr/share/man/man1/*.1
put "$tree/completions/planroom.bash" usr/share/bash-completion/completions/planroom
put "$tree/completions/_planroom" usr/share/zsh/vendor-completions/_planroom
put "$tree/completions/planroom.fish" usr/share/fish/vendor_completions.d/planroom.fish
documents=usr/share/doc/planroom
put "$root/README.md" "$documents/README.md"
for file in "$root"/docs/*.md "$root"/docs/*.json; do
    put "$file" "$documents/docs/$(basename "$file")"
done
put "$root/config.example.toml" "$documents/config.example.toml"
put "$root/CHANGELOG.md" "$documents/CHANGELOG.md"
squeeze "$deb/$documents/CHANGELOG.md"
# Debian's tools read a changelog in their own format.
cat > "$work/changelog" <<EOT
planroom ($version) stable; urgency=medium

  * CHANGELOG.md.gz lists the changes.

 -- $maintainer  $(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")
EOT
put "$work/changelog" "$documents/changelog"
squeeze "$deb/$documents/changelog"
put "$work/licenses/THIRD-PARTY-NOTICES.txt" "$documents/THIRD-PARTY-NOTICES.txt"
squeeze "$deb/$documents/THIRD-PARTY-NOTICES.txt"
{
    echo "Planroom is licensed under either of the MIT License and the Apache License, Version 2.0, at your option."
    echo "On Debian systems, the Apache License is in /usr/share/common-licenses/Apache-2.0. The licenses of all bundled"
    echo "packages are in THIRD-PARTY-NOTICES.txt.gz."
    echo
    cat "$root/LICENSE-MIT"
} > "$work/copyright"
put "$work/copyright" "$documents/copyright"
for unit in "$root"/systemd/*.service; do
    name=$(basename "$unit")
    sed -e 's|/usr/local/|/usr/|; s|/etc/systemd/system|/usr/lib/systemd/system|; /^Environment=PLANROOM_DATA_DIR/d' "$unit" > "$work/$name"
    put "$work/$name" "usr/lib/systemd/system/$name"
done
put "$root/systemd/sysusers.conf" usr/lib/sysusers.d/planroom.conf
put "$root/systemd/tmpfiles.conf" usr/lib/tmpfiles.d/planroom.conf
package_configuration > "$work/config.toml"
"$binary" config check "$work/config.toml" > /dev/null
put "$work/config.toml" etc/planroom/config.toml
chmod 640 "$deb/etc/planroom/config.toml"
# It can contain secrets.
echo 'planroom: non-standard-file-perm 0640 != 0644 [etc/planroom/config.toml]' > "$work/overrides"
put "$work/overrides" usr/share/lintian/overrides/planroom

mkdir "$deb/DEBIAN"
size=$(du -k -s --apparent-size "$deb" | cut -f1)
sed "s|@VERSION@|$version|; s|@SIZE@|$size|; s|@DEPENDS@|$depends|; s|@MAINTAINER@|$maintainer|" "$root/packaging/debian/control" > "$deb/DEBIAN/control"
cp "$root"/packaging/debian/conffiles "$deb/DEBIAN"
install -m 755 "$root"/packaging/debian/postinst "$root"/packaging/debian/prerm "$root"/packaging/debian/postrm \
    "$deb/DEBIAN"
(cd "$deb" && find . -type f ! -path './DEBIAN/*' ! -path './etc/*' -printf '%P\0' | sort -z | xargs -0 md5sum > DEBIAN/md5sums)
chmod 644 "$deb/DEBIAN/md5sums" "$deb/DEBIAN/control" "$deb/DEBIAN/conffiles"
dpkg-deb --root-owner-group -Zxz "-z${COMPRESSION:-6}" --build "$deb" "$out/planroom_${version}_amd64.deb" > /dev/null

# --- Bill of materials and checksums -----------------------------------------
cp "$work/licenses/planroom.cdx.json" "$out/planroom-$version.cdx.json"
(cd "$out" && sha256sum -- * > "$work/SHA256SUMS" && mv "$work/SHA256SUMS" SHA256SUMS)
ls -l "$out"
echo "The binary needs glibc $glibc or newer."
