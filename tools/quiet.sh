# Sourced by the scripts here: steps that show one line when they work and their whole output when they fail.

# How many compilers at once: one a core, but none without 1.5 GB of free memory.
jobs() {
  local cores free_mb
  cores=$(nproc)
  free_mb=$(awk '/^MemAvailable:/ { print int($2 / 1024) }' /proc/meminfo)
  local fit=$((${free_mb:-1500} / 1500))
  echo $((fit < 1 ? 1 : fit < cores ? fit : cores))
}

# quietly TITLE COMMAND...: runs the command, with its output kept in build/log/TITLE.log.
quietly() {
  local title=$1 log=build/log/${1//[^a-zA-Z0-9]/-}.log began=$SECONDS
  shift
  mkdir -p build/log
  printf '%s ... ' "$title"
  if "$@" >"$log" 2>&1 </dev/null; then
    printf 'done (%d s)\n' $((SECONDS - began))
  else
    local code=$?
    printf 'failed; all of it is in %s\n' "$log"
    # The first error and what surrounds it says more than the end of a parallel build.
    grep -n -m 5 -A 12 -E 'error:|Error |FAILED' "$log" || true
    echo "--- the last lines:"
    tail -n 40 "$log"
    return "$code"
  fi
}

# What was compiled before, in another clone too, is not compiled again where ccache is installed and has a folder to write to;
# nothing depends on it.
use_ccache() {
  command -v ccache >/dev/null || return 0
  export CCACHE_BASEDIR=${CCACHE_BASEDIR-$PWD} CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
  export CCACHE_IGNOREOPTIONS='-ffile-prefix-map=*'  # it names the folder, and its effect is that the folder does not matter
  local folder
  folder=$(mktemp -d)
  if echo 'int a;' >"$folder/a.c" && (cd "$folder" && ccache cc -c a.c) >/dev/null 2>&1; then
    export CMAKE_CXX_COMPILER_LAUNCHER=${CMAKE_CXX_COMPILER_LAUNCHER-ccache}
  fi
  rm -rf "$folder"
}
use_ccache
