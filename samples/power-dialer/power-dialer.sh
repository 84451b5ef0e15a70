#!/bin/sh
# Calls one number after the other from an extension, and waits for the end of each: power-dialer.sh 1000 NUMBER...
set -eu
extension=$1
shift
api=$RAMAL_URL/api/v1
request() { curl -s --fail-with-body -H "Authorization: Bearer $RAMAL_TOKEN" -H 'Content-Type: application/json' "$@"; }
field() { sed -n "s/.*\"$1\":\"\{0,1\}\([^\",}]*\).*/\1/p"; }

for number; do
  if ! placed=$(request "$api/calls" -d "{\"extension\": \"$extension\", \"called\": \"$number\"}"); then
    echo "$number not called: $(echo "$placed" | field errorCode)"
    continue
  fi
  id=$(echo "$placed" | field id)
  while call=$(request "$api/calls/$id") && [ "$(echo "$call" | field ended_at)" = null ]; do sleep 2; done
  echo "$number $(echo "$call" | field hangup_cause) $(echo "$call" | field duration) s"
done
