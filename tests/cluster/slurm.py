"""Slurm on this machine, for a test: its own configuration, key, ports and state, all of it below one folder.

    with Slurm(folder, cpus=2) as slurm:
        slurm.run("sbatch", "--wait", "job.sh")

Raises Unavailable, with the reason, where Slurm is not installed or does not start.
"""
import ctypes
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "srun", "squeue", "sinfo", "scancel")
CONFIGURATION = """\
ClusterName=evident-test
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge/socket
CredType=cred/munge
SlurmctldPort={controller_port}
SlurmdPort={node_port}
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=2
SlurmdParameters=config_overrides
ReturnToService=2
SlurmdTimeout=600
UnkillableStepTimeout=600
MailProg=/bin/true
NodeName={host} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory=500 State=UNKNOWN
PartitionName=test Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


class Unavailable(Exception):
    pass


def program(name):
    found = shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin")
    if not found:
        raise Unavailable(f"there is no {name}; ./tools/setup cluster installs it")
    return found


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def nurse(command):
    """Runs a daemon and buries what it leaves behind: in a container the first process may not do so, and Slurm takes a
    dead process that nobody has buried for one that it cannot kill."""
    end_with_parent, become_reaper = 1, 36  # PR_SET_PDEATHSIG, PR_SET_CHILD_SUBREAPER
    ctypes.CDLL(None).prctl(become_reaper, 1, 0, 0, 0)
    ctypes.CDLL(None).prctl(end_with_parent, signal.SIGTERM, 0, 0, 0)
    daemon = os.posix_spawn(command[0], command, os.environ)
    signal.signal(signal.SIGTERM, lambda *_: os.kill(daemon, signal.SIGTERM))
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    deadline = None  # for the orphans, once the daemon is gone
    while deadline is None or time.time() < deadline:
        try:
            dead, _ = os.waitpid(-1, 0 if deadline is None else os.WNOHANG)
        except ChildProcessError:
            return
        if dead == daemon:
            deadline = time.time() + 5
        if dead == 0:
            time.sleep(0.05)


class Slurm:
    def __init__(self, folder, cpus=2):
        if os.geteuid() != 0:
            raise Unavailable("its daemons run as root, and this is another user")
        self.programs = {name: program(name) for name in PROGRAMS}
        self.folder, self.cpus, self.daemons = pathlib.Path(folder), cpus, []
        self.environment = {**os.environ, "SLURM_CONF": str(self.folder / "slurm.conf")}
        for name in [n for n in self.environment if n.startswith(("SLURM_", "SBATCH_", "SRUN_")) and n != "SLURM_CONF"]:
            del self.environment[name]

    def __enter__(self):
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def run(self, name, *arguments, check=True, **options):
        options.setdefault("timeout", 120)
        done = subprocess.run([self.programs[name], *map(str, arguments)], env=self.environment, capture_output=True,
                              text=True, **options)
        if check and done.returncode != 0:
            raise AssertionError(f"{name} {arguments}: {done.returncode}\n{done.stdout}{done.stderr}")
        return done

    def start(self):
        for name in ("munge", "state", "spool"):
            (self.folder / name).mkdir(mode=0o755)
        key = self.folder / "munge" / "key"
        key.write_bytes(os.urandom(128))
        key.chmod(0o400)
        munge = self.folder / "munge"
        self.daemon("munged", "--foreground", "--force", f"--key-file={key}", f"--socket={munge}/socket",
                    f"--pid-file={munge}/pid", f"--log-file={munge}/log", f"--seed-file={munge}/seed")
        self.wait_for(lambda: (munge / "socket").exists(), "munged does not start", munge / "log")
        host = socket.gethostname().split(".")[0]
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(
            host=host, user="root", folder=self.folder, controller_port=free_port(), node_port=free_port(),
            cpus=self.cpus))
        self.daemon("slurmctld", "-D", "-i")
        self.daemon("slurmd", "-D", "-N", host)
        self.wait_for(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T", check=False).stdout,
                      "Slurm's node does not get ready", self.folder / "slurmd.log", self.folder / "slurmctld.log")

    def daemon(self, name, *arguments):
        log = open(self.folder / f"{name}.out", "wb")
        self.daemons.append(subprocess.Popen([sys.executable, "-B", __file__, self.programs[name], *arguments],
                                             env=self.environment, stdout=log,
                                             stderr=log, stdin=subprocess.DEVNULL, cwd=self.folder,
                                             start_new_session=True))
        log.close()

    def wait_for(self, ready, what, *logs, seconds=30):
        deadline = time.time() + seconds
        while not ready():
            dead = [d for d in self.daemons if d.poll() is not None]
            if dead or time.time() > deadline:
                tail = " | ".join(line for log in logs if log.exists()
                                  for line in log.read_text(errors="replace").splitlines()[-4:])
                raise Unavailable(f"{what}: {tail}")
            time.sleep(0.1)

    def stop(self):
        """Jobs first, then the daemons that this object started, the last one first."""
        if len(self.daemons) == 3:
            try:
                self.run("scancel", "--user=root", check=False, timeout=10)
            except subprocess.TimeoutExpired:
                pass
        for daemon in reversed(self.daemons):
            if daemon.poll() is None:
                daemon.send_signal(signal.SIGTERM)
        for daemon in reversed(self.daemons):
            try:
                daemon.wait(10)
            except subprocess.TimeoutExpired:
                os.killpg(daemon.pid, signal.SIGKILL)
                daemon.wait()
        self.daemons = []


if __name__ == "__main__":
    nurse(sys.argv[1:])
