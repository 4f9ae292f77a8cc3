# What tools/try_packages does on the new machine, as root, with the packages in /packages.
set -euo pipefail
trap 'echo "failed in line $LINENO: $BASH_COMMAND"' ERR
cd /packages
step() { printf -- '--- %s\n' "$*"; }
install() { apt-get install -q -y --no-install-recommends "$@" >/tmp/apt.log 2>&1 || { tail -n 20 /tmp/apt.log; exit 1; }; }
expect() { grep -q -- "$1" || { echo "expected '$1'"; exit 1; }; }

apt-get update -q >/dev/null
step "no compiler is here"
for name in cc gcc g++ c++ clang cmake make; do ! command -v "$name" || exit 1; done

step "evident alone, and what apt brings with it"
install ./evident_*.deb
! command -v gcc || exit 1
apt-cache depends --installed evident | sed 's/^/    /'
evident --version
evident doctor
evident doctor | expect 'no module'

step "the demo study"
evident compare /usr/share/evident/examples/decay/study.toml --out /tmp/decay --quiet | tee /tmp/decay.txt
expect 'trust' </tmp/decay.txt
ls /tmp/decay
test -s /tmp/decay/report.html
evident compare /usr/share/evident/examples/decay/study.toml --netcdf /tmp/draws.nc --particles 200 --out /tmp/again --quiet >/dev/null
for model in one_exponential two_exponentials; do test -s "/tmp/draws.$model.nc"; done

step "man pages and completion"
install man-db bash-completion
gzip -dc /usr/share/man/man1/evident-compare.1.gz | man --warnings -l - 2>&1 >/dev/null | { ! grep .; }
bash -c '. /usr/share/bash-completion/bash_completion; _completion_loader evident; complete -p evident' | expect _evident
test -s /usr/share/zsh/site-functions/_evident
test -s /usr/share/fish/vendor_completions.d/evident.fish

step "evident-mpi, with mpirun"
install ./evident-mpi_*.deb openmpi-bin
evident doctor | expect 'Open MPI'
OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 mpirun --oversubscribe --mca plm_rsh_agent false -n 2 evident compare \
  /usr/share/evident/examples/decay/study.toml --out /tmp/mpi --quiet >/tmp/mpi.txt
cmp /tmp/decay/result.json /tmp/mpi/result.json || diff <(grep -v seconds /tmp/decay/result.json) <(grep -v seconds /tmp/mpi/result.json)

step "the wheel in a new virtual environment"
if ls evident-*.whl >/dev/null 2>&1; then
  install python3 python3-venv
  python3 -m venv /tmp/venv
  /tmp/venv/bin/pip install -q --disable-pip-version-check ./evident-*.whl
  cd /tmp
  /tmp/venv/bin/python -c '
import evident, numpy as np
tosses = lambda theta: 15 * np.log(theta[:, 0]) + 5 * np.log1p(-theta[:, 0])
print(evident.compare([evident.Model("fair", {"heads": "beta(100, 100)"}, tosses),
                       evident.Model("any", {"heads": "uniform(0, 1)"}, tosses)], seed=7))'
  /tmp/venv/bin/evident doctor >/dev/null
  cd /packages
fi

step "a program of one's own, now with a compiler"
install ./libevident-dev_*.deb g++ cmake ninja-build
version=$(evident --version | cut -d ' ' -f 2)
cmake -S consumer -B /tmp/consumer -G Ninja -DCMAKE_BUILD_TYPE=Release -DEXPECTED_VERSION="$version" >/dev/null
cmake --build /tmp/consumer >/dev/null
/tmp/consumer/consumer

step "and away again"
apt-get purge -q -y evident evident-mpi libevident-dev >/tmp/apt.log 2>&1
! find /usr -path '*evident*' -not -path '*/venv/*' | grep .
echo "all is well"
