#!/bin/sh
# Brought by fathom --push, with the program beside it. The last copy that ends removes both.
umask 077
place=${0%/*}
what=$1
shift

away() {
    rm -f "$place/fathom" "$place/go"
    rmdir "$place"
}

case $what in
receive)
    mkdir "$place/members" && (cd "$place/members" && mkdir "$@") &&
        cat >"$place/fathom" && chmod 700 "$place/fathom" && "$place/fathom" --version
    ;;
run)
    number=$1
    shift
    leave() {
        rmdir "$place/members/$number" && rmdir "$place/members" && away
    }
    trap 'leave 2>/dev/null' EXIT
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    "$place/fathom" "$@"
    ;;
clean)
    rmdir "$place"/members/* "$place/members"
    away
    ;;
esac
