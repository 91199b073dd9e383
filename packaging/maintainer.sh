#!/bin/sh
# Prints the maintainer of the Debian package as `Name <address>`: DEBFULLNAME and DEBEMAIL, the variables of Debian's own tools,
# or the name and address that Git uses for commits in this repository. Users of the package report its problems there.
set -eu

root=$(cd "$(dirname "$0")/.." && pwd)
name=${DEBFULLNAME:-$(git -C "$root" config user.name || true)}
address=${DEBEMAIL:-$(git -C "$root" config user.email || true)}
if [ -z "$name" ] || [ -z "$address" ]; then
    echo "The Debian package needs a maintainer. Set it with:" >&2
    echo "  make dist DEBFULLNAME='Planroom maintainers' DEBEMAIL=planroom@example.org" >&2
    exit 1
fi
echo "$name <$address>"
