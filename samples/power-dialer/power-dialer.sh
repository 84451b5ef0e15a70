#!/bin/sh
# Calls one number after the other from an extension, and waits for the end of each: power-dialer.sh 1000 NUMBER...
set -eu
extension=$1
shift
api=$RAMAL_URL/api/v1
request() { curl -s --fail-with-body -H "Authorization: Bearer $RAMAL_TOKEN" -H 'Content-Type: application/json' "$@"; }
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

# Reads the call until it is over. Fails after five requests in a row without an answer.
wait_for_end() {
  failures=0
  while [ "$failures" -lt 5 ]; do
    if call=$(request "$api/calls/$1"); then
      failures=0
      [ "$(echo "$call" | field ended_at)" = null ] || return 0
    else
      failures=$((failures + 1))
    fi
    sleep 2
  done
  return 1
}

# Waits and asks again where there are too many requests in a minute. With the key, asking again calls once.
place() {
  request "$api/calls" --retry 2 --retry-max-time 90 -H "Idempotency-Key: dialer-$$-$(date +%s)-$1" \
    -d "{\"extension\": \"$extension\", \"called\": \"$1\"}"
}

for number; do
  if ! placed=$(place "$number"); then
    code=$(echo "$placed" | field errorCode)
    echo "$number ${code:+not called: }${code:-unknown: no answer of $RAMAL_URL}"
  elif ! wait_for_end "$(echo "$placed" | field id)"; then
    code=$(echo "$call" | field errorCode)
    echo "$number unknown: ${code:-no answer of $RAMAL_URL}"
  else
    echo "$number $(echo "$call" | field hangup_cause) $(echo "$call" | field duration) s, R\$ $(echo "$call" | field call_price)"
  fi
done
