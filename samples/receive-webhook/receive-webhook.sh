#!/bin/sh
# Receives a webhook as a CGI program, and verifies it with openssl. Headers are in the environment, the body is at standard input.
set -eu
refuse() { printf 'Status: 401 Unauthorized\r\nContent-Type: text/plain\r\n\r\n%s\n' "$1"; exit 0; }

body=$(mktemp) && trap 'rm -f "$body"' EXIT
head -c "${CONTENT_LENGTH:-0}" > "$body"
id=${HTTP_WEBHOOK_ID:-} at=${HTTP_WEBHOOK_TIMESTAMP:-} given=${HTTP_WEBHOOK_SIGNATURE:-}

case $at in '' | *[!0-9]*) refuse 'no timestamp' ;; esac
age=$(($(date +%s) - at))
[ "${age#-}" -le 300 ] || refuse 'the timestamp is too old'

key=$(printf %s "${WEBHOOK_SECRET#whsec_}" | openssl base64 -d -A | od -An -v -tx1 | tr -d ' \n')
expected=v1,$({ printf '%s.%s.' "$id" "$at"; cat "$body"; } |
  openssl dgst -sha256 -mac HMAC -macopt "hexkey:$key" -binary | openssl base64 -A)
case " $given " in *" $expected "*) ;; *) refuse 'no signature fits' ;; esac

event=$(sed -n 's/.*"eventType":"\([^"]*\)","id":"\([^"]*\)".*/\1 \2/p' "$body")
printf '%s\n' "$event" >> "${EVENTS:-events.txt}"
printf 'Status: 204 No Content\r\n\r\n'
