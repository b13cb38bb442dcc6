#!/bin/sh
# Installs Fathom {{ facts.version }} for one user:
#
#     curl --fail --silent --show-error --location {{ facts.downloads }}/install.sh | sh
#
# Options: --prefix FOLDER   install below FOLDER [~/.local]
#          --from URL        get the program from this URL or folder
#
# It needs no root. Nothing is installed unless the program has the SHA-256 sum below.
set -eu

fail() {
    echo "install.sh: $1" >&2
    exit 1
}

# Gets the file $1 of the release as $2.
fetch() {
    case $from in
    *://*)
        if command -v curl >/dev/null; then
            curl --fail --silent --show-error --location --output "$2" "$from/$1"
        elif command -v wget >/dev/null; then
            wget --quiet --output-document="$2" "$from/$1"
        else
            fail "curl and wget are missing. Install one of them"
        fi
        ;;
    *) cp "$from/$1" "$2" ;;
    esac || fail "cannot get $from/$1. Name another URL or folder with --from"
}

main() {
    from='{{ facts.downloads }}'
    prefix=${HOME:-}/.local
    while [ $# -gt 0 ]; do
        [ $# -gt 1 ] || fail "$1 needs a value"
        case $1 in
        --from) from=$2 ;;
        --prefix) prefix=$2 ;;
        *) fail "unknown option $1. Use --prefix FOLDER and --from URL" ;;
        esac
        shift 2
    done
    case $(uname -s):$(uname -m) in
{%- for file in facts.files %}
    Linux:{{ file.architecture }})
        file={{ file.name }}
        sum={{ file.sha256 }}
        ;;
{%- endfor %}
    *) fail "this release has no program for $(uname -s) on $(uname -m)" ;;
    esac
    command -v sha256sum >/dev/null || fail "sha256sum is missing. Install coreutils"

    work=$(mktemp -d)
    new=$prefix/bin/.fathom.$$
    trap 'rm -rf "$work" "$new"' EXIT
    trap 'exit 1' HUP INT TERM
    fetch "$file" "$work/fathom"
    found=$(sha256sum <"$work/fathom")
    found=${found%% *}
    [ "$found" = "$sum" ] ||
        fail "$file has the SHA-256 sum $found instead of $sum. Nothing was installed"

    mkdir -p "$prefix/bin"
    cp "$work/fathom" "$new"
    chmod 755 "$new"
    "$new" --version >/dev/null || fail "the program does not start here. Nothing was installed"
    mv -f "$new" "$prefix/bin/fathom"
    "$prefix/bin/fathom" generate man --overwrite "$prefix/share/man/man1"
{%- for (shell, path) in completions %}
    mkdir -p "$prefix/{{ path.parent().unwrap().display() }}"
    "$prefix/bin/fathom" generate completions {{ shell }} >"$prefix/{{ path.display() }}"
{%- endfor %}
    echo "Fathom {{ facts.version }} is installed as $prefix/bin/fathom"
    case :${PATH:-}: in
    *:"$prefix/bin":*) ;;
    *) echo "$prefix/bin is not in PATH. Add it in the profile of your shell" ;;
    esac
}

# A script that was cut off on its way does nothing.
main "$@"
