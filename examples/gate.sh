#!/bin/sh
# A gate for any pipeline that has a shell and Node: looks at the server, tests it, keeps the reports, and ends with the exit code that decides.
#
#   SERVICE_API_KEY=... sh gate.sh [flags of `run`, such as --profile quick]
#
#   CONFORM_CONFIG  the target file                     conform.config.json
#   CONFORM_OUT     the folder for the reports          conform-report
#   CONFORM         the command                         node conform.mjs, the bundle of `npm run bundle`
#   CONFORM_SHA256  what `sha256sum conform.mjs` has to print; without it nobody looks
set -eu

: "${CONFORM:=node conform.mjs}"
: "${CONFORM_CONFIG:=conform.config.json}"
: "${CONFORM_OUT:=conform-report}"

if [ -n "${CONFORM_SHA256:-}" ] && ! echo "$CONFORM_SHA256  conform.mjs" | sha256sum --check --status; then
  echo "conform.mjs is not the file of CONFORM_SHA256" >&2
  exit 2
fi

say() {
  echo "gate: $*" >&2
}

if [ "$CONFORM" = "node conform.mjs" ] && [ ! -f conform.mjs ]; then
  say "there is no conform.mjs: \`npm run bundle\` in a checkout makes one; where the package is installed, set CONFORM='npx conform'"
  exit 2
fi

# What the flags name counts, wherever it stands.
server=
baseline=
flag=
for word in "$@"; do
  case $flag in
    --config) CONFORM_CONFIG=$word ;;
    --out) CONFORM_OUT=$word ;;
    --baseline) baseline=$word ;;
    --base-url) server=$word ;;
  esac
  case $word in
    --config=*) CONFORM_CONFIG=${word#*=} ;;
    --out=*) CONFORM_OUT=${word#*=} ;;
    --baseline=*) baseline=${word#*=} ;;
    --base-url=*) server=${word#*=} ;;
  esac
  flag=$word
done

if [ -f "$CONFORM_CONFIG" ]; then
  set -- --config "$CONFORM_CONFIG" "$@"
elif [ -z "$server" ]; then
  say "there is no $CONFORM_CONFIG; \`$CONFORM init --base-url URL\` writes one"
  exit 2
fi
# Known failures do not close the gate, once somebody has written them down with a reason.
if [ -z "$baseline" ] && [ -f conform.baseline.json ]; then
  baseline=conform.baseline.json
  set -- --baseline "$baseline" "$@"
fi

# What the doctor finds is worth reading when the run is incomplete; it decides nothing.
$CONFORM doctor "$@" || say "a run will not be able to prove everything (see above)"

# A report of an earlier run says nothing of this one.
rm -f "$CONFORM_OUT/report.json"
code=0
$CONFORM run --out "$CONFORM_OUT" --reporter terminal --reporter junit --reporter html "$@" || code=$?

# How many failures the baseline knows and does not know, and how many of its entries are stale.
counts=$(node -e '
  let counts = [0, 1, 0];
  try {
    const { baseline } = JSON.parse(require("node:fs").readFileSync(process.argv[1], "utf8"));
    if (baseline) counts = [baseline.known.length, baseline.fresh.length, baseline.stale.length];
  } catch {}
  console.log(counts.join(" "));
' "$CONFORM_OUT/report.json")
known=${counts%% *}
stale=${counts##* }
fresh=${counts#* }
fresh=${fresh% *}

# What asked for help, or for the version, ended well and tested nothing.
if [ "$code" -eq 0 ] && [ ! -f "$CONFORM_OUT/report.json" ]; then
  say "closed: nothing was tested"
  exit 2
fi

case $code in
  0)
    if [ "$known" -gt 0 ]; then
      say "open: the server fails only as $baseline knows ($known)"
    else
      say "open: the server conforms"
    fi
    ;;
  1)
    if [ "$stale" -eq 0 ]; then
      say "closed: the server does not conform"
    elif [ "$fresh" -eq 0 ]; then
      say "closed: $baseline is stale ($stale, see above); the server fails in nothing new"
    else
      say "closed: the server does not conform, and $baseline is stale ($stale, see above)"
    fi
    ;;
  2) say "closed: a mistake in the target file or in a flag" ;;
  3) say "closed: something could not be tested, or the server could not be reached" ;;
  130) say "closed: interrupted" ;;
  *) say "closed: the suite itself failed (exit code $code)" ;;
esac
exit "$code"
