#!/bin/sh
# Holds a new server to the behaviour that clients are used to: 0 where it behaves as the old one did but for what is acknowledged, else 1.
#
#   SERVICE_API_KEY=... sh drift-gate.sh record URL [flags of `run`]    keep what the old server does
#   SERVICE_API_KEY=... sh drift-gate.sh URL [flags of `diff`]          hold a build of the new one to it
#
#   CONFORM_CONFIG  the target file                     conform.config.json
#   CONFORM_RECORD  the recording                       today.rec
#   CONFORM_KNOWN   the acknowledged differences        conform.differences.json
#   CONFORM         the command                         node conform.mjs, the bundle of `npm run bundle`
#   CONFORM_SHA256  what `sha256sum conform.mjs` has to print; without it nobody looks
set -eu

: "${CONFORM:=node conform.mjs}"
: "${CONFORM_CONFIG:=conform.config.json}"
: "${CONFORM_RECORD:=today.rec}"
: "${CONFORM_KNOWN:=conform.differences.json}"

if [ -n "${CONFORM_SHA256:-}" ] && ! echo "$CONFORM_SHA256  conform.mjs" | sha256sum --check --status; then
  echo "conform.mjs is not the file of CONFORM_SHA256" >&2
  exit 2
fi

if [ "${1:-}" = record ]; then
  url=$2
  shift 2
  code=0
  # Defects of the old server are no reason not to know how it behaves; a run that did not come to its end is not kept.
  $CONFORM run --base-url "$url" --config "$CONFORM_CONFIG" --record "$CONFORM_RECORD.new" "$@" || code=$?
  if [ ! -f "$CONFORM_RECORD.new" ]; then exit "$code"; fi
  mv "$CONFORM_RECORD.new" "$CONFORM_RECORD"
  exit 0
fi

url=$1
shift
if [ -f "$CONFORM_KNOWN" ]; then set -- --allow "$CONFORM_KNOWN" "$@"; fi
exec $CONFORM diff "$CONFORM_RECORD" "$url" --config "$CONFORM_CONFIG" --fail-on open \
  --reporter terminal --reporter junit --reporter html "$@"
