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

# One that has ended and that nobody has fetched yet is not alive.
is_alive() {
  kill -0 "$1" 2>/dev/null || return 1
  [ -r "/proc/$1/stat" ] || return 0
  read -r line <"/proc/$1/stat" || return 1
  case $line in *') Z '*) return 1 ;; esac
}

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
    for pid in $pids; do is_alive "$pid" && alive="$alive $pid"; done
    pids=$alive
    [ -z "$pids" ] || sleep 0.1
    left=$((left - 1))
    turns=$((turns - 1))
  done
done
for part in $parts; do rest=${part#*:}; kill -s KILL "${rest%%:*}" 2>/dev/null; done
exit 0
