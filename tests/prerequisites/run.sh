#!/bin/sh
# Tests packaging/prerequisites.sh with a PATH that has only stubs of the programs it looks for.
set -eu

root=$(cd "$(dirname "$0")/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
minimum=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' "$root/Cargo.toml")
echo certificate > "$work/certificates"
failed=0

# Creates a program with this name and these commands.
stub() {
    printf '#!/bin/sh\n%s\n' "$2" > "$work/bin/$1"
    chmod +x "$work/bin/$1"
}

# Starts a case: everything is installed, in versions that are just new enough.
given() {
    name=$1
    rm -rf "$work/bin"
    mkdir "$work/bin"
    for program in sh sed mktemp rm id uname dirname; do ln -s "$(command -v $program)" "$work/bin/$program"; done
    rust "$minimum"
    stub cc 'printf "#!/bin/sh\n" > "$5"; chmod +x "$5"'
    ln -s "$(command -v chmod)" "$work/bin/chmod"
    node 22.12.0
    stub npm 'echo 10.9.0'
    python 3.11.2
}
rust() {
    stub cargo "case \$1 in fmt) echo rustfmt 1.8.0 ;; clippy) echo clippy 0.1 ;; *) echo 'cargo $1.0 (abc 2026-01-01)' ;; esac"
    stub rustc "echo 'rustc $1.0 (abc 2026-01-01)'"
}
node() { stub node "echo v$1"; }
python() { stub python3 "[ \"\$1\" = -c ] || echo Python $1"; }
without() { for program in "$@"; do rm "$work/bin/$program"; done; }

# Runs the check. It must print all these texts, or nothing if there are none.
expect() {
    status=0
    output=$(PATH="$work/bin" HOME="$work" SSL_CERT_FILE="$work/certificates" RUSTC='' CARGO='' PYTHON='' \
        "$root/packaging/prerequisites.sh" rust lints node python 2>&1) || status=$?
    wrong=
    [ "$status" -eq $(($# > 0)) ] || wrong="exit code $status"
    [ $# -gt 0 ] || [ -z "$output" ] || wrong='output'
    for text in "$@"; do case $output in *"$text"*) ;; *) wrong="no \"$text\"" ;; esac; done
    [ -z "$wrong" ] || { failed=1; printf '%s: %s in:\n%s\n' "$name" "$wrong" "$output" >&2; }
}

given 'everything is installed'
expect

given 'nothing is installed'
without cargo rustc cc node npm python3
expect "missing: Rust (cargo and rustc) $minimum or newer" 'missing: cc' 'missing: node, Node.js 20.19+ or 22.12+' 'missing: npm' \
    'missing: python3' 'apt-get install --no-install-recommends gcc libc6-dev curl nodejs npm python3 python3-venv' \
    'https://sh.rustup.rs' '. "$HOME/.cargo/env"'

given 'the compiler of the system is too old'
stub rustc 'echo "rustc 1.63.0"'
expect "too old: rustc 1.63.0. Rust $minimum or newer is needed." 'https://sh.rustup.rs'

given 'rustup has an old version'
rust "${minimum%.*}.$((${minimum#*.} - 1))"
stub rustup 'exit 1'
expect 'too old: cargo ' 'rustup update stable'

given 'a newer major version of Rust'
rust 2.0
expect

given 'Rust is installed but not in the PATH'
mkdir -p "$work/.cargo/bin"
mv "$work/bin/cargo" "$work/.cargo/bin/cargo"
expect 'not in the PATH' '. "$HOME/.cargo/env"'
rm -r "$work/.cargo"

given 'rustup without clippy'
stub cargo "case \$1 in clippy) exit 1 ;; *) echo 'cargo $minimum.0' ;; esac"
stub rustup 'exit 1'
expect 'missing: components of Rust: clippy' 'rustup component add clippy'

given 'a C compiler without headers'
stub cc 'exit 1'
expect 'broken: cc' 'gcc libc6-dev'

given 'node without npm'
without npm
expect 'missing: npm' 'apt-get install --no-install-recommends npm'

for version in 18.20.4 20.18.1 21.7.3 22.11.0; do
    given "Node.js $version"
    node $version
    expect "too old: Node.js v$version. Node.js 20.19+ or 22.12+ is needed."
done
for version in 20.19.2 22.22.0 23.0.0 100.0.0; do
    given "Node.js $version"
    node $version
    expect
done

given 'Python 3.9'
python 3.9.2
expect 'too old: Python 3.9.2'

given 'Python without venv'
stub python3 '[ "$1" != -c ] || exit 1; echo Python 3.13.5'
expect 'missing: the modules venv and ensurepip of python3' 'apt-get install --no-install-recommends python3-venv'

exit $failed
