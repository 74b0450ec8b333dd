#!/bin/sh
# Stops the parts when their supervisor is gone, however it went: its end of our standard input closes then.
# Lines in: "+ pid signal stage" (a part started), "- pid" (it ended), "." (all is in order). Low stages are stopped first.
trap '' INT TERM HUP QUIT
parts=
while read -r verb pid signal stage; do
  case $verb in
    +) parts="$parts $stage:$pid:$signal" ;;
    -) rest=; for part in $parts; do case $part in *:"$pid":*) ;; *) rest="$rest $part" ;; esac; done; parts=$rest ;;
    .) exit 0 ;;
  esac
done

left=85
for stage in 0 1 2 3 4; do
  pids=
  for part in $parts; do
    case $part in "$stage":*)
      rest=${part#*:}
      kill -s "${rest#*:}" "${rest%%:*}" 2>/dev/null && pids="$pids ${rest%%:*}" ;;
    esac
  done
  turns=30
  while [ -n "$pids" ] && [ "$left" -gt 0 ] && [ "$turns" -gt 0 ]; do
    alive=
    for pid in $pids; do kill -0 "$pid" 2>/dev/null && alive="$alive $pid"; done
    pids=$alive
    [ -z "$pids" ] || sleep 0.1
    left=$((left - 1))
    turns=$((turns - 1))
  done
done
for part in $parts; do rest=${part#*:}; kill -s KILL "${rest%%:*}" 2>/dev/null; done
exit 0
