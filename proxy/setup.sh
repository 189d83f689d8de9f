# Sourced by proxy/run, tests/run and bench/run: installs what is missing and configures a build.
# Debian 12; as root or with sudo, else it prints the apt-get line and stops.

readonly build_packages=(
  g++ cmake ninja-build libboost1.81-dev libboost-test1.81-dev libsimdjson-dev libspdlog-dev
  libfmt-dev libyaml-cpp-dev libcli11-dev zlib1g-dev libssl-dev
  prometheus-cpp-dev # its core library only
)

say() { printf '%s\n' "$*" >&2; }

# install_missing PACKAGE…: apt-get for those that dpkg does not know as installed.
install_missing() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed ||
      missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  local run=()
  if ((EUID != 0)); then
    if command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
      run=(sudo)
    else
      say "Missing packages. Install them as root, then run this again:"
      say "  apt-get install -y --no-install-recommends ${missing[*]}"
      exit 1
    fi
  fi
  say "installing: ${missing[*]}"
  local apt=("${run[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300)
  "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null 2>&1 && return 0
  "${apt[@]}" update >/dev/null && # a fresh machine has no package lists yet
    "${apt[@]}" install -y --no-install-recommends "${missing[@]}" >/dev/null
}

# build FOLDER [CMAKE_ARG…] [-- NINJA_ARG…]: configures if need be and builds.
build() {
  local folder=$1 options=()
  shift
  while (($#)) && [[ $1 != -- ]]; do
    options+=("$1")
    shift
  done
  (($#)) && shift
  cmake -S "$top" -B "$folder" -G Ninja "${options[@]}" >"$folder.configure.log" 2>&1 || {
    cat "$folder.configure.log" >&2
    return 1
  }
  rm -f "$folder.configure.log"
  local status=()
  [[ -t 2 ]] || status=(--quiet)
  ninja -C "$folder" "${status[@]}" "$@" >&2
}
