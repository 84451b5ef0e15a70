#!/bin/sh
# The longest answered calls of an extension, as CSV: list-calls.sh 1000
set -eu

curl -sS --fail-with-body -G "$RAMAL_URL/api/v1/calls" -H "Authorization: Bearer $RAMAL_TOKEN" \
  --data-urlencode 'format=csv' --data-urlencode "filter={
    \"where\": {\"from\": \"$1\", \"status\": \"completed\", \"duration\": {\"gt\": 0}},
    \"order\": \"duration DESC\",
    \"fields\": [\"id\", \"to\", \"duration\"]}"
