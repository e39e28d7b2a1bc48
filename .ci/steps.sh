# Runs the steps of a check, each with a time limit and an end. Sourced by .ci/run and .ci/self-test.
#   step [--again] SECONDS TITLE FUNCTION   runs a function of the script that sources this file
#   finish                                  prints the result; its status is that of the check
# The script passes `--step FUNCTION` to run_step before its own work.

# Seconds for all steps.
budget=${CI_BUDGET:-2400}
passed=0
failed=0
summary=

heading() { printf '\n===== %s =====\n' "$1"; }

# With its own PID namespace, which needs root, everything that a step started ends with it.
isolate=(setsid)
if unshare --pid --fork --kill-child --mount-proc true 2>/dev/null; then
  isolate=(setsid unshare --pid --fork --kill-child --mount-proc)
fi

# Processes below one, oldest first.
descendants() {
  ps -eo pid=,ppid= --sort=start_time | awk -v top="$1" '$2 == top || $2 in tree { tree[$1]; print $1 }'
}

print_processes() { xargs -r ps -o pid=,etimes=,stat=,args= -p | cut -c1-160 | sed 's/^/  | /'; }

# Without a namespace this reaches the process group and the descendants that are still below it.
end_step() {
  local left
  left=$(descendants "$1")
  kill -KILL -- "-$1" 2>/dev/null
  # shellcheck disable=SC2086
  [ -n "$left" ] && kill -KILL $left 2>/dev/null
}

# What runs at the limit. Outside of the PID namespace its processes are visible too.
explain_limit() {
  printf '\n%s: no end after %s s. Its processes (pid, age in s, state, command), and its last 40 lines:\n' "$1" "$2"
  descendants "$3" | tail -n 40 | print_processes
  tail -n 40 "$4" | cut -c1-300 | sed 's/^/  | /'
}

step() {
  local again= title limit function log pid shown began=$SECONDS status counts good=0 bad=0 verdict=passed overdue=
  if [ "$1" = --again ]; then again=yes; shift; fi
  limit=$1 title=$2 function=$3
  heading "$title"
  [ "$limit" -gt $((budget - SECONDS)) ] && limit=$((budget - SECONDS))
  if [ "$limit" -le 0 ]; then
    echo "not run: the time of all steps, $budget s, is used up"
    failed=$((failed + 1))
    summary+=$(printf '\n%6s s  %-8s  %s' - 'NOT RUN' "$title")
    return 1
  fi
  log=$(mktemp)
  # To a file: a process that keeps a pipe open would keep its reader waiting.
  "${isolate[@]}" bash "$0" --step "$function" >"$log" 2>&1 </dev/null &
  pid=$!
  trap 'end_step "$pid"; exit 143' TERM INT HUP
  tail -n +1 -f --pid="$pid" -s 0.2 "$log" &
  shown=$!
  while kill -0 "$pid" 2>/dev/null; do
    if [ -z "$overdue" ] && [ $((SECONDS - began)) -ge "$limit" ]; then
      overdue=yes
      kill "$shown" 2>/dev/null
      explain_limit "$title" "$limit" "$pid" "$log"
      end_step "$pid"
    fi
    sleep 0.2
  done
  wait "$pid" 2>/dev/null
  status=$?
  end_step "$pid"
  trap - TERM INT HUP
  wait "$shown" 2>/dev/null
  counts=$(grep -aE '^[0-9]+ passed, [0-9]+ failed$' "$log" | tail -n 1)
  rm -f "$log"
  [ -n "$counts" ] && read -r good _ bad _ <<<"$counts"
  [ "$status" -ne 0 ] && [ "$bad" -eq 0 ] && bad=1
  [ -n "$again" ] && good=0
  passed=$((passed + good))
  failed=$((failed + bad))
  [ "$bad" -gt 0 ] && verdict=FAILED
  [ -n "$overdue" ] && verdict='TOO LONG'
  summary+=$(printf '\n%6d s  %-8s  %s' $((SECONDS - began)) "$verdict" "$title")
  [ "$verdict" = passed ]
}

# The inside of a step: runs the function, then names what it left running. PID 1 of the namespace is this shell.
run_step() {
  local status left
  "$1"
  status=$?
  left=$(if [ $$ -eq 1 ]; then ps -eo pid= | grep -vwE '1'; else descendants $$; fi)
  # Without the processes of this listing.
  left=$(for pid in $left; do [ -e "/proc/$pid/exe" ] && readlink "/proc/$pid/exe" >/dev/null && echo "$pid"; done)
  if [ -n "$left" ]; then
    echo 'Left running, ended now (pid, age in s, state, command):'
    print_processes <<<"$left"
  fi
  return "$status"
}

finish() {
  heading 'steps'
  printf '%s\n' "${summary#?}"
  heading 'result'
  echo "$passed passed, $failed failed"
  [ "$failed" -eq 0 ]
}
