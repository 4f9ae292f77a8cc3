#include "evident/cluster/launch.hpp"

#include <dlfcn.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <thread>
#include <vector>

#include "cluster/mpi_api.hpp"
#include "cluster/mpi_team.hpp"
#include "cluster/start_watch.hpp"
#include "evident/base/context.hpp"
#include "evident/base/error.hpp"

namespace evident::cluster {
namespace {

namespace fs = std::filesystem;

// The environment is read before any thread is started.
std::string variable(const char* name) {
  const char* text = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
  return text == nullptr ? "" : text;
}

/// What a launcher said in the environment.
struct Launcher {
  std::string name;
  long ranks = 1, rank = 0;
  std::string rank_variable = {};
  long ranks_here = 0;  ///< on this machine; 0: not said
};

Launcher launcher() {
  struct Sign {
    const char *name, *size, *rank, *here;
  };
  // Open MPI; the launchers of MPICH and srun --mpi=pmi2; srun. A batch script is no step of Slurm, so the last one
  // is not there in it.
  constexpr Sign kSigns[] = {{"mpirun", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_SIZE"},
                             {"the launcher", "PMI_SIZE", "PMI_RANK", ""},
                             {"srun", "SLURM_STEP_NUM_TASKS", "SLURM_PROCID", ""}};
  for (const Sign& sign : kSigns) {
    const long ranks = std::strtol(variable(sign.size).c_str(), nullptr, 10);
    const auto number = [](const char* name) { return std::strtol(variable(name).c_str(), nullptr, 10); };
    if (ranks > 0) return {sign.name, ranks, number(sign.rank), sign.rank, number(sign.here)};
  }
  // PMIx tells the rank alone.
  if (!variable("PMIX_RANK").empty() && !variable("PMIX_NAMESPACE").empty())
    return {"the launcher", 0, std::strtol(variable("PMIX_RANK").c_str(), nullptr, 10), "PMIX_RANK"};
  return {};
}

constexpr const char* kModule = "evident_mpi.so";
constexpr std::chrono::seconds kRankZeroSpeaks{5};

/// Where the module may be: beside the program, as it is built, or in lib/evident, as it is installed.
std::vector<fs::path> places() {
  if (const std::string named = variable("EVIDENT_MPI_MODULE"); !named.empty()) return {named};
  std::error_code ignored;
  const fs::path folder = fs::read_symlink("/proc/self/exe", ignored).parent_path();
  return {folder / kModule, folder.parent_path() / EVIDENT_LIBRARY_FOLDER / "evident" / kModule};
}

/// The module, or null and what is wrong with it.
struct Found {
  const MpiApi* api = nullptr;
  fs::path file = {};         ///< that was found, of whatever use
  std::string looked, why{};  ///< in which places; why it cannot be used
};

/// A file that is cut short, say, ends the program that loads it: that is found out by a process that nobody misses.
bool can_be_loaded(const fs::path& file) {
  const pid_t tried = ::fork();
  if (tried < 0) return true;
  if (tried == 0) {
    for (const int number : {SIGBUS, SIGSEGV, SIGILL, SIGABRT}) ::signal(number, SIG_DFL);
    void* handle = dlopen(file.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* entry = handle == nullptr ? nullptr : dlsym(handle, kMpiEntry);
    if (entry != nullptr) reinterpret_cast<MpiEntry>(entry)()->library();
    ::_exit(0);  // what else is wrong is said by who loads it next
  }
  int how = 0;
  while (::waitpid(tried, &how, 0) < 0 && errno == EINTR) {
  }
  return !WIFSIGNALED(how);
}

Found find_module() {
  Found found;
  for (const fs::path& place : places()) {
    found.looked += (found.looked.empty() ? "" : " and ") + place.string();
    std::error_code ignored;
    if (!fs::exists(place, ignored)) continue;
    found.file = place;
    if (!can_be_loaded(place)) {
      found.why = place.string() + " is damaged: whoever loads it crashes";
      continue;
    }
    void* handle = dlopen(place.c_str(), RTLD_NOW | RTLD_GLOBAL);
    void* entry = handle == nullptr ? nullptr : dlsym(handle, kMpiEntry);
    if (entry == nullptr) {
      found.why = dlerror();  // NOLINT(concurrency-mt-unsafe)
      continue;
    }
    const MpiApi* api = reinterpret_cast<MpiEntry>(entry)();
    if (api->version == MpiApi::kVersion) {
      found.api = api;
      return found;
    }
    found.why = place.string() + " belongs to another version of evident";
  }
  return found;
}

const MpiApi& load(const Launcher& by) {
  const Found found = find_module();
  if (found.api != nullptr) return *found.api;
  throw InputError(fmt::format(
      "{} started several processes, but evident has no module for MPI{}: looked for {}; build evident where MPI is "
      "installed (libopenmpi-dev), or start it without {}, or with EVIDENT_MPI=0 to run each process for itself",
      by.name, found.why.empty() ? "" : " that can be used (" + found.why + ")", found.looked, by.name));
}

}  // namespace

MpiModule mpi_module() {
  const Found found = find_module();
  MpiModule out{.file = found.file.string(), .looked = found.looked};
  if (found.api != nullptr)
    out.library = found.api->library();
  else
    out.problem = found.why;
  return out;
}

struct Membership::State {
  std::unique_ptr<MpiTeam> team;  ///< none when the launcher started a single process
  std::string library;

  void meet(const Launcher& by, std::string_view commit) {
    const MpiApi& api = load(by);
    int rank = 0, size = 1, code = 0;
    {
      // Threads that MPI starts must not take the signals that are meant for the program.
      const StartWatch watch(by.rank_variable, by.ranks, by.ranks_here);
      code = api.open(&rank, &size);
      if (code == 0 && size > 1) {
        library = api.library();
        team = std::make_unique<MpiTeam>(api, rank, size, commit);
      }
    }
    if (code != 0) throw RunError(fmt::format("MPI ({}) could not be started, error {}", api.library(), code));
    if (size > 1) return;
    if (by.ranks > 1)
      throw InputError(fmt::format(
          "{} started {} processes, but {} does not know it; with srun use --mpi=pmix or --mpi=pmi2 (srun --mpi=list "
          "tells what there is), else the mpirun of that MPI, or EVIDENT_MPI=0 to run each process for itself",
          by.name, by.ranks, api.library()));
    api.close();
  }
};

Membership::Membership(std::unique_ptr<State> state) : state_(std::move(state)) {}
Membership::~Membership() = default;
Membership::Membership(Membership&&) noexcept = default;
Membership& Membership::operator=(Membership&&) noexcept = default;

Membership Membership::join(std::string_view commit) {
  auto state = std::make_unique<State>();
  const Launcher by = launcher();
  if (by.ranks == 1 || variable("EVIDENT_MPI") == "0") return Membership(std::move(state));
  try {
    state->meet(by, commit);
  } catch (const InputError& e) {
    if (by.rank == 0) throw;
    // Rank 0 says it, and its launcher then ends all others. One that is still there sees what rank 0 does not.
    std::this_thread::sleep_for(kRankZeroSpeaks);
    throw InputError(fmt::format("rank {}: {}", by.rank, e.message()));
  }
  return Membership(std::move(state));
}

Team& Membership::team() { return state_->team ? static_cast<Team&>(*state_->team) : team_of_one(); }

unsigned Membership::threads() const {
  return state_->team ? threads_for(state_->team->rank(), state_->team->members()) : 0;
}

std::string Membership::description() const {
  if (!state_->team) return {};
  std::set<std::string> hosts;
  const std::vector<Member>& members = state_->team->members();
  unsigned least = threads(), most = least;
  for (std::size_t r = 0; r < members.size(); ++r) {
    hosts.insert(members[r].host);
    least = std::min(least, threads_for(r, members));
    most = std::max(most, threads_for(r, members));
  }
  const std::string each = least == most ? std::to_string(least) : fmt::format("{} to {}", least, most);
  return fmt::format("{} ranks on {} {}, {} {} each ({})", members.size(), hosts.size(),
                     hosts.size() == 1 ? "machine" : "machines", each, most == 1 ? "thread" : "threads",
                     state_->library);
}

std::string Membership::traffic() const {
  if (!state_->team) return {};
  const TeamTraffic t = state_->team->traffic();
  return fmt::format(
      "rank {}: {} collective operations, {} letters, {} bytes sent, {} bytes received, {:.2f} s in collective "
      "operations",
      state_->team->rank(), t.operations, t.letters, t.bytes_out, t.bytes_in, t.seconds);
}

void Membership::when_lost(std::function<void(const std::string&)> last_words) {
  if (state_->team) state_->team->when_lost(std::move(last_words));
}

void Membership::when_failed(std::function<void()> stop) {
  if (state_->team) state_->team->when_failed(std::move(stop));
}

void Membership::end_if_lost() {
  if (state_->team) state_->team->end_if_lost();
}

int Membership::leave(int status) {
  if (!state_->team) return status;
  status = state_->team->leave(status);
  state_->team.reset();
  return status;
}

}  // namespace evident::cluster
