#!/bin/sh
# Rings an extension and dials a number: click-to-call.sh 1000 '+55 48 99999-0103'
set -eu
extension=$1 number=$2

curl -sS --fail-with-body "$RAMAL_URL/api/v1/calls" \
  -H "Authorization: Bearer $RAMAL_TOKEN" -H 'Content-Type: application/json' \
  -H "Idempotency-Key: click-$$-$(date +%s)" --retry 2 --retry-max-time 60 \
  -d "{\"extension\": \"$extension\", \"called\": \"$number\", \"metadata\": {\"source\": \"click\"}}"
