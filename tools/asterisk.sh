#!/usr/bin/env bash
# A private Asterisk 22 out of Debian's packages: a second opinion on our SIP, for tests and the bench.
#
#   asterisk.sh setup              fetch and unpack it; nothing is done when it is there
#   asterisk.sh ready              is it there?
#   asterisk.sh start FOLDER       run it in the foreground with the *.conf files of FOLDER
#   asterisk.sh cli FOLDER WORDS   one command at the console of the one that runs there
#   asterisk.sh stop FOLDER        end the one that runs there
#
# Any user may run it, and nothing is installed: packages are unpacked into ASTERISK_HOME (default: the cache
# folder in node_modules) and the program is started by the dynamic loader unpacked beside it.
# The archive is the one this machine's apt uses; where that is not Debian's, name one in ASTERISK_MIRROR.
set -euo pipefail

house=$(cd "$(dirname "$0")/.." && pwd)
home=${ASTERISK_HOME:-$house/node_modules/.cache/asterisk}
# The first suite of Debian that carries Asterisk 22.
suite=${ASTERISK_SUITE:-forky}
keyring=${ASTERISK_KEYRING:-/usr/share/keyrings/debian-archive-keyring.gpg}

fail() {
  echo "asterisk.sh: $*" >&2
  exit 1
}

# The security archive has another label, and no whole suite.
archive() {
  local found=${ASTERISK_MIRROR:-}
  [ -n "$found" ] || found=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' | sed -n 1p)
  # Where apt never updated it knows no labels: lines such as 'http://host/debian/dists/suite/InRelease' ...
  [ -n "$found" ] || found=$(apt-get -o Debug::NoLocking=true --print-uris update |
    sed -n "s,^'\(.*/debian\)/*dists/.*,\1,p" | sed -n 1p)
  [ -n "$found" ] || fail 'apt knows no archive of Debian here: name one in ASTERISK_MIRROR'
  echo "$found"
}

# --- setup

# Of the libraries that asterisk-modules names, those whose modules we load. The others pass for installed.
wanted='libc6 libssl3t64 libsqlite3-0 libsrtp2-1 libopus0 libgsm1 libxml2-16 zlib1g'

pass_for_installed() {
  local package architecture
  architecture=$(dpkg --print-architecture)
  for package in "$@"; do
    printf 'Package: %s\nArchitecture: %s\n' "$package" "$architecture"
    printf 'Status: install ok installed\nVersion: 999:0\nMaintainer: nobody\nDescription: absent\n\n'
  done
}

# Names of the packages it depends on, of alternatives the first.
needs_of() {
  apt-cache show --no-all-versions "$1" | sed -n 's/^Depends: //p' | tr ',' '\n' | sed 's/^ *//; s/[ :(|].*//'
}

# An apt of our own: its sources, its memory of what is installed, its downloads.
own_apt() {
  local mirror
  mirror=$(archive)
  mkdir -p "$1"/{lists,archives}/partial "$1/parts"
  : > "$1/status"
  # A mirror may lag behind the date its index is good until; its signature is checked all the same.
  echo "deb [signed-by=$keyring check-valid-until=no] $mirror $suite main" > "$1/sources.list"
  cat > "$1/apt.conf" <<CONF
Dir::Etc { sourcelist "$1/sources.list"; sourceparts "$1/parts"; preferences "$1/none"; preferencesparts "$1/parts"; };
Dir::State "$1"; Dir::State::status "$1/status"; Dir::Cache "$1";
APT::Sandbox::User ""; APT::Install-Recommends "false"; Acquire::Languages "none"; Debug::NoLocking "true";
CONF
  export APT_CONFIG=$1/apt.conf
}

setup() {
  [ ! -x "$home/usr/sbin/asterisk" ] || return 0
  local work package needed absent=(adduser debconf asterisk-config-custom asterisk-core-sounds-en)
  mkdir -p "$(dirname "$home")"
  work=$(mktemp -d "$home.XXXXXX")
  # shellcheck disable=SC2064 # the folder of now is meant
  trap "rm -rf '$work'" EXIT
  own_apt "$work/apt"
  apt-get -qq update
  for needed in $(needs_of asterisk-modules); do
    [[ " $wanted " == *" $needed "* ]] || absent+=("$needed")
  done
  pass_for_installed "${absent[@]}" > "$work/apt/status"
  apt-get -qq -y --download-only install asterisk asterisk-modules > /dev/null
  for package in "$work"/apt/archives/*.deb; do dpkg-deb -x "$package" "$work/root"; done
  # All at once, so that nobody finds half of it; a setup that ran beside this one may have been first.
  mv -T "$work/root" "$home" 2> /dev/null || [ -x "$home/usr/sbin/asterisk" ] || fail "cannot make $home"
  echo "asterisk.sh: unpacked $(du -sh "$home" | cut -f 1) into $home" >&2
}

# --- running

# Replaces this shell, so that whoever starts us holds the process id of Asterisk.
become_asterisk() {
  local folder=$1 loader modules
  shift
  [ -d "$home/usr" ] || fail 'not set up: run "tools/asterisk.sh setup" first'
  loader=$(find "$home/usr" -path '*/lib*/ld-linux*.so.*' -print -quit)
  modules=$(find "$home/usr/lib" -type d -path '*/asterisk/modules')
  # Its control socket lies there, and the path of a socket is short.
  [ ${#folder} -lt 90 ] || fail "the path $folder is too long"
  {
    echo '[directories]'
    for place in etc varlib db key agi spool run log cache; do echo "ast${place}dir => $folder"; done
    printf 'astdatadir => %s/usr/share/asterisk\nastmoddir => %s\n' "$home" "$modules"
    printf '[options]\nnocolor = yes\n'
  } > "$folder/asterisk.conf.$$"
  mv "$folder/asterisk.conf.$$" "$folder/asterisk.conf"
  exec "$loader" --library-path "$(dirname "$(dirname "$modules")")" \
    "$home/usr/sbin/asterisk" -C "$folder/asterisk.conf" "$@"
}

command=${1:-}
case $command in
  setup)
    setup
    exit
    ;;
  ready)
    [ -x "$home/usr/sbin/asterisk" ]
    exit
    ;;
esac
[ -d "${2:-}" ] || fail "which folder? ($(sed -n 's/^#   asterisk.sh \([a-z]*\).*/\1/p' "$0" | xargs))"
folder=$(cd "$2" && pwd)
case $command in
  start) become_asterisk "$folder" -f ;;
  cli) become_asterisk "$folder" -rx "${*:3}" ;;
  stop) become_asterisk "$folder" -rx 'core stop now' ;;
  *) fail "no such command: $command" ;;
esac
