#!/bin/sh
# A gate for any pipeline that has a shell and Node: looks at the server, tests it, keeps the reports, and ends with the exit code that decides.
#
#   SERVICE_API_KEY=... sh gate.sh [flags of `run`, such as --profile quick]
#
#   CONFORM_CONFIG  the target file                     conform.config.json
#   CONFORM_OUT     the folder for the reports          conform-report
#   CONFORM         the command, if it is installed     npx --yes console-conformance
set -eu

: "${CONFORM:=npx --yes console-conformance}"
: "${CONFORM_CONFIG:=conform.config.json}"
: "${CONFORM_OUT:=conform-report}"

say() {
  echo "gate: $*" >&2
}

if [ ! -f "$CONFORM_CONFIG" ]; then
  say "there is no $CONFORM_CONFIG; \`$CONFORM init --base-url URL\` writes one"
  exit 2
fi
# Known failures do not close the gate, once somebody has written them down with a reason.
if [ -f conform.baseline.json ]; then
  set -- --baseline conform.baseline.json "$@"
fi

# What the doctor finds is worth reading when the run is incomplete; it decides nothing.
$CONFORM doctor --config "$CONFORM_CONFIG" || say "a run will not be able to prove everything (see above)"

code=0
$CONFORM run --config "$CONFORM_CONFIG" --out "$CONFORM_OUT" --reporter terminal --reporter junit --reporter html "$@" || code=$?

case $code in
  0) say "open: the server conforms" ;;
  1) say "closed: the server does not conform" ;;
  2) say "closed: a mistake in the target file or in a flag" ;;
  3) say "closed: something could not be tested, or the server could not be reached" ;;
  130) say "closed: interrupted" ;;
  *) say "closed: the suite itself failed (exit code $code)" ;;
esac
exit "$code"
