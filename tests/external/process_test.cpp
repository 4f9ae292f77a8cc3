// Models that are programs: what they compute, and what becomes of those that die, hang or talk rubbish.
#include "external/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <fstream>
#include <mutex>
#include <thread>

#include "evident/base/context.hpp"
#include "evident/base/error.hpp"
#include "evident/base/log_math.hpp"
#include "support/temporary_folder.hpp"

namespace evident::external {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Squares of the first parameter, plus the option "add"; `before` runs for each batch, with b its number and n its
/// size.
std::string script(const std::string& before = "", const std::string& at_start = "") {
  return "import os, sys, time\n"
         "add = 0.0\n" +
         at_start +
         "\nfor line in sys.stdin:\n"
         "    word, *rest = line.split()\n"
         "    if word == 'option': add = float(rest[1])\n"
         "    elif word == 'begin': print('ready', flush=True)\n"
         "    elif word == 'batch':\n"
         "        b, n = map(int, rest)\n"
         "        out = [v * v + add for v in (float(sys.stdin.readline().split()[0]) for _ in range(n))]\n" +
         (before.empty() ? "" : "        " + before + "\n") +
         "        print('\\n'.join(map(repr, out)))\n"
         "        print('done', b, flush=True)\n"
         "    elif word == 'bye': break\n";
}

/// Numbers of the processes whose parent is this one.
std::vector<int> children() {
  std::vector<int> out;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    std::ifstream file(entry.path() / "stat");
    std::string line;
    std::getline(file, line);
    const std::size_t at = line.rfind(')');
    if (at == std::string::npos) continue;
    if (std::atoi(line.c_str() + at + 4) == ::getpid()) out.push_back(std::atoi(line.c_str()));
  }
  return out;
}

bool is_running(int pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  std::getline(file, line);
  const std::size_t at = line.rfind(')');
  return at != std::string::npos && line[at + 2] != 'Z';
}

class ProcessTest : public testing::Test {
 protected:
  void TearDown() override { EXPECT_TRUE(children().empty()) << "a program was left behind"; }

  ProcessOptions options(const std::string& text) {
    folder_.write("model.py", text);
    ProcessOptions out;
    out.command = {EVIDENT_PYTHON, "-S", "-E", "model.py"};
    out.folder = folder_.path().string();
    out.parameters.add("x", normal(0, 1)).add("y", normal(0, 1));
    out.timeout_seconds = 60;
    out.notice = [this](std::string_view line) {
      const std::lock_guard lock(mutex_);
      notices_ += std::string(line) + "\n";
    };
    return out;
  }

  /// Some numbers, right or not.
  static std::vector<double> ask(const Model& model, std::size_t n = 5) {
    BlockStorage theta(2, n);
    for (std::size_t i = 0; i < n; ++i) theta(0, i) = std::sqrt(static_cast<double>(i + 1)) / 3;
    AlignedVector<double> out(n);
    model.log_likelihood(theta, out);
    return {out.begin(), out.end()};
  }
  static void expect_squares(const std::vector<double>& found, double add = 0) {
    for (std::size_t i = 0; i < found.size(); ++i) {
      const double x = std::sqrt(static_cast<double>(i + 1)) / 3;
      EXPECT_EQ(found[i], x * x + add);
    }
  }
  /// The message of a run that cannot be saved.
  std::string failure(const ProcessOptions& given) {
    try {
      const auto model = start_process(given);
      ask(*model);
    } catch (const RunError& e) {
      return e.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
  }
  std::string refusal(const ProcessOptions& given) {
    try {
      start_process(given);
    } catch (const InputError& e) {
      return e.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return {};
  }

  TemporaryFolder folder_;
  std::mutex mutex_;
  std::string notices_;
};

TEST_F(ProcessTest, Answers) {
  ProcessOptions given = options(script());
  given.options = {{"add", "0.1"}};
  const auto model = start_process(given);
  for (const std::size_t n : {1u, 64u, 1000u}) expect_squares(ask(*model, n), 0.1);
}

TEST_F(ProcessTest, LargeDataAndBatchesDoNotBlock) {
  ProcessOptions given = options(script());
  given.columns = {{"y", std::vector<double>(300'000, 1.0 / 3)}};
  expect_squares(ask(*start_process(given), 50'000));
}

TEST_F(ProcessTest, OneProgramForEachThreadAndTheSameNumbers) {
  // Which program answered is told by its own number, which must not show in the results. The first one waits for
  // another, however long a busy machine takes to start a thread.
  const std::string start =
      "end = time.monotonic() + 50\n"
      "def wait_for_another():\n"
      "    while sum(n.startswith('pid') for n in os.listdir()) < 2 and time.monotonic() < end: time.sleep(0.01)\n";
  const auto model =
      start_process(options(script("open(f'pid{os.getpid()}', 'w').close(); wait_for_another()", start)));
  std::vector<std::vector<double>> found(12);
  Executor(3).for_each(found.size(), [&](std::size_t b) { found[b] = ask(*model, 1 + b); });
  for (const auto& f : found) expect_squares(f);
  std::size_t programs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder_.path()))
    programs += entry.path().filename().string().starts_with("pid") ? 1 : 0;
  EXPECT_GE(programs, 2u);
  EXPECT_LE(programs, 3u);
}

TEST_F(ProcessTest, WorkersAreBounded) {
  ProcessOptions given = options(script("open(f'pid{os.getpid()}', 'w').close(); time.sleep(0.02)"));
  given.workers = 1;
  const auto model = start_process(given);
  Executor(4).for_each(8, [&](std::size_t) { expect_squares(ask(*model)); });
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_.path()), {}), 2);  // the script and one mark
}

TEST_F(ProcessTest, IsStartedAgainWhenItDies) {
  const auto model = start_process(options(script("if b == 2: sys.exit('out of luck')")));
  for (int k = 0; k < 5; ++k) expect_squares(ask(*model));
  EXPECT_THAT(notices_, HasSubstr("failed: it ended with status 1; its last words on standard error: out of luck; "
                                  "started again"));
}

TEST_F(ProcessTest, GivesUpAfterSomeTries) {
  ProcessOptions given = options(script("print('first', 'last', sep='\\n', file=sys.stderr); os._exit(3)"));
  given.restarts = 2;
  const std::string why = failure(given);
  EXPECT_THAT(why, HasSubstr("it ended with status 3; its last words on standard error: first | last; 3 in a row"));
}

TEST_F(ProcessTest, EveryWayToFail) {
  const auto once = [&](const std::string& before) {
    ProcessOptions given = options(script(before));
    given.restarts = 0;
    return failure(given);
  };
  EXPECT_THAT(once("os.kill(os.getpid(), 11)"), HasSubstr("ended by signal SIGSEGV"));
  EXPECT_THAT(once("os.close(1); time.sleep(60)"), HasSubstr("it closed its standard output"));
  EXPECT_THAT(once("out[1] = 'rubbish'"), HasSubstr("line 2 of its answer was ''rubbish'', where a number"));
  EXPECT_THAT(once("out.pop()"), HasSubstr("line 5 of its answer was 'done 1', where a number was expected"));
  EXPECT_THAT(once("out.append(1)"), HasSubstr("line 6 of its answer was '1', where 'done 1' was expected"));
  EXPECT_THAT(once("while True: print(1)"), HasSubstr("line 6 of its answer"));
  EXPECT_THAT(once("while True: sys.stdout.write('1')"), HasSubstr("a line of 4096 characters"));
  EXPECT_THAT(once("print('error no root found', flush=True)"), HasSubstr("reports an error: no root found"));
}

TEST_F(ProcessTest, HangsAreEnded) {
  ProcessOptions given = options(script("time.sleep(1000)"));
  given.restarts = 0;
  given.timeout_seconds = 3;
  std::string why;
  try {
    ask(*start_process(given));
  } catch (const Error& e) {  // an InputError when a busy machine cannot even start it in that time
    why = e.what();
  }
  EXPECT_THAT(why, HasSubstr("it gave no answer within 3 seconds"));
}

TEST_F(ProcessTest, DeafProgramsAreEnded) {
  ProcessOptions given = options("import time\nprint('ready', flush=True)\ntime.sleep(1000)\n");
  given.columns = {{"y", std::vector<double>(100'000, 1)}};  // more than a pipe holds
  given.timeout_seconds = 30;
  EXPECT_THAT(refusal(given), HasSubstr("answered before it had read the question"));
}

TEST_F(ProcessTest, RefusesWhatDoesNotGetReady) {
  EXPECT_THAT(refusal(options("raise SystemExit('no data')\n")), HasSubstr("ended with status 1; its last words"));
  EXPECT_THAT(refusal(options("print('error no column y')\n")), HasSubstr("refuses the study: no column y"));
  EXPECT_THAT(refusal(options("print('hello')\n")), HasSubstr("'hello', where 'ready' was expected"));
  ProcessOptions given = options("");
  given.command = {"no-such-program-anywhere"};
  EXPECT_THAT(refusal(given), HasSubstr("there is no program 'no-such-program-anywhere' in the PATH"));
  given.command = {"./model.py"};
  EXPECT_THAT(refusal(given), HasSubstr("no program that may be run"));
  given.command = {"python3 model.py"};
  EXPECT_THAT(refusal(given), HasSubstr("write the command as a list"));
  folder_.write("rubbish",
                "\x7f"
                "ELF rubbish");
  std::filesystem::permissions(folder_.path() / "rubbish", std::filesystem::perms::owner_all);
  given.command = {"./rubbish"};
  EXPECT_THAT(refusal(given), HasSubstr("cannot be started: Exec format error"));
  given = options(script());
  given.folder = "/no/such/folder";
  EXPECT_THAT(refusal(given), HasSubstr("cannot be started: No such file"));
}

TEST_F(ProcessTest, StandardErrorIsPassedOnWithinBounds) {
  const auto model = start_process(options(script("[print('note', k, file=sys.stderr) for k in range(20000)]")));
  for (int k = 0; k < 3; ++k) expect_squares(ask(*model));
  EXPECT_THAT(notices_, HasSubstr("note 1\n"));
  EXPECT_THAT(notices_, HasSubstr("further lines of the program's standard error are not shown"));
  EXPECT_LT(notices_.size(), 100'000u);
}

TEST_F(ProcessTest, WhatItStartedEndsWithIt) {
  const std::string start =
      "import subprocess\n"
      "child = subprocess.Popen(['sleep', '1000'])\n"
      "open('child', 'w').write(str(child.pid))\n";
  {
    const auto model = start_process(options(script("", start)));
    expect_squares(ask(*model));
  }
  int pid = 0;
  std::ifstream(folder_.path() / "child") >> pid;
  ASSERT_GT(pid, 0);
  // There is nothing to wait on: it is no child of this process.
  for (int k = 0; k < 6000 && is_running(pid); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(is_running(pid));
}

TEST_F(ProcessTest, WhatLeftItsGroupEndsWithItToo) {
  // The first leaves the group; the second is nobody's child any more when the model ends.
  const std::string start =
      "import subprocess\n"
      "child = subprocess.Popen(['sleep', '1000'], start_new_session=True)\n"
      "away = subprocess.run(['sh', '-c', 'setsid sleep 1000 >/dev/null 2>&1 & echo $!'], capture_output=True)\n"
      "open('child', 'w').write(f'{child.pid} {int(away.stdout)}')\n";
  {
    const auto model = start_process(options(script("", start)));
    expect_squares(ask(*model));
  }
  int child = 0, away = 0;
  std::ifstream(folder_.path() / "child") >> child >> away;
  ASSERT_GT(child, 0);
  ASSERT_GT(away, 0);
  for (const int pid : {child, away}) {
    for (int k = 0; k < 6000 && is_running(pid); ++k) std::this_thread::sleep_for(std::chrono::milliseconds(10));
    EXPECT_FALSE(is_running(pid));
  }
}

TEST_F(ProcessTest, StopsWhenAsked) {
  std::stop_source stop;
  ProcessOptions given = options(script("print('asked', file=sys.stderr, flush=True); time.sleep(1000)"));
  given.stop = stop.get_token();
  given.timeout_seconds = 1000;
  std::atomic<bool> asked{false};
  given.notice = [&](std::string_view) {
    asked = true;
    asked.notify_all();
  };
  const auto model = start_process(given);
  std::jthread other([&] {
    asked.wait(false);
    stop.request_stop();
  });
  EXPECT_THROW(ask(*model), RunError);
}

TEST_F(ProcessTest, OneThatIgnoresTheGoodbyeIsEnded) {
  auto model = start_process(options(script("", "import signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)") +
                                     "while True: time.sleep(1)\n"));
  expect_squares(ask(*model));
  const auto start = std::chrono::steady_clock::now();
  model.reset();  // it would go on for ever
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(30));
}

TEST_F(ProcessTest, ThreadsThatEndTakeNoProgramWithThem) {
  const auto model = start_process(options(script()));
  for (int k = 0; k < 3; ++k) std::thread([&] { expect_squares(ask(*model)); }).join();
  expect_squares(ask(*model));
  EXPECT_THAT(notices_, Not(HasSubstr("started again")));
}

}  // namespace
}  // namespace evident::external
